// <fieldset data-chooser>: many checkboxes in groups, with a filter, all, none and the opposite of
// what is shown, and a count; while it is shown and none is chosen, the form's own button is
// disabled.
const boxOf = (row) => row.querySelector("input[type=checkbox]");
const has = (element, text) => element.textContent.toLowerCase().includes(text);

class Chooser {
  #root;
  #rows;

  constructor(root) {
    this.#root = root;
    this.#rows = [...root.querySelectorAll("[data-chooser-row]")];
    const search = root.querySelector("[data-chooser-filter]");
    search.addEventListener("input", () => this.#filter(search.value.trim().toLowerCase()));
    // What is searched for is no part of the choice.
    search.addEventListener("change", (event) => event.stopPropagation());
    search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
    root.addEventListener("change", () => this.#count());
    root.addEventListener("click", ({ target }) => this.#press(target));
    root.form?.addEventListener("htmx:afterSettle", () => this.#count()); // it may be hidden now
    for (const tool of root.querySelectorAll("[data-chooser-tools], [data-chooser-team]")) {
      tool.hidden = false;
    }
    this.#count();
  }

  #count() {
    const chosen = this.#rows.filter((row) => boxOf(row).checked).length;
    const button = this.#root.form?.querySelector("button:not([type], [formaction], .plain)");
    if (button) button.disabled = !chosen && this.#root.checkVisibility();
    const hidden = this.#rows.filter((row) => row.hidden).length;
    const away = hidden ? `, ${hidden} not shown` : "";
    const told = this.#root.querySelector("[data-chooser-count]");
    told.textContent = `${chosen} of ${this.#rows.length} chosen${away}`;
  }

  #filter(text) {
    for (const group of this.#root.querySelectorAll("[data-chooser-group]")) {
      const isTeam = has(group.querySelector("legend").firstChild, text);
      const own = this.#rows.filter((row) => group.contains(row));
      for (const row of own) row.hidden = !isTeam && !has(row, text);
      group.hidden = own.every((row) => row.hidden);
    }
    this.#count();
  }

  #press(target) {
    const { chooserSet, chooserTeam } = target.dataset;
    const shown = this.#rows.filter((row) => !row.hidden);
    if (chooserSet === "invert") this.#set(shown, (row) => !boxOf(row).checked);
    else if (chooserSet) this.#set(shown, () => chooserSet === "all");
    if (chooserTeam === undefined) return;
    const own = shown.filter((row) => target.closest("[data-chooser-group]").contains(row));
    const isWhole = own.every((row) => boxOf(row).checked);
    this.#set(own, () => !isWhole);
  }

  #set(some, isChosen) {
    for (const row of some) boxOf(row).checked = isChosen(row);
    this.#root.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

document.querySelectorAll("[data-chooser]").forEach((root) => new Chooser(root));
