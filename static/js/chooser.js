// <section data-chooser>: many checkboxes in teams, each with a box for all of it, squares and a
// count; a filter, buttons that choose of what is shown what their selector matches, and a total.
// While it is shown and none is chosen, the form's own button is disabled.
const FEW = 24; // boxes: all teams stand open
const has = (element, text) => element.textContent.toLowerCase().includes(text);

class Team {
  constructor(root) {
    this.root = root;
    this.whole = root.querySelector(":scope > input");
    this.whole.hidden = false;
    this.details = root.querySelector("details");
    this.boxes = [...root.querySelectorAll("[name]")];
    this.squares = [...root.querySelectorAll("i")];
    this.whole.addEventListener("change", () => {
      for (const box of this.boxes.filter(isShown)) box.checked = this.whole.checked;
    });
  }

  get chosen() {
    return this.boxes.filter((box) => box.checked).length;
  }

  get isPart() {
    return this.chosen > 0 && this.chosen < this.boxes.length;
  }

  count() {
    this.whole.checked = this.chosen === this.boxes.length;
    this.whole.indeterminate = this.isPart;
    this.boxes.forEach((box, n) => this.squares[n].toggleAttribute("data-on", box.checked));
    const told = this.root.querySelector("[data-chooser-part]");
    told.textContent = `${this.chosen} of ${this.boxes.length}`;
  }

  filter(text) {
    const isNamed = has(this.details.querySelector("summary b"), text);
    for (const { parentElement: label } of this.boxes) label.hidden = !isNamed && !has(label, text);
    this.root.hidden = !this.boxes.some(isShown);
  }
}

const isShown = (box) => !box.parentElement.hidden;

class Chooser {
  #root;
  #form;
  #teams;
  #boxes;
  #text = "";

  constructor(root) {
    this.#root = root;
    this.#form = root.closest("form");
    this.#teams = [...root.querySelectorAll("[data-chooser-team]")].map((each) => new Team(each));
    this.#boxes = this.#teams.flatMap((team) => team.boxes);
    const search = root.querySelector("[data-chooser-filter]");
    search.addEventListener("input", () => this.#filter(search.value.trim().toLowerCase()));
    // What is searched for is no part of the choice.
    search.addEventListener("change", (event) => event.stopPropagation());
    search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
    this.#form.addEventListener("change", () => this.#count());
    root.addEventListener("click", ({ target }) => this.#press(target.dataset.chooserSet));
    root.querySelector("[data-chooser-tools]").hidden = false;
    this.#count();
  }

  #count() {
    for (const team of this.#teams) team.count();
    const chosen = this.#boxes.filter((box) => box.checked).length;
    const button = this.#form.querySelector("button:not([type], [formaction], .plain)");
    button.disabled = !chosen && this.#root.checkVisibility(); // a recipe may read no run
    const hidden = this.#boxes.filter((box) => !isShown(box)).length;
    const away = hidden ? `, ${hidden} not shown` : "";
    const told = this.#root.querySelector("[data-chooser-count]");
    told.textContent = `${chosen} of ${this.#boxes.length}${away}`;
    for (const each of this.#root.querySelectorAll("[data-chooser-set]")) {
      const is = this.#boxes.every((box) => box.checked === box.matches(each.dataset.chooserSet));
      each.setAttribute("aria-pressed", is);
    }
  }

  #filter(text) {
    this.#text = text;
    for (const team of this.#teams) team.filter(text);
    this.#open();
    this.#count();
  }

  // What is searched for is seen.
  #open() {
    const all = this.#boxes.length <= FEW;
    for (const team of this.#teams) team.details.open = all || team.isPart || this.#text !== "";
  }

  #press(selector) {
    if (!selector) return;
    for (const box of this.#boxes.filter(isShown)) box.checked = box.matches(selector);
    this.#open();
    this.#root.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

document.querySelectorAll("[data-chooser]").forEach((root) => new Chooser(root));
