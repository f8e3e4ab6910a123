// What stands in place of a document at the end of a topic.
import { counted } from "../element.js";

/** @param {any} template @param {Queue} queue */
export function ending(template, queue) {
  const article = template.content.firstElementChild.cloneNode(true);
  for (const row of article.querySelectorAll("[data-given]")) {
    const n = queue.given(row.dataset.given);
    row.querySelector("progress").value = n;
    row.lastElementChild.textContent = counted(n);
  }
  const done = article.querySelector("[data-done]");
  const { judged, cannot_judge: not } = queue.counts();
  if (done) done.textContent = `${counted(judged + not)} of ${counted(queue.size)}`;
  return article;
}
