// Of practice: once an answer is saved, how it stands to the known grade is shown beside it, and
// the document stays until its reader goes on.
import { element, say } from "./elements.js";

const place = document.getElementById("known");
const grades = document.getElementById("chips").content;

function grade(name, value) {
  const words = element("span", `${name} `);
  words.append(grades.querySelector(`[data-grade="${value}"]`)?.cloneNode(true) ?? String(value));
  return words;
}

function heading(entry) {
  if (entry.grade === entry.known.grade) return "You agree";
  return entry.grade === null ? "It can be judged" : "You differ";
}

const wasCorrected = ({ now }) => now === null ? "" :
  `The known grade has been corrected since you answered: it is now ${now}. Your first answer is ` +
  "still compared with the earlier one.";

/** @param {Entry} entry */
export function showKnown(entry, isLast) {
  const isAnswered = entry.state === "judged" || entry.state === "cannot_judge";
  place.hidden = !entry.known || entry.last !== null || !isAnswered;
  if (place.hidden) return;
  const agrees = entry.grade === entry.known.grade;
  place.dataset.agrees = agrees ? "yes" : "no";
  const sign = element("span", agrees ? "✓ " : "≠ ");
  sign.ariaHidden = "true";
  place.querySelector("h2").replaceChildren(sign, heading(entry));
  place.querySelector(".practice-grades").replaceChildren(
    grade("Known", entry.known.grade),
    ...(agrees || entry.grade === null ? [] : [grade("Yours", entry.grade)]),
  );
  place.querySelector(".practice-corrected").textContent = wasCorrected(entry.known);
  place.querySelector(".practice-why").textContent = entry.known.why;
  place.querySelector("[data-goes-on] span").textContent = isLast ? "how it went" : "next document";
  const known = place.querySelector(".practice-grades").textContent;
  say(`${heading(entry)}. ${known}. ${entry.known.why}`);
}
