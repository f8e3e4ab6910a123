// Rows of fields, added and removed: grades, criteria and their answers. Without this script blank
// rows are there to be filled in.
import { button, element } from "./element.js";

// Each with its relevant grades from 1 on.
const PRESETS = {
  "Yes or no": [[0, "not relevant"], [1, "relevant"]],
  "0 to 2": [[0, "not relevant"], [1, "relevant"], [2, "highly relevant"]],
  "0 to 3": [[0, "not relevant"], [1, "partly relevant"], [2, "relevant"], [3, "highly relevant"]],
  "−2 to 4, as TREC Web": [
    [-2, "junk"], [0, "not relevant"], [1, "relevant"], [2, "highly relevant"], [3, "key"],
    [4, "navigational"],
  ],
};
const NUMBERED = ["name", "id", "for", "aria-describedby", "data-rows"];
const TYPED = "input:not([type=hidden], [type=checkbox])";

const field = (row, name) => row.querySelector(`[name$="-${name}"]`);
const isBlank = (row) =>
  !("fixed" in row.dataset) && [...row.querySelectorAll(TYPED)].every(({ value }) => !value);

class Rows {
  #box;
  #add;
  #blank; // to be copied

  constructor(box) {
    this.#box = box;
    const { add } = box.dataset;
    const blank = this.rows.filter((row) => isBlank(row) && !row.querySelector(".errors"));
    if (blank.length) {
      this.#blank = blank.at(-1).cloneNode(true);
      this.#add = button(add, () => this.added().querySelector(TYPED).focus());
      box.after(element("p", {}, this.#add));
      if (blank.length < this.rows.length || !box.closest("[data-row]"))
        for (const row of blank) row.remove();
    }
    for (const row of this.rows) this.#offerRemoval(row);
    box.addEventListener("input", () => this.#draw());
    this.#draw();
  }

  // What stands in the rows, as presets have it.
  get said() {
    const read = (row) => [Number(field(row, "value").value), field(row, "label").value];
    return JSON.stringify(this.rows.map(read));
  }

  get rows() { return [...this.#box.querySelectorAll(":scope > [data-row]")]; }

  #number(row) {
    const { name } = row.querySelector("[name]");
    return Number(name.slice(this.#box.dataset.rows.length + 1).split("-", 1)[0]);
  }

  added() {
    const { rows: prefix } = this.#box.dataset;
    const row = this.#blank.cloneNode(true);
    const first = this.#number(row);
    const next = Math.max(first, ...this.rows.map((each) => this.#number(each) + 1));
    const [old, renamed] = [first, next].map((n) => `${prefix}-${n}-`);
    for (const each of row.querySelectorAll("*"))
      for (const name of NUMBERED)
        if (each.hasAttribute(name))
          each.setAttribute(name, each.getAttribute(name).replace(old, renamed));
    const value = field(row, "value");
    const values = this.rows.map((each) => Number(field(each, "value")?.value));
    this.#box.append(row);
    this.#offerRemoval(row);
    for (const inner of row.querySelectorAll("[data-rows]")) new Rows(inner).number();
    if (!row.matches("fieldset")) value.value = Math.max(-1, ...values) + 1;
    this.#changed();
    return row;
  }

  // The values of new answers.
  number() {
    for (const [n, row] of this.rows.entries()) field(row, "value").value = n;
    this.#draw();
  }

  fill(answers) {
    for (const row of this.rows) row.remove();
    for (const [value, label] of answers) {
      const row = this.added();
      [field(row, "value").value, field(row, "label").value] = [value, label];
    }
    this.#changed();
  }

  #offerRemoval(row) {
    if ("fixed" in row.dataset || "fixed" in this.#box.dataset || !this.#blank) return;
    const remove = () => {
      const place = this.rows.indexOf(row);
      row.remove();
      (this.rows[place]?.querySelector(TYPED) ?? this.#add).focus();
      this.#changed();
    };
    row.append(button("×", remove, { class: "remove" }));
  }

  #changed() { this.#box.dispatchEvent(new Event("input", { bubbles: true })); }

  #draw() {
    for (const row of this.rows) {
      const isAnswer = !row.matches("fieldset");
      if (isAnswer) row.querySelector(".grade").dataset.grade = field(row, "value").value;
      const said = (isAnswer ? ["value", "label"] : ["name"]).map((name) => field(row, name).value);
      const remove = row.querySelector(":scope > .remove");
      if (remove) remove.ariaLabel = ["Remove", ...said].join(" ").trim();
    }
  }
}

// Scales to begin with.
function offer(box, rows) {
  const presets = Object.entries(PRESETS).map(([name, answers]) => {
    const made = button(name, () => {
      rows.fill(answers);
      field(box.closest("form"), "level").value = 1;
    }, { class: "" });
    const mark = () => { made.ariaPressed = String(rows.said === JSON.stringify(answers)); };
    box.addEventListener("input", mark);
    mark();
    return made;
  });
  const attributes = { class: "segments", role: "group", "aria-label": "Start from" };
  box.before(element("div", attributes, ...presets));
}

for (const box of document.querySelectorAll("[data-rows]")) {
  if (!box.isConnected) continue; // of a row that was blank
  const rows = new Rows(box);
  if ("presets" in box.dataset && !("fixed" in box.dataset)) offer(box, rows);
}
