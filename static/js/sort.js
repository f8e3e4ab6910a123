// A click on a heading of a <table data-sortable> sorts it by that column: numbers by value, words alphabetically.
function makeSortable(table) {
  table.querySelectorAll("thead th").forEach((heading, column) => {
    if (!heading.textContent.trim() || heading.querySelector("button, .visually-hidden")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sort(table, heading, column));
  });
}

// Times are sorted by date and meters by share, whatever the cell's text is.
function valueOf(row, column) {
  const cell = row.cells[column];
  const meter = cell.querySelector("meter");
  if (meter) return meter.max ? meter.value / meter.max : 0;
  const text = cell.querySelector("time")?.dateTime ?? cell.textContent.trim();
  const number = Number(text.replaceAll(",", "").replace("\u2212", "-"));
  return text !== "" && Number.isFinite(number) ? number : text;
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function sort(table, heading, column) {
  const ascending = heading.getAttribute("aria-sort") === "descending" || (!heading.hasAttribute("aria-sort") && !heading.classList.contains("number"));
  table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => compare(valueOf(a, column), valueOf(b, column)) * (ascending ? 1 : -1));
  table.tBodies[0].append(...rows);
}

document.querySelectorAll("table[data-sortable]").forEach(makeSortable);
document.addEventListener("htmx:afterSettle", (event) => {
  event.detail.elt.querySelectorAll?.("table[data-sortable]").forEach(makeSortable);
});
