// How a document is read: its size, line width and typeface; the panels beside it; the key End.
import { say } from "../element.js";
import { bring } from "./requests.js";

const narrow = matchMedia("(max-width: 48rem)");
const width = () => (narrow.matches ? "narrow" : "wide");

// As its reader chooses: at once, and kept with their account.
const root = document.getElementById("judging");
const form = document.querySelector("#reading form");
const told = document.getElementById("reading-kept");
let kept = Promise.resolve(); // one after the other, so that the last choice stays

form?.addEventListener("change", ({ target: { name, value } }) => {
  root.dataset[name.replace("reading_", "")] = value;
  kept = kept.then(() => keep(name, value));
});

document.getElementById("reading").addEventListener("toggle", ({ newState }) => {
  if (newState === "open") form.querySelector(":checked").focus();
});

async function keep(name, value) {
  try {
    told.textContent = await (await bring("./account.js")).keep(form, name, value);
  } catch {
    told.textContent = "Holds for this page only: the server cannot be reached.";
  }
}

// <details data-panel> stays as the reader left it; until then it is closed where it would take
// the document's place.
const nameOf = ({ dataset }) => `panel:${dataset.panel}:${width()}`;

function placePanels() {
  for (const panel of document.querySelectorAll("details[data-panel]:not([data-placed])")) {
    const left = localStorage.getItem(nameOf(panel));
    panel.open = left ? left === "open" : panel.open && !narrow.matches;
    panel.dataset.placed = "";
  }
}

document.addEventListener("click", (event) => {
  const panel = event.target.closest("details[data-panel] > summary")?.parentElement;
  // The click changes it next.
  if (panel) localStorage.setItem(nameOf(panel), panel.open ? "closed" : "open");
});

placePanels();

// [data-pane="topic"] opens and closes <aside id="topic">, which stays as the reader left it. On a
// narrow screen the list covers the document, so it begins closed.
const nameOfPane = (pane) => `pane:${pane}:${width()}`;

function leftOpen(pane) {
  if (narrow.matches && pane === "own") return false;
  const left = localStorage.getItem(nameOfPane(pane));
  return left ? left === "open" : pane === "topic" && !narrow.matches;
}

export const isOpen = (pane) => {
  const aside = document.getElementById(pane);
  return pane === "own" ? aside?.hidden === false : !aside.hasAttribute("data-folded");
};

function put(pane, is) {
  const aside = document.getElementById(pane);
  if (pane === "own") {
    aside.hidden = !is;
    // Nothing is graded that is covered.
    document.querySelector(".judging-actions").hidden = is && narrow.matches;
  } else aside.toggleAttribute("data-folded", !is);
  for (const button of document.querySelectorAll(`[data-pane="${pane}"][aria-expanded]`))
    button.ariaExpanded = String(is);
  aside.dispatchEvent(new CustomEvent("pane", { bubbles: true, detail: { isOpen: is } }));
}

export function close(pane) {
  put(pane, false);
  localStorage.setItem(nameOfPane(pane), "closed");
}

export const closeIfNarrow = (pane) => { if (narrow.matches && isOpen(pane)) close(pane); };

export function open(pane) {
  put(pane, true);
  const first = (selector) => document.querySelector(`#own ${selector}`);
  if (narrow.matches && pane === "own") (first("[aria-current]") ?? first("header button")).focus();
  localStorage.setItem(nameOfPane(pane), "open");
}

export function placePanes() {
  for (const { id } of document.querySelectorAll("#topic, #own")) put(id, leftOpen(id));
  document.getElementById("topic").dataset.placed = "";
}

document.addEventListener("click", (event) => {
  const pane = event.target.closest("[data-pane]")?.dataset.pane;
  if (!pane) return;
  (isOpen(pane) ? close : open)(pane);
  say(`${document.getElementById(pane).ariaLabel}: ${isOpen(pane) ? "shown" : "hidden"}.`);
});
narrow.addEventListener("change", placePanes);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open], [popover]:popover-open"))
    closeIfNarrow("own");
});

// The key End, whose way in a long document comes once it is asked for.
document.addEventListener("keydown", (event) => {
  const article = document.querySelector(".judging-document");
  const isCommand = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
  const isElsewhere = event.target.matches("input, textarea, select, dialog *, aside *");
  if (event.key !== "End" || !article || isCommand || isElsewhere) return;
  event.preventDefault();
  const further = () => (article.scrollTop = article.scrollHeight);
  bring("./toend.js").then(({ toEnd }) => toEnd(article), further);
});
