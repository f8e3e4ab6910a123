// What the rows of a table are sorted by.

// Times by date, meters and pictures by their value, whatever the cell's text is.
export function valueOf(cell) {
  const meter = cell.querySelector("meter");
  if (meter) return meter.max ? meter.value / meter.max : 0;
  const text = cell.dataset.value ?? cell.querySelector("time")?.dateTime ?? cell.textContent.trim();
  return numberIn(text) ?? text;
}

// "1,234", "−0.5" and "89 %" are numbers; undefined for what is none.
export function numberIn(text) {
  const number = Number(text.replaceAll(",", "").replace("\u2212", "-").replace(/\s*%$/, ""));
  return text !== "" && Number.isFinite(number) ? number : undefined;
}

// Numbers come after words, and numbers within words count as such.
export function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? 1 : -1;
  return a.localeCompare(b, undefined, { numeric: true });
}
