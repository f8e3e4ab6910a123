// What waits for work done elsewhere asks after 1, 2, 4 … seconds as long as nothing has changed
// or nobody answers. What comes anew is an element of its own, which begins with one second.
const [FIRST_MS, MOST_MS] = [1000, 15_000];
const EARLY_MS = 100; // a clock that ticks every second may be that early
const waits = new WeakMap(); // of an element: { ms, until }

const isWaiting = (elt) => elt.getAttribute("hx-headers")?.includes("Shown") ?? false;

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const isByClock = !requestConfig.triggeringEvent && isWaiting(elt);
  if (isByClock && Date.now() < (waits.get(elt)?.until ?? 0)) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  if (!isWaiting(elt) || (xhr.status > 0 && xhr.status < 400 && xhr.status !== 204)) return;
  const ms = Math.min(2 * (waits.get(elt)?.ms ?? FIRST_MS), MOST_MS);
  waits.set(elt, { ms, until: Date.now() + ms - EARLY_MS });
});
