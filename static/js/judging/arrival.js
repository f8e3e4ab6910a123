// A key pressed before its document was on the screen long enough is refused, and its author told.
import { keyOf, takesText } from "../keyof.js";

const TAP_MS = 500; // a second tap comes as late as this
const ANSWERS = "button[name], [data-opens=cannot-judge]"; // panels open at any time

// Returns the function to call when a document or its placeholder comes up. While it is too early, `root` has data-arriving.
export function watchArrivals(root, leastMs, refuse) {
  let painted = Infinity;
  let arrivals = 0;
  // A minus sign ends with its document. The digit that comes after it then is half of a grade, so it is none; nor is one after
  // a key of "cannot judge" that was refused: it was to say why.
  let isHalf = false;

  function endMinus() {
    isHalf ||= document.body.hasAttribute("data-minus");
    document.body.removeAttribute("data-minus");
  }

  function isTooEarly(event) {
    const isTap = event.type === "click" && (event.isTrusted || event.detail > 0); // a key makes a click that is neither
    const isDigit = event.type === "keydown" && /^\d$/.test(keyOf(event));
    return event.timeStamp < painted + (isTap ? Math.max(TAP_MS, leastMs) : leastMs) || (isDigit && isHalf);
  }

  function check(event) {
    if (event.repeat || event.key === "Shift") return;
    const isEarly = isTooEarly(event);
    isHalf = false;
    const pressed = event.type === "click" ? event.target.closest("button") : document.querySelector(`[data-key="${CSS.escape(keyOf(event))}"]`);
    if (!isEarly || !pressed?.matches(ANSWERS) || !pressed.form?.querySelector("[name=docno]")) return;
    if (event.type === "keydown" && takesText(event.target)) return;
    document.body.removeAttribute("data-minus");
    event.preventDefault();
    event.stopImmediatePropagation();
    isHalf = pressed.matches("[data-opens]");
    refuse();
  }

  document.addEventListener("keydown", check, true);
  document.addEventListener("click", check, true);

  return (isThere = true) => {
    const arrival = ++arrivals;
    endMinus();
    root.dataset.arriving = "";
    painted = Infinity;
    if (!isThere) return;
    requestAnimationFrame(() => setTimeout(() => {
      if (arrival !== arrivals) return;
      endMinus();
      painted = performance.now();
      setTimeout(() => { if (arrival === arrivals) delete root.dataset.arriving; }, leastMs);
    }));
  };
}
