// Time on each document since the last act on it; after a minute without input it counts as away.
import { counted } from "../element.js";

const IDLE_MS = 60_000;
const MOST_MS = 2 ** 31 - 1; // that the server holds
const INPUTS = [
  "keydown", "input", "pointerdown", "pointermove", "touchstart", "touchmove", "wheel", "scroll",
];

const looks = new Map(); // by number
let look; // at the document on the screen
let since = performance.now();
let touched = since;
let isVisible = !document.hidden;

function tick() {
  const now = performance.now();
  const active = isVisible ? Math.max(0, Math.min(now, touched + IDLE_MS) - since) : 0;
  if (look) {
    look.active += active;
    look.away += now - since - active;
  }
  since = now;
  isVisible = !document.hidden;
}

function touch() {
  tick();
  touched = since;
}

for (const name of INPUTS) addEventListener(name, touch, { capture: true, passive: true });
document.addEventListener("visibilitychange", touch);

// What is waited for is no document yet.
document.addEventListener("judging:shown", ({ detail: { entry, article } }) => {
  tick();
  look = undefined;
  if (!entry || "waiting" in article.dataset) return;
  look = looks.get(entry.number) ?? { active: 0, away: 0, first: Date.now() };
  looks.set(entry.number, look);
});

const whole = (ms) => Math.round(Math.min(Math.max(ms, 0), MOST_MS));

// What was spent on a document, in milliseconds, and begins anew.
export function spent(number) {
  tick();
  const seen = looks.get(number);
  looks.delete(number);
  if (!seen) return { active_ms: 0, away_ms: 0 };
  return {
    active_ms: whole(seen.active),
    away_ms: whole(seen.away),
    viewed_ms: whole(Date.now() - seen.first),
  };
}

// Minutes in words: "14 min", "2 h 8 min".
export function inWords(minutes) {
  const n = Math.max(1, Math.round(minutes));
  const [hours, rest] = [Math.floor(n / 60), n % 60];
  const parts = [hours && `${counted(hours)} h`, (rest || !hours) && `${rest} min`];
  return parts.filter(Boolean).join(" ");
}
