// A key that comes too early for its document is refused, and its author told.
import { keyOf, takesText } from "../keyof.js";

const TAP_MS = 500; // a second tap comes as late as this
const ANSWERS = "button[name], [data-opens=cannot-judge]"; // panels open at any time

// A digit is half of an answer, and so none, after a minus sign that ended with its document or a
// refused key of "cannot judge".
let isHalf = false;

function endMinus() {
  isHalf ||= document.body.hasAttribute("data-minus");
  document.body.removeAttribute("data-minus");
}

// What a key or a tap would answer, if it answers anything.
function answered(event) {
  const key = () => document.querySelector(`[data-key="${CSS.escape(keyOf(event))}"]`);
  const pressed = event.type === "click" ? event.target.closest("button") : key();
  if (!pressed?.matches(ANSWERS) || !pressed.form?.querySelector("[name=docno]")) return undefined;
  return event.type === "keydown" && takesText(event.target) ? undefined : pressed;
}

// Returns what to call when a document comes up. While it is too early, `root` has data-arriving.
export function watchArrivals(root, leastMs, refuse) {
  let painted = Infinity;
  let arrivals = 0;

  function check(event) {
    if (event.repeat || event.key === "Shift") return;
    const isKey = event.type === "keydown";
    // A key makes a click that is neither.
    const isTap = !isKey && (event.isTrusted || event.detail > 0);
    const least = isTap ? Math.max(TAP_MS, leastMs) : leastMs;
    const isRest = isHalf && isKey && /^\d$/.test(keyOf(event));
    isHalf = false;
    const isEarly = event.timeStamp < painted + least;
    const pressed = isEarly || isRest ? answered(event) : undefined;
    if (!pressed) return;
    document.body.removeAttribute("data-minus");
    event.preventDefault();
    event.stopImmediatePropagation();
    isHalf = pressed.matches("[data-opens]");
    refuse(isEarly);
  }

  document.addEventListener("keydown", check, true);
  document.addEventListener("click", check, true);

  return (isThere = true) => {
    const arrival = ++arrivals;
    const isLast = () => arrival === arrivals;
    endMinus();
    root.dataset.arriving = "";
    painted = Infinity;
    if (!isThere) return;
    requestAnimationFrame(() => setTimeout(() => {
      if (!isLast()) return;
      endMinus();
      painted = performance.now();
      setTimeout(() => { if (isLast()) delete root.dataset.arriving; }, leastMs);
    }));
  };
}
