// A key presses the element that names it: <button data-key="2">. In an open dialog only its own;
// beside one that is not modal, others too, but for digits. What presses nothing is told as
// key:idle. A minus sign waits for the digit of a grade below 0, and the page shows that it does.
import { keyOf, takesText } from "./keyof.js";

function minus(is) {
  document.body.toggleAttribute("data-minus", is);
}

// What is seen can be pressed, and what is in a closed menu or a folded panel.
function isPressable(target) {
  const menu = target.closest("[popover]");
  const isPutAway = target.closest("[data-folded]") || (menu && !menu.checkVisibility());
  return target.checkVisibility() || Boolean(isPutAway && !target.closest("[hidden]"));
}

document.addEventListener("click", () => minus(false));

document.addEventListener("keydown", (event) => {
  // AltGraph types characters.
  const isCommand = (event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph");
  const isTaken = event.defaultPrevented || event.repeat;
  if (takesText(event.target) || isCommand || event.metaKey || isTaken) return;
  if (event.key === "Shift") return;
  // Enter presses what has the focus.
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const key = keyOf(event);
  const scope =
    document.querySelector("dialog:modal") ?? document.querySelector("dialog[open]") ?? document;
  const isDigit = /^\d$/.test(key);
  const sign = document.body.hasAttribute("data-minus") && isDigit ? "-" : "";
  const isBegun =
    key === "-" &&
    scope === document &&
    [...document.querySelectorAll('[data-key^="-"]')].some(isPressable);
  minus(isBegun);
  const named = (within) =>
    [...within.querySelectorAll(`[data-key="${sign}${CSS.escape(key)}"]`)].find(
      (each) => isPressable(each) && (within !== document || !each.closest("dialog")),
    );
  const target =
    named(scope) ?? (isDigit || scope.matches?.(":modal") ? undefined : named(document));
  if (!target && !isBegun)
    document.dispatchEvent(new CustomEvent("key:idle", { detail: sign + key }));
  if (!target) return;
  event.preventDefault();
  target.click();
});
