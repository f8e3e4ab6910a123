// Of practice: once an answer is saved, how it stands to the known grade is shown beside it, and
// the document stays until its reader goes on.
import { element, say } from "./elements.js";
import { isOpen } from "./queue.js";

const place = document.getElementById("known");
const grades = document.getElementById("chips").content;
const part = (name) => place.querySelector(name);

function grade(name, value) {
  const words = element("span", `${name} `);
  words.append(grades.querySelector(`[data-grade="${value}"]`)?.cloneNode(true) ?? String(value));
  return words;
}

// A sign, a heading and grades.
function compared({ grade: given, known }) {
  const shown = [grade("Known", known.grade)];
  if (given === known.grade) return ["✓ ", "You agree", shown];
  if (given === null) return ["≠ ", "It can be judged", shown];
  return ["≠ ", "You differ", [...shown, " ", grade("Yours", given)]];
}

const wasCorrected = (now) =>
  `The known grade has been corrected since you answered: it is now ${now}. Your first answer is ` +
  "still compared with the earlier one.";

/** @param {Entry} entry */
export function showKnown(entry, isLast) {
  place.hidden = !entry.known || isOpen(entry) || entry.last !== null;
  if (place.hidden) return;
  const [sign, heading, shown] = compared(entry);
  const { now, why } = entry.known;
  const drawn = element("span", sign);
  drawn.ariaHidden = "true";
  place.dataset.agrees = sign === "✓ " ? "yes" : "no";
  part("h2").replaceChildren(drawn, heading);
  part(".practice-grades").replaceChildren(...shown);
  part(".practice-corrected").textContent = now === null ? "" : wasCorrected(now);
  part(".practice-why").textContent = why;
  part("[data-goes-on] span").textContent = isLast ? "how it went" : "next document";
  say(`${heading}. ${part(".practice-grades").textContent} ${why}`.trim());
}
