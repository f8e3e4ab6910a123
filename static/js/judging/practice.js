// Of practice: once an answer is saved, how it stands to the known grade is shown beside it, and
// the document stays until its reader goes on.
import { element, say } from "../element.js";
import { isOpen } from "./queue.js";
import { commentOn, desk, screen, show, view } from "./screen.js";

const place = document.getElementById("known");
const chips = document.getElementById("chips").content;
const part = (name) => place.querySelector(name);

function grade(name, value) {
  const chip = chips.querySelector(`[data-grade="${value}"]`)?.cloneNode(true) ?? String(value);
  return element("span", {}, `${name} `, chip);
}

function heading(given, known) {
  if (given === known) return "You agree";
  return given === null ? "It can be judged" : "You differ";
}

const wasCorrected = (now) =>
  `The known grade has been corrected since you answered: it is now ${now}. Your first answer is ` +
  "still compared with the earlier one.";

part("[data-goes-on]").addEventListener("click", () => {
  const next = desk.queue.nextOpen(screen.current.number);
  view.notice("");
  if (next) show(next);
  else if (desk.outbox.size) view.notice("Not everything is saved yet: press again in a moment.");
  else location.assign(view.root.dataset.practice);
});

// An answered document stays, as it is; redo may answer another than is on the screen.
desk.stay = (entry) => {
  if (isOpen(entry)) return false;
  if (entry !== screen.current) {
    show(entry);
    return true;
  }
  const { scrollTop } = view.article;
  view.present(view.article, entry, desk.queue, desk.seen, commentOn(entry));
  view.article.scrollTop = scrollTop;
  desk.showKnown(entry);
  return true;
};

const LATE_MS = 1000;
let late; // the clock of what waits for the server
let said = ""; // of what is on the screen

// Nobody is left without a word where the network is.
function showLate() {
  place.hidden = false;
  place.dataset.agrees = "";
  part("h2").textContent = "Not saved yet";
  for (const name of [".practice-grades", ".practice-corrected"]) part(name).replaceChildren();
  part(".practice-why").textContent = "The known grade comes once your answer is saved.";
  part("[data-goes-on] span").textContent = "go on";
}

/** @param {Entry} entry */
desk.showKnown = (entry) => {
  const isAnswered = entry && !isOpen(entry);
  place.hidden = !isAnswered || !entry.known;
  clearTimeout(late);
  if (place.hidden) {
    said = "";
    if (isAnswered && entry.last !== null) late = setTimeout(showLate, LATE_MS);
    return;
  }
  const { grade: given, known } = entry;
  const agrees = given === known.grade;
  const sign = element("span", { "aria-hidden": "true" }, agrees ? "✓ " : "≠ ");
  const grades = [grade("Known", known.grade)];
  if (!agrees && given !== null) grades.push(grade("Yours", given));
  place.dataset.agrees = agrees ? "yes" : "no";
  part("h2").replaceChildren(sign, heading(given, known.grade));
  part(".practice-grades").replaceChildren(...grades);
  part(".practice-corrected").textContent = known.now === null ? "" : wasCorrected(known.now);
  part(".practice-why").textContent = known.why;
  const isLast = !desk.queue.nextOpen(entry.number);
  part("[data-goes-on] span").textContent = isLast ? "how it went" : "next document";
  const compared = grades.map(({ textContent }) => textContent).join(", ");
  const sentence = `${heading(given, known.grade)}. ${compared}. ${known.why}`.trim();
  if (sentence !== said) say(sentence);
  said = sentence;
};
document.addEventListener("judging:shown", ({ detail }) => desk.showKnown(detail.entry));
