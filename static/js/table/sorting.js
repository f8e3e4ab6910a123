// Sorting by headings: here, or on the server where these are links.
import { element } from "../element.js";
import { fromAddress, nameOf, rowsOf, toAddress, words } from "./rows.js";

// Times by date, meters and pictures by their value, whatever the cell's text is.
export function valueOf(cell) {
  const meter = cell.querySelector("meter");
  if (meter) return meter.max ? meter.value / meter.max : 0;
  const text =
    cell.dataset.value ?? cell.querySelector("time")?.dateTime ?? cell.textContent.trim();
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

export const markSorted = (rows, column) =>
  rows.forEach((row) =>
    [...row.cells].forEach((cell, at) => cell.toggleAttribute("data-sorted", at === column)),
  );

function sort(table, heading, ascending) {
  const column = heading.cellIndex;
  table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const rows = rowsOf(table);
  rows.sort(
    (a, b) => compare(valueOf(a.cells[column]), valueOf(b.cells[column])) * (ascending ? 1 : -1),
  );
  markSorted(rows, column);
  table.tBodies[0].append(...rows);
  table.dispatchEvent(new Event("sorted"));
}

function chosenSort(table, heading, ascending) {
  sort(table, heading, ascending);
  toAddress(table, "sort", (ascending ? "" : "-") + nameOf(heading));
}

const startsAscending = (heading) => !heading.matches(".number, [data-down]");

export function choose(table, heading) {
  const was = heading.getAttribute("aria-sort");
  chosenSort(table, heading, was ? was === "descending" : startsAscending(heading));
}

export function unsort(table, rows) {
  table.querySelectorAll("[aria-sort]").forEach((heading) => heading.removeAttribute("aria-sort"));
  table.querySelectorAll("[data-sorted]").forEach((cell) => cell.removeAttribute("data-sorted"));
  table.tBodies[0].append(...rows);
  toAddress(table, "sort", "");
  table.dispatchEvent(new Event("sorted"));
}

// Headings that are links lead to the list in another order; without one it comes as it comes.
export function unsortOnServer(table, link) {
  const address = new URL(link.href);
  address.searchParams.delete(`${table.id}-sort`);
  location.assign(address);
}

export function makeSortable(table) {
  const headings = [...table.tHead.rows[0].cells].filter(
    (heading) => words(heading) && !heading.hasAttribute("data-unsorted"),
  );
  for (const heading of headings) {
    const button = element("button", { type: "button", class: "sort" }, ...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => choose(table, heading));
  }
  return headings;
}

export function sortAsAddressed(table, headings) {
  const [, down, name] = fromAddress(table, "sort").match(/^(-?)(.*)$/);
  const heading = headings.find((each) => nameOf(each) === name);
  if (heading) sort(table, heading, !down);
}

// `sortBy` a heading, the other way round if it is sorted by it already; `leave` the rows as they
// come.
export function sortedBy(table, headings, sortBy, leave) {
  const select = element("select", {}, element("option", { value: "" }, "default order"));
  headings.forEach((heading, at) =>
    select.append(element("option", { value: at }, words(heading))),
  );
  const turn = element("button", { type: "button", class: "plain" });
  const chosen = () => headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
  const say = () => {
    const isDescending = headings[chosen()]?.getAttribute("aria-sort") === "descending";
    select.value = chosen() < 0 ? "" : chosen();
    turn.hidden = chosen() < 0;
    turn.textContent = isDescending ? "▾" : "▴";
    turn.setAttribute("aria-label", isDescending ? "Lowest first" : "Highest first");
  };
  select.addEventListener("change", () =>
    select.value ? sortBy(headings[Number(select.value)]) : leave(),
  );
  turn.addEventListener("click", () => sortBy(headings[chosen()]));
  table.addEventListener("sorted", say);
  say();
  return element("div", { class: "sorted-by" }, element("label", {}, "Sort by", select), turn);
}
