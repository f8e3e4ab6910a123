// Classes below the first of a long board are folded to their lines; a button opens one. Which are
// open stays in the address. What a filter finds is shown, folded or not.
import { fromAddress, rowsOf, toAddress } from "./rows.js";

export function foldClasses(table) {
  const open = new Set(fromAddress(table, "open").split(",").filter(Boolean));
  const buttons = [...table.querySelectorAll("[data-unfold]")];
  const texts = new Map(buttons.map((each) => [each, each.textContent]));
  const show = () => {
    for (const row of rowsOf(table)) {
      const isOpen = !row.dataset.folded || open.has(row.dataset.folded);
      row.toggleAttribute("data-away", !isOpen);
    }
    for (const each of buttons) {
      const isOpen = open.has(each.dataset.unfold);
      each.hidden = false;
      each.setAttribute("aria-expanded", isOpen);
      each.textContent = isOpen ? "Fold" : texts.get(each);
    }
  };
  table.addEventListener("click", ({ target }) => {
    const number = target.closest("[data-unfold]")?.dataset.unfold;
    if (!number) return;
    if (!open.delete(number)) open.add(number);
    toAddress(table, "open", [...open].join(","));
    show();
  });
  show();
}
