// The scale of grades as rows: what is typed in them is written into the field, one grade a line,
// and the level into its own. A scale in use keeps its values and labels. Without this script the
// field itself is filled in.
import { button, element } from "./element.js";

const PRESETS = {
  "Yes or no": [[0, "not relevant"], [1, "relevant"]],
  "0 to 2": [[0, "not relevant"], [1, "relevant"], [2, "highly relevant"]],
  "0 to 3": [[0, "not relevant"], [1, "partly relevant"], [2, "relevant"], [3, "highly relevant"]],
  "−2 to 4, as TREC Web": [
    [-2, "junk"], [0, "not relevant"], [1, "relevant"], [2, "highly relevant"], [3, "key"],
    [4, "navigational"],
  ],
};
const LOWEST = -2;
const HIGHEST = 9;

const shown = (value) => String(value).replace("-", "\u2212");
const isPossible = ({ value }) => Number.isInteger(value) && value >= LOWEST && value <= HIGHEST;

function swatch(value) {
  const color = element("span", { class: "swatch" });
  return element("span", { class: "grade", "data-grade": value }, color);
}

// The grades of a field, unless what it holds is none yet.
function read(field) {
  const lines = field.value.split("\n").filter((line) => line.trim());
  const grades = lines.map((line) => {
    const [value, label = "", ...description] = line.split("|").map((each) => each.trim());
    const number = Number(value.replace("\u2212", "-"));
    return { value: number, label, description: description.join("|") };
  });
  return grades.every(isPossible) ? grades : null;
}

class Editor {
  #field;
  #level;
  #isFixed;
  #grades;
  #rows = element("div", {
    class: "scale-rows", role: "list", "aria-label": "Grades, the highest first",
  });
  #presets = new Map();
  #preview = element("div", { class: "buttons-preview" });

  constructor(box, field, level, grades) {
    this.#field = field;
    this.#level = level;
    this.#grades = grades;
    this.#isFixed = box.dataset.fixed === "yes";
    const tools = element("div", { class: "scale-tools" });
    if (!this.#isFixed) {
      const attributes = { class: "segments", role: "group", "aria-label": "Start from" };
      const presets = Object.keys(PRESETS).map((name) => this.#preset(name));
      box.prepend(element("div", attributes, ...presets));
      tools.append(button("Add a grade", () => this.#add()));
    }
    box.append(this.#rows, tools, this.#preview);
    box.dataset.rows = "";
    const stored = field.value;
    this.#draw();
    field.value = stored;
  }

  #changed() {
    const said = JSON.stringify(this.#grades.map(({ value, label }) => [value, label]));
    for (const [name, preset] of this.#presets) {
      preset.setAttribute("aria-pressed", said === JSON.stringify(PRESETS[name]));
    }
    const lines = this.#grades.map((each) => `${each.value} | ${each.label} | ${each.description}`);
    this.#field.value = lines.join("\n");
    this.#field.dispatchEvent(new Event("input", { bubbles: true }));
    const buttons = this.#grades.map(({ value, label }) =>
      element("b", {}, swatch(value), element("kbd", {}, shown(value)), label));
    this.#preview.replaceChildren("What assessors will see", element("span", {}, ...buttons));
  }

  #row(grade) {
    const name = shown(grade.value);
    const remove = button("×", () => {
      this.#grades = this.#grades.filter((each) => each !== grade);
      this.#draw();
    }, { class: "remove", "aria-label": `Remove grade ${name}` });
    remove.disabled = this.#isFixed || this.#grades.length < 3;
    const fields = [this.#input(grade, "label", 60), this.#input(grade, "description", 300)];
    const head = [element("kbd", {}, name), swatch(grade.value)];
    return element("div", { class: "row", role: "listitem" }, ...head, ...fields, remove);
  }

  #input(grade, name, maxlength) {
    const what = name === "label" ? "Label" : "Description";
    const said = `${what} of grade ${shown(grade.value)}`;
    const made = element("input", { class: name, "aria-label": said, maxlength });
    made.value = grade[name];
    made.readOnly = this.#isFixed && name === "label";
    made.addEventListener("input", () => {
      grade[name] = made.value.replaceAll("|", "/");
      this.#changed();
    });
    return made;
  }

  // The values that may be the lowest relevant one, in their order.
  get #levels() {
    const values = this.#grades.map(({ value }) => value);
    return values.filter((value) => value >= 1).sort((a, b) => a - b);
  }

  #move(step) {
    const at = this.#levels.indexOf(Number(this.#level.value)) + step;
    if (!(at in this.#levels)) return;
    this.#level.value = this.#levels[at];
    this.#draw();
  }

  #line() {
    const move = (text, label, step) => (
      button(text, () => this.#move(step), { class: "", "aria-label": label }));
    const moves = [move("▲", "Raise the level", 1), move("▼", "Lower the level", -1)];
    const attributes = { class: "level-line", role: "listitem" };
    return element("div", attributes, "relevant from here up", ...moves);
  }

  #draw() {
    this.#grades.sort((a, b) => a.value - b.value);
    const level = Number(this.#level.value);
    if (this.#levels.length && !this.#levels.includes(level)) [this.#level.value] = this.#levels;
    this.#rows.replaceChildren();
    for (const grade of [...this.#grades].reverse()) {
      this.#rows.append(this.#row(grade));
      if (grade.value === Number(this.#level.value)) this.#rows.append(this.#line());
    }
    this.#changed();
  }

  #preset(name) {
    const made = button(name, () => {
      this.#grades = PRESETS[name].map(([value, label]) => ({ value, label, description: "" }));
      this.#level.value = 1;
      this.#draw();
    }, { class: "" });
    this.#presets.set(name, made);
    return made;
  }

  #add() {
    const value = Math.max(...this.#grades.map((grade) => grade.value)) + 1;
    if (value > HIGHEST) return;
    this.#grades.push({ value, label: "", description: "" });
    this.#draw();
    this.#rows.querySelector(".label").focus();
  }
}

document.querySelectorAll("[data-scale]").forEach((box) => {
  const [field, level] = ["grades", "level"].map((name) => box.querySelector(`[name=${name}]`));
  const grades = read(field);
  return grades && level && new Editor(box, field, level, grades);
});
