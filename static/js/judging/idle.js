// Says why a key does nothing now: in the open dialog, else by `tell`.
import { element, say } from "../element.js";

const GRADE = /^-?\d$|^-$/;
const isOfTheTable = (key) =>
  GRADE.test(key) ||
  [...document.querySelectorAll("#help dt kbd")].some(({ textContent }) => textContent === key);

function why(root, key) {
  const article = root.querySelector(":scope > .judging-document");
  const has = (selector) =>
    [...root.querySelectorAll(selector)].some((each) => each.dataset.key === key);
  const isGrade = GRADE.test(key);
  if (has('.judging-steps [data-step="1"]')) return "This is the last document.";
  if (has('.judging-steps [data-step="-1"]')) return "This is the first document.";
  if (root.dataset.stopped || root.dataset.closed)
    return root.dataset.stopped || root.dataset.closed;
  if (has("[data-redo]")) return "There is nothing to redo.";
  if ("finished" in article.dataset) return `${article.querySelector("h2").textContent}.`;
  if ("waiting" in article.dataset) return "This document is not here yet.";
  if (root.querySelector(".judging-actions")?.hidden)
    return "The list covers the document. Esc closes it.";
  const missing = root.querySelector("#missing button");
  const is = `${missing?.dataset.key} says that it is ${missing?.value}`;
  if (isGrade && missing && article.dataset.reason) return `This document cannot be graded: ${is}.`;
  if (isGrade && root.querySelector("#further[open]"))
    return `${key} is not an answer to this question.`;
  if (isGrade && root.querySelector(".grade-button"))
    return `${key.replace("-", "−")} is not a grade here.`;
  if (key === missing?.dataset.key)
    return "This document is here and can be read, so it can be graded.";
  return `${key} does nothing here.`;
}

export function sayWhy(root, key, tell) {
  if (!isOfTheTable(key)) return;
  const dialog = document.querySelector("dialog:modal");
  if (dialog) tellIn(dialog, `${key} does nothing here. Esc goes back to the document.`);
  else tell(why(root, key));
}

// Nothing outside an open dialog is heard.
function tellIn(dialog, sentence) {
  let told = dialog.querySelector(".judging-told");
  if (!told) {
    dialog.append((told = element("p", { class: "judging-told", role: "alert" })));
    dialog.addEventListener("close", () => told.remove(), { once: true });
  }
  told.textContent = sentence;
  say(sentence);
}
