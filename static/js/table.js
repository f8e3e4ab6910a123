// Tables are sorted by the server, whose links in the heads (`a.sort`) htmx follows. With
// `data-filter` (what the field says) they are filtered by words, and by kinds (`data-kinds` of a
// row, in words); with `data-columns` their columns are chosen, and remembered on this device. On a
// phone the first rows of a long one are shown, with a button for the rest; what a filter finds is
// shown whole. What is chosen stays in the address, under the table's id, so that a page can be
// reloaded, refreshed by htmx, and sent to others.
import { button, element } from "./element.js";
import { columnTools } from "./table/columns.js";
import { addFilter, filter } from "./table/filtering.js";
import { fromAddress, rowsOf, toAddress, words } from "./table/rows.js";
import { sortedBy } from "./table/sortedby.js";

const FROM = 20; // rows: fewer are read faster than filtered
const FIRST = 15; // rows that are shown of them at first, on a phone or of `first-rows`

// On a phone each cell says of what it is.
function label(table) {
  const headings = [...table.tHead.rows[0].cells].map(words);
  for (const row of [...rowsOf(table), ...(table.tFoot?.rows ?? [])]) {
    if (row.cells.length !== headings.length) continue;
    [...row.cells].forEach((cell, at) => {
      // `:empty`, so that it is not shown.
      if (!cell.textContent.trim() && !cell.childElementCount) cell.replaceChildren();
      // A row that is called by a number says of what.
      const isNamed = cell.scope === "row" && !cell.matches(".number");
      // "Judgments: 3", "Judged@10: 89 %": a number that the row is called by, and two that stand
      // beside each other.
      if (!isNamed && headings[at] && !("label" in cell.dataset))
        cell.dataset.label =
          headings[at] + (cell.scope === "row" || /\d$/.test(headings[at]) ? ":" : "");
    });
  }
}

// On a phone, the first rows and a button for the rest.
function fold(table, tools) {
  const more = button("", show, { class: "plain more no-print" });
  let isOpen = fromAddress(table, "rows") === "all";
  const foldNow = () => {
    const isFiltered =
      tools.querySelector("input[type=search]")?.value.trim() ||
      tools.querySelector("[data-kind][aria-pressed=true]")?.dataset.kind;
    const rest =
      isFiltered || isOpen
        ? []
        : rowsOf(table)
            .slice(FIRST)
            .filter((row) => !row.hasAttribute("data-own") && !row.querySelector(".errors"));
    rowsOf(table).forEach((row) => row.toggleAttribute("data-rest", rest.includes(row)));
    more.textContent = `Show ${rest.length} more`;
    more.hidden = !rest.length;
  };
  function show() {
    const next = table.querySelector("tr[data-rest] :is(a, button)");
    isOpen = true;
    toAddress(table, "rows", "all");
    foldNow();
    next?.focus();
  }
  table.after(more);
  table.addEventListener("filtered", foldNow);
  foldNow();
}

// A head can stay on the screen only over a table that its card holds whole.
function fit(table) {
  const wrap = table.closest(".table-wrap");
  if (!wrap) return;
  wrap.toggleAttribute("data-fits", false);
  wrap.toggleAttribute("data-fits", table.offsetWidth <= wrap.clientWidth);
}

const headsOf = (table) => [...table.tHead.rows[0].cells];

// What stands in the column that the rows are sorted by is as plain to see as the main one.
function markSorted(table) {
  const at = headsOf(table).findIndex((head) => head.hasAttribute("aria-sort"));
  for (const row of rowsOf(table)) row.cells[at]?.toggleAttribute("data-sorted", true);
}

function numbersOf(table) {
  return headsOf(table).filter((each) => words(each) && each.classList.contains("number"));
}

const pagesOf = (table) => table.closest("section, .list")?.querySelector(".pagination");

// htmx renews one table: the links of the others are to keep how it is sorted.
function tellOthers(table) {
  const links = `table:not(#${table.id}) a.sort, .pagination a`;
  toAddress(table, "sort", fromAddress(table, "sort"), links);
}

function prepare(table) {
  const isPrepared = table.dataset.prepared !== undefined;
  if (isPrepared || !table.tHead?.rows.length || table.classList.contains("matrix")) return;
  table.dataset.prepared = "";
  label(table);
  markSorted(table);
  const tools = element("div", { class: "table-tools no-print" });
  const isLong = rowsOf(table).length >= FROM;
  const isFiltered = isLong && table.dataset.filter;
  if (isFiltered) addFilter(table, tools);
  const sorting = headsOf(table).filter((head) => head.querySelector("a.sort"));
  if (sorting.length) tellOthers(table);
  if (sorting.length && (isLong || pagesOf(table))) tools.append(sortedBy(table, sorting));
  if (table.hasAttribute("data-columns")) tools.append(columnTools(table, numbersOf(table), fit));
  if (tools.childElementCount) table.before(tools);
  if (isLong) fold(table, tools);
  if (isFiltered) filter(table, tools);
  fit(table);
}

// A link may have changed since htmx saw it: what a filter finds goes along.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt.matches("a.sort")) detail.path = detail.elt.href.replace(/#.*$/, "");
});

// Who types into a filter, or sorts by the select, goes on when the table is there anew.
let left = null;
document.addEventListener("htmx:beforeSwap", () => {
  const field = document.activeElement?.closest(".table-tools [id]");
  left = field && { id: field.id, at: field.selectionStart };
});
function goOn() {
  const field = left && document.getElementById(left.id);
  field?.focus({ preventScroll: true });
  if (field?.type === "search") field.setSelectionRange(left.at, left.at);
  left = null;
}

const prepareAll = (root) => root.querySelectorAll?.("table").forEach(prepare);
prepareAll(document);
const fitAll = () => document.querySelectorAll("table[data-prepared]").forEach(fit);
addEventListener("resize", fitAll);
document.addEventListener("htmx:afterSettle", (event) => {
  prepareAll(event.detail.elt.parentElement ?? event.detail.elt);
  goOn();
});
document.addEventListener("toggle", fitAll, true);
