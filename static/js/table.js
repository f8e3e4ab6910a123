// Tables with `data-sortable` are sorted by their headings, unless these are links (`a.sort`) by
// which the server sorts; with `data-filter` (what the field says) they are filtered by words, and
// by kinds (`data-kinds` of a row, in words); with `data-columns` their columns are chosen, and
// remembered on this device. On a phone the first rows of a long one are shown, with a button for
// the rest; what a filter finds is shown whole. What is chosen stays in the address, under the
// table's id, so that a page can be reloaded, refreshed by htmx, and sent to others.
import { element } from "./element.js";
import { columnTools } from "./table/columns.js";
import { addFilter, filter } from "./table/filtering.js";
import { fromAddress, rowsOf, toAddress, words } from "./table/rows.js";
import {
  choose, makeSortable, markSorted, sortAsAddressed, sortedBy, unsort, unsortOnServer,
} from "./table/sorting.js";

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
  const more = element("button", { type: "button", class: "plain more no-print" });
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
  more.addEventListener("click", () => {
    const next = table.querySelector("tr[data-rest] :is(a, button)");
    isOpen = true;
    toAddress(table, "rows", "all");
    foldNow();
    next?.focus();
  });
  table.after(more);
  table.addEventListener("sorted", foldNow);
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

// The select that sorts, on a phone: by the links of the server, or here.
function sortTools(table, headings, isLong) {
  const rows = rowsOf(table);
  const links = headsOf(table).filter((heading) => heading.querySelector("a.sort"));
  if (links.length) {
    const sorted = links.find((heading) => heading.hasAttribute("aria-sort"));
    markSorted(rows, sorted?.cellIndex ?? -1);
    const follow = (heading) => heading.querySelector("a").click();
    const leave = () => unsortOnServer(table, links[0].querySelector("a"));
    return [sortedBy(table, links, follow, leave)];
  }
  if (!isLong || !headings.length) return [];
  const sort = (heading) => choose(table, heading);
  return [sortedBy(table, headings, sort, () => unsort(table, rows))];
}

function numbersOf(table) {
  return headsOf(table).filter((each) => words(each) && each.classList.contains("number"));
}

function prepare(table) {
  const isPrepared = table.dataset.prepared !== undefined;
  if (isPrepared || !table.tHead?.rows.length || table.classList.contains("matrix")) return;
  table.dataset.prepared = "";
  label(table);
  const headings = table.hasAttribute("data-sortable") ? makeSortable(table) : [];
  const tools = element("div", { class: "table-tools no-print" });
  const isLong = rowsOf(table).length >= FROM;
  const isFiltered = isLong && table.dataset.filter;
  if (isFiltered) addFilter(table, tools);
  tools.append(...sortTools(table, headings, isLong));
  if (table.hasAttribute("data-columns")) tools.append(columnTools(table, numbersOf(table), fit));
  if (tools.childElementCount) table.before(tools);
  if (isLong) fold(table, tools);
  sortAsAddressed(table, headings);
  if (isFiltered) filter(table, tools);
  fit(table);
}

// Who types into a filter while the page refreshes itself goes on typing.
let typing = null;
document.addEventListener("htmx:beforeSwap", () => {
  const field = document.activeElement?.closest(".table-tools input[type=search]");
  const table = field?.closest(".table-tools").nextElementSibling;
  typing = table?.id ? { id: table.id, at: field.selectionStart } : null;
});
function typeOn() {
  const tools = typing && document.getElementById(typing.id)?.previousElementSibling;
  const field = tools?.querySelector("input[type=search]");
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(typing.at, typing.at);
  typing = null;
}

const prepareAll = (root) => root.querySelectorAll?.("table").forEach(prepare);
prepareAll(document);
const fitAll = () => document.querySelectorAll("table[data-prepared]").forEach(fit);
addEventListener("resize", fitAll);
document.addEventListener("htmx:afterSettle", (event) => {
  prepareAll(event.detail.elt.parentElement ?? event.detail.elt);
  typeOn();
});
document.addEventListener("toggle", fitAll, true);
