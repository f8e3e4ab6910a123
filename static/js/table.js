// Tables with `data-sortable` are sorted by their headings, unless these are links (`a.sort`) by which the server sorts; with `data-filter` (what the field says) they are filtered by words, and
// by kinds (`data-kinds` of a row, in words); with `data-columns` their columns are chosen, and remembered on this device.
// On a phone the first rows of a long one are shown, with a button for the rest; what a filter finds is shown whole.
// What is chosen stays in the address, under the table's id, so that a page can be reloaded, refreshed by htmx, and sent to others.
import { compare, valueOf } from "./order.js";

const FROM = 20; // rows: fewer are read faster than filtered
const KINDS = 8; // chips: one of more kinds is found sooner by typing
const FIRST = 15; // rows that are shown of them at first, on a phone or of `first-rows`

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

const words = (heading) => (heading.querySelector(".visually-hidden") ? "" : heading.textContent.trim());
// What a column is called in the address: "Uploaded (UTC)" is "Uploaded".
const nameOf = (heading) => words(heading).replace(/ \([^()]*\)$/, "");
const rowsOf = (table) => [...(table.tBodies[0]?.rows ?? [])].filter((row) => row.cells.length === table.tHead.rows[0].cells.length);

// --- the address ---

function fromAddress(table, what) {
  return new URLSearchParams(location.search).get(`${table.id}-${what}`) ?? "";
}

function toAddress(table, what, value) {
  if (!table.id) return;
  const address = new URL(location.href);
  if (value) address.searchParams.set(`${table.id}-${what}`, value);
  else address.searchParams.delete(`${table.id}-${what}`);
  history.replaceState(history.state, "", address);
}

// --- sorting ---

const markSorted = (rows, column) => rows.forEach((row) => [...row.cells].forEach((cell, at) => cell.toggleAttribute("data-sorted", at === column)));

function sort(table, heading, ascending) {
  const column = heading.cellIndex;
  table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const rows = rowsOf(table);
  rows.sort((a, b) => compare(valueOf(a.cells[column]), valueOf(b.cells[column])) * (ascending ? 1 : -1));
  markSorted(rows, column);
  table.tBodies[0].append(...rows);
  table.dispatchEvent(new Event("sorted"));
}

function chosenSort(table, heading, ascending) {
  sort(table, heading, ascending);
  toAddress(table, "sort", (ascending ? "" : "-") + nameOf(heading));
}

const startsAscending = (heading) => !heading.matches(".number, [data-down]");

function choose(table, heading) {
  const was = heading.getAttribute("aria-sort");
  chosenSort(table, heading, was ? was === "descending" : startsAscending(heading));
}

function unsort(table, rows) {
  table.querySelectorAll("[aria-sort]").forEach((heading) => heading.removeAttribute("aria-sort"));
  table.querySelectorAll("[data-sorted]").forEach((cell) => cell.removeAttribute("data-sorted"));
  table.tBodies[0].append(...rows);
  toAddress(table, "sort", "");
  table.dispatchEvent(new Event("sorted"));
}

// Headings that are links lead to the list in another order; without one it comes as it comes.
function unsortOnServer(table, link) {
  const address = new URL(link.href);
  address.searchParams.delete(`${table.id}-sort`);
  location.assign(address);
}

function makeSortable(table) {
  const headings = [...table.tHead.rows[0].cells].filter((heading) => words(heading) && !heading.hasAttribute("data-unsorted"));
  for (const heading of headings) {
    const button = element("button", { type: "button", class: "sort" }, ...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => choose(table, heading));
  }
  return headings;
}

function sortAsAddressed(table, headings) {
  const [, down, name] = fromAddress(table, "sort").match(/^(-?)(.*)$/);
  const heading = headings.find((each) => nameOf(each) === name);
  if (heading) sort(table, heading, !down);
}

// --- on a phone: labels in the cells, and what the rows are sorted by ---

function label(table) {
  const headings = [...table.tHead.rows[0].cells].map(words);
  for (const row of [...rowsOf(table), ...(table.tFoot?.rows ?? [])]) {
    if (row.cells.length !== headings.length) continue;
    [...row.cells].forEach((cell, at) => {
      if (!cell.textContent.trim() && !cell.childElementCount) cell.replaceChildren(); // `:empty`, so that it is not shown
      // A row that is called by a number says of what.
      const isNamed = cell.scope === "row" && !cell.matches(".number");
      // "Judgments: 3", "Judged@10: 89 %": a number that the row is called by, and two that stand beside each other.
      if (!isNamed && headings[at] && !("label" in cell.dataset)) cell.dataset.label = headings[at] + (cell.scope === "row" || /\d$/.test(headings[at]) ? ":" : "");
    });
  }
}

// `sortBy` a heading, the other way round if it is sorted by it already; `leave` the rows as they come.
function sortedBy(table, headings, sortBy, leave) {
  const select = element("select", {}, element("option", { value: "" }, "default order"));
  headings.forEach((heading, at) => select.append(element("option", { value: at }, words(heading))));
  const turn = element("button", { type: "button", class: "plain" });
  const chosen = () => headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
  const say = () => {
    const isDescending = headings[chosen()]?.getAttribute("aria-sort") === "descending";
    select.value = chosen() < 0 ? "" : chosen();
    turn.hidden = chosen() < 0;
    turn.textContent = isDescending ? "▾" : "▴";
    turn.setAttribute("aria-label", isDescending ? "Lowest first" : "Highest first");
  };
  select.addEventListener("change", () => (select.value ? sortBy(headings[Number(select.value)]) : leave()));
  turn.addEventListener("click", () => sortBy(headings[chosen()]));
  table.addEventListener("sorted", say);
  say();
  return element("div", { class: "sorted-by" }, element("label", {}, "Sort by", select), turn);
}

// --- filtering ---

function filter(table, tools) {
  const sought = tools.querySelector("input")?.value.trim().toLowerCase() ?? "";
  const kind = tools.querySelector("[data-kind][aria-pressed=true]")?.dataset.kind ?? "";
  const rows = rowsOf(table);
  let n = 0;
  for (const row of rows) {
    const fits = (!kind || row.dataset.kinds?.split(",").includes(kind)) && row.textContent.toLowerCase().includes(sought);
    row.toggleAttribute("data-hidden", !fits);
    n += fits;
  }
  table.toggleAttribute("data-hidden", !n);
  tools.querySelector(".none")?.remove();
  if (!n) tools.append(none(tools, rows.length, kind));
  table.dispatchEvent(new Event("filtered"));
  tools.querySelector(".count").textContent = n === rows.length ? `${n} rows` : `${n} of ${rows.length} rows`;
  toAddress(table, "find", sought);
  toAddress(table, "kind", kind);
  // A link in the head or the caption sorts on the server: the filter goes along.
  for (const link of table.querySelectorAll("thead a, caption a")) {
    const to = new URL(link.href);
    for (const [what, value] of [["find", sought], ["kind", kind]]) {
      if (value) to.searchParams.set(`${table.id}-${what}`, value);
      else to.searchParams.delete(`${table.id}-${what}`);
    }
    link.href = to;
  }
}

// What stands in place of a table of which a filter leaves nothing.
function none(tools, n, kind) {
  const all = element("button", { type: "button", class: "plain" }, "Show all");
  all.addEventListener("click", () => {
    const field = tools.querySelector("input");
    field.value = "";
    field.focus();
    if (kind) tools.querySelector("[data-kind='']").click();
    else field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return element("p", { class: "none" }, `None of the ${n} rows matches. `, all);
}

function filterTools(table) {
  const kinds = new Map();
  rowsOf(table).forEach((row) => row.dataset.kinds?.split(",").filter(Boolean).forEach((kind) => kinds.set(kind, (kinds.get(kind) ?? 0) + 1)));
  const field = element("input", { type: "search", placeholder: table.dataset.filter, "aria-label": table.dataset.filter });
  field.value = fromAddress(table, "find");
  const tools = [field];
  kinds.forEach((n, kind) => n === rowsOf(table).length && kinds.delete(kind)); // a filter that changes nothing
  if (kinds.size && kinds.size <= KINDS) {
    const chosen = fromAddress(table, "kind");
    const chip = (kind, text, n) => element("button", { type: "button", class: "chip", "data-kind": kind, "aria-pressed": kind === chosen }, text, element("b", {}, n));
    tools.push(element("span", { class: "chips" }, chip("", "All", rowsOf(table).length), ...[...kinds].map(([kind, n]) => chip(kind, kind[0].toUpperCase() + kind.slice(1), n))));
  }
  return [...tools, element("span", { class: "count", role: "status" })];
}

// --- columns ---

function columnTools(table, headings) {
  const key = `columns:${table.id}`;
  const hidden = new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
  const show = () => {
    const at = new Set(headings.filter((each) => hidden.has(words(each))).map((each) => each.cellIndex));
    for (const row of table.rows) [...row.cells].forEach((cell, index) => cell.toggleAttribute("data-hidden", at.has(index)));
    fit(table);
  };
  const remember = () => {
    localStorage.setItem(key, JSON.stringify([...hidden]));
    show();
  };
  const hide = (heading, box) => {
    if (box.checked) hidden.delete(words(heading));
    else hidden.add(words(heading));
  };
  const boxes = headings.map((heading) => {
    const box = element("input", { type: "checkbox" });
    box.checked = !hidden.has(words(heading));
    box.addEventListener("change", () => {
      hide(heading, box);
      remember();
    });
    return box;
  });
  const all = (text, isShown) => {
    const button = element("button", { type: "button", class: "plain" }, text);
    button.addEventListener("click", () => {
      boxes.forEach((box, at) => {
        box.checked = isShown;
        hide(headings[at], box);
      });
      remember();
    });
    return button;
  };
  show();
  const labels = boxes.map((box, at) => element("label", {}, box, words(headings[at])));
  const both = element("p", {}, all("All", true), all("None", false));
  return element("details", { class: "choose" }, element("summary", {}, "Columns"), element("div", {}, both, ...labels));
}

// A menu that is open closes when something else is pressed, or Escape.
const closeMenus = (except) => document.querySelectorAll("details.choose[open]").forEach((menu) => menu.contains(except) || menu.removeAttribute("open"));
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => event.key === "Escape" && closeMenus(null));

// --- on a phone: the first rows ---

function fold(table, tools) {
  const more = element("button", { type: "button", class: "plain more no-print" });
  let isOpen = fromAddress(table, "rows") === "all";
  const foldNow = () => {
    const isFiltered = tools.querySelector("input[type=search]")?.value.trim() || tools.querySelector("[data-kind][aria-pressed=true]")?.dataset.kind;
    const rest = isFiltered || isOpen ? [] : rowsOf(table).slice(FIRST).filter((row) => !row.hasAttribute("data-own") && !row.querySelector(".errors"));
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

// --- all of it ---

// A head can stay on the screen only over a table that its card holds whole.
function fit(table) {
  const wrap = table.closest(".table-wrap");
  if (!wrap) return;
  wrap.toggleAttribute("data-fits", false);
  wrap.toggleAttribute("data-fits", table.offsetWidth <= wrap.clientWidth);
}

function prepare(table) {
  if (table.dataset.prepared !== undefined || !table.tHead?.rows.length || table.classList.contains("matrix")) return;
  table.dataset.prepared = "";
  label(table);
  const headings = table.hasAttribute("data-sortable") ? makeSortable(table) : [];
  const tools = element("div", { class: "table-tools no-print" });
  const isLong = rowsOf(table).length >= FROM;
  if (isLong && table.dataset.filter) {
    tools.append(...filterTools(table));
    tools.addEventListener("input", (event) => event.target.type === "search" && filter(table, tools));
    tools.addEventListener("click", (event) => {
      const chip = event.target.closest("[data-kind]");
      if (!chip) return;
      tools.querySelectorAll("[data-kind]").forEach((each) => each.setAttribute("aria-pressed", each === chip));
      filter(table, tools);
    });
  }
  const links = [...table.tHead.rows[0].cells].filter((heading) => heading.querySelector("a.sort"));
  const asTheyCame = rowsOf(table);
  if (links.length) {
    tools.append(sortedBy(table, links, (heading) => heading.querySelector("a").click(), () => unsortOnServer(table, links[0].querySelector("a"))));
    markSorted(asTheyCame, links.find((heading) => heading.hasAttribute("aria-sort"))?.cellIndex ?? -1);
  } else if (isLong && headings.length) {
    tools.append(sortedBy(table, headings, (heading) => choose(table, heading), () => unsort(table, asTheyCame)));
  }
  if (table.hasAttribute("data-columns")) {
    const chosen = [...table.tHead.rows[0].cells].filter((each) => words(each) && each.classList.contains("number"));
    tools.append(columnTools(table, chosen));
  }
  if (tools.childElementCount) table.before(tools);
  if (isLong) fold(table, tools);
  sortAsAddressed(table, headings);
  if (tools.querySelector(".count")) filter(table, tools);
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
  const field = typing && document.getElementById(typing.id)?.previousElementSibling?.querySelector("input[type=search]");
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
