// The columns that are shown, as this device remembers.
import { button, element } from "../element.js";
import { words } from "./rows.js";

// `fit` is called once the columns have changed.
export function columnTools(table, headings, fit) {
  const key = `columns:${table.id}`;
  const hidden = new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
  const columns = headings.map((heading) => {
    const box = element("input", { type: "checkbox" });
    box.checked = !hidden.has(words(heading));
    box.addEventListener("change", remember);
    return { heading, box };
  });
  function show() {
    const away = headings.filter((heading) => hidden.has(words(heading)));
    const at = new Set(away.map((heading) => heading.cellIndex));
    for (const row of table.rows) {
      for (const cell of row.cells) cell.toggleAttribute("data-hidden", at.has(cell.cellIndex));
    }
    fit(table);
  }
  function remember() {
    for (const { heading, box } of columns) hidden[box.checked ? "delete" : "add"](words(heading));
    localStorage.setItem(key, JSON.stringify([...hidden]));
    show();
  }
  const all = (text, isShown) => button(text, () => {
    for (const { box } of columns) box.checked = isShown;
    remember();
  });
  show();
  const labels = columns.map(({ heading, box }) => element("label", {}, box, words(heading)));
  const both = element("p", {}, all("All", true), all("None", false));
  const menu = element("div", {}, both, ...labels);
  return element("details", { class: "choose" }, element("summary", {}, "Columns"), menu);
}

// A menu that is open closes when something else is pressed, or Escape.
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.choose[open]")) {
    if (!menu.contains(except)) menu.removeAttribute("open");
  }
}
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") closeMenus(null); });
