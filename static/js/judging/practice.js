// The page of practice: one document a page, made by the server. What is pressed before it has been
// seen grades nothing, and nothing is sent twice.
import { watchArrivals } from "./arrival.js";
import { say } from "./elements.js";
import { sayWhy } from "./idle.js";
import { placePanes } from "./reading.js";

const root = document.getElementById("judging");
const notice = document.getElementById("not-saved");
const result = document.getElementById("result");

function tell(sentence) {
  notice.textContent = sentence;
  notice.hidden = false;
  say(sentence);
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens).showModal();
  const closer = event.target.closest("[data-closes]");
  if (closer) document.getElementById(closer.dataset.closes).close();
});

// The next document without an answer is another one when its reader comes back to it: this page is
// of the one it shows.
if (root.dataset.at && !new URLSearchParams(location.search).has("number"))
  history.replaceState(null, "", root.dataset.at);

// A second answer is not sent while the first is on its way. A page that is come back to takes one
// again.
let isSent = false;
document.getElementById("answer")?.addEventListener("submit", (event) => {
  if (isSent) event.preventDefault();
  else event.submitter?.classList.add("flash");
  isSent = true;
});
addEventListener("pageshow", () => { isSent = false; });

placePanes();
document.addEventListener("key:idle", ({ detail: key }) => sayWhy(root, key, tell));
document.querySelector(".judging-document").focus();
if (document.getElementById("answer"))
  watchArrivals(root, Number(root.dataset.leastMs), () =>
    tell("Too quick: this document had only just appeared. Press again."),
  )();
else delete root.dataset.arriving;
// The document has the focus, so what came of the answer is said besides, without the signs that
// only the eye needs.
const saying = [notice.hidden ? null : notice, result].filter(Boolean).map((part) => {
  const spoken = part.cloneNode(true);
  for (const sign of spoken.querySelectorAll("[aria-hidden]")) sign.remove();
  return spoken.textContent.replace(/\s+/g, " ").trim();
});
if (saying.length) say(saying.join(" "));
