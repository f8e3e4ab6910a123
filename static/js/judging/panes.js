// The panels beside the document: [data-pane="topic"] opens and closes <aside id="topic">.
// The topic stays as the reader left it on this device. On a narrow screen the list covers the document, so it begins closed.
import { say } from "./elements.js";

const narrow = matchMedia("(max-width: 48rem)");
const nameOf = (pane) => `pane:${pane}:${narrow.matches ? "narrow" : "wide"}`;

function leftOpen(pane) {
  if (narrow.matches && pane === "own") return false;
  const left = localStorage.getItem(nameOf(pane));
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
    document.querySelector(".judging-actions").hidden = is && narrow.matches; // nothing is graded that is covered
  }
  else aside.toggleAttribute("data-folded", !is); // on a narrow screen one line of it stays
  for (const button of document.querySelectorAll(`[data-pane="${pane}"][aria-expanded]`)) button.ariaExpanded = String(is);
  aside.dispatchEvent(new CustomEvent("pane", { bubbles: true, detail: { isOpen: is } }));
}

export function close(pane) {
  put(pane, false);
  localStorage.setItem(nameOf(pane), "closed");
}

export const closeIfNarrow = (pane) => { if (narrow.matches && isOpen(pane)) close(pane); };

export function open(pane) {
  put(pane, true);
  if (narrow.matches && pane === "own") (document.querySelector("#own [aria-current]") ?? document.querySelector("#own header button")).focus();
  localStorage.setItem(nameOf(pane), "open");
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
  if (event.key === "Escape" && !document.querySelector("dialog[open], [popover]:popover-open")) closeIfNarrow("own");
});
