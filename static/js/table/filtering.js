// A field that filters the rows by words, and chips by their kinds (`data-kinds`).
import { button, element } from "../element.js";
import { fromAddress, rowsOf, toAddress } from "./rows.js";

const KINDS = 8; // chips: one of more kinds is found sooner by typing

export function filter(table, tools) {
  const sought = tools.querySelector("input")?.value.trim().toLowerCase() ?? "";
  const kind = tools.querySelector("[data-kind][aria-pressed=true]")?.dataset.kind ?? "";
  const rows = rowsOf(table);
  let n = 0;
  for (const row of rows) {
    const fits =
      (!kind || row.dataset.kinds?.split(",").includes(kind)) &&
      row.textContent.toLowerCase().includes(sought);
    row.toggleAttribute("data-hidden", !fits);
    n += fits;
  }
  table.toggleAttribute("data-hidden", !n);
  table.toggleAttribute("data-found", Boolean(sought || kind));
  tools.querySelector(".none")?.remove();
  if (!n) tools.append(none(tools, rows.length, kind));
  table.dispatchEvent(new Event("filtered"));
  tools.querySelector(".count").textContent =
    n === rows.length ? `${n} rows` : `${n} of ${rows.length} rows`;
  toAddress(table, "find", sought);
  toAddress(table, "kind", kind);
}

// What stands in place of a table of which a filter leaves nothing.
function none(tools, n, kind) {
  const all = button("Show all", () => {
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
  const kindsOf = ({ dataset }) => dataset.kinds?.split(",").filter(Boolean) ?? [];
  for (const kind of rowsOf(table).flatMap(kindsOf)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const { id, dataset: { filter: says } } = table;
  const named = { id: `${id}-found-by`, placeholder: says, "aria-label": says };
  const field = element("input", { type: "search", ...named });
  field.value = fromAddress(table, "find");
  const tools = [field];
  // A kind of every row filters nothing.
  kinds.forEach((n, kind) => n === rowsOf(table).length && kinds.delete(kind));
  if (kinds.size && kinds.size <= KINDS) {
    const chosen = fromAddress(table, "kind");
    const all = [["", rowsOf(table).length], ...kinds].map(([kind, n]) => {
      const said = { class: "chip", "data-kind": kind, "aria-pressed": kind === chosen };
      const name = kind ? kind[0].toUpperCase() + kind.slice(1) : "All";
      return element("button", { type: "button", ...said }, name, element("b", {}, n));
    });
    tools.push(element("span", { class: "chips" }, ...all));
  }
  return [...tools, element("span", { class: "count", role: "status" })];
}

export function addFilter(table, tools) {
  tools.append(...filterTools(table));
  tools.addEventListener("input", ({ target }) => {
    if (target.matches("[type=search]")) filter(table, tools);
  });
  tools.addEventListener("click", ({ target }) => {
    const chip = target.closest("[data-kind]");
    if (!chip) return;
    for (const each of tools.querySelectorAll("[data-kind]")) {
      each.setAttribute("aria-pressed", each === chip);
    }
    filter(table, tools);
  });
}
