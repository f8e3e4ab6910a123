// The scale of grades as rows: what is typed in them is written into the field, one grade a line, and the level into its own.
// A scale in use keeps its values and labels. Without this script the field itself is filled in.
const PRESETS = {
  "Yes or no": [[0, "not relevant"], [1, "relevant"]],
  "0 to 2": [[0, "not relevant"], [1, "relevant"], [2, "highly relevant"]],
  "0 to 3": [[0, "not relevant"], [1, "partly relevant"], [2, "relevant"], [3, "highly relevant"]],
  "−2 to 4, as TREC Web": [[-2, "junk"], [0, "not relevant"], [1, "relevant"], [2, "highly relevant"], [3, "key"], [4, "navigational"]],
};
const LOWEST = -2;
const HIGHEST = 9;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

const swatch = (value) => element("span", { class: "grade", "data-grade": value }, element("span", { class: "swatch" }));
const shown = (value) => String(value).replace("-", "\u2212");

function read(field) {
  const grades = field.value.split("\n").filter((line) => line.trim()).map((line) => {
    const [value, label = "", ...description] = line.split("|").map((each) => each.trim());
    return { value: Number(value.replace("\u2212", "-")), label, description: description.join("|") };
  });
  return grades.every(isPossible) ? grades : null;
}

const isPossible = ({ value }) => Number.isInteger(value) && value >= LOWEST && value <= HIGHEST;

function edit(box) {
  const field = box.querySelector("[name=grades]");
  const level = box.querySelector("[name=level]");
  const isFixed = box.dataset.fixed === "yes";
  let grades = read(field);
  if (!grades || !level) return;
  const rows = element("div", { class: "scale-rows", role: "list", "aria-label": "Grades, the highest first" });
  const presets = new Map();
  const preview = element("div", { class: "buttons-preview" });

  function changed() {
    const now = JSON.stringify(grades.map((grade) => [grade.value, grade.label]));
    presets.forEach((button, name) => button.setAttribute("aria-pressed", now === JSON.stringify(PRESETS[name])));
    field.value = grades.map((grade) => `${grade.value} | ${grade.label} | ${grade.description}`).join("\n");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    preview.replaceChildren("What assessors will see", element("span", {}, ...[...grades].map((grade) => element("b", {}, swatch(grade.value), element("kbd", {}, shown(grade.value)), grade.label))));
  }

  function row(grade) {
    const input = (name, what, max) => {
      const made = element("input", { class: name, "aria-label": `${what} of grade ${shown(grade.value)}`, maxlength: max });
      made.value = grade[name];
      made.readOnly = isFixed && name === "label";
      made.addEventListener("input", () => { grade[name] = made.value.replaceAll("|", "/"); changed(); });
      return made;
    };
    const remove = element("button", { type: "button", class: "remove", "aria-label": `Remove grade ${shown(grade.value)}` }, "×");
    remove.disabled = isFixed || grades.length < 3;
    remove.addEventListener("click", () => { grades = grades.filter((each) => each !== grade); draw(); });
    return element("div", { class: "row", role: "listitem" }, element("kbd", {}, shown(grade.value)), swatch(grade.value), input("label", "Label", 60), input("description", "Description", 300), remove);
  }

  function move(step) {
    const possible = grades.map((grade) => grade.value).filter((each) => each >= 1).sort((a, b) => a - b);
    const at = possible.indexOf(Number(level.value)) + step;
    if (at in possible) { level.value = possible[at]; draw(); }
  }

  function line() {
    const button = (text, label, step) => {
      const made = element("button", { type: "button", "aria-label": label }, text);
      made.addEventListener("click", () => move(step));
      return made;
    };
    return element("div", { class: "level-line", role: "listitem" }, "relevant from here up", button("▲", "Raise the level", 1), button("▼", "Lower the level", -1));
  }

  function draw() {
    grades.sort((a, b) => a.value - b.value);
    const values = grades.map((grade) => grade.value).filter((each) => each >= 1);
    if (values.length && !values.includes(Number(level.value))) level.value = Math.min(...values);
    rows.replaceChildren();
    for (const grade of [...grades].reverse()) {
      rows.append(row(grade));
      if (grade.value === Number(level.value)) rows.append(line());
    }
    changed();
  }

  function preset(name) {
    const made = element("button", { type: "button" }, name);
    presets.set(name, made);
    made.addEventListener("click", () => { grades = PRESETS[name].map(([value, label]) => ({ value, label, description: "" })); level.value = 1; draw(); });
    return made;
  }

  const tools = element("div", { class: "scale-tools" });
  if (!isFixed) {
    const add = element("button", { type: "button", class: "plain" }, "Add a grade");
    add.addEventListener("click", () => {
      const next = Math.max(...grades.map((grade) => grade.value)) + 1;
      if (next <= HIGHEST) { grades.push({ value: next, label: "", description: "" }); draw(); rows.querySelector(".label").focus(); }
    });
    box.prepend(element("div", { class: "segments", role: "group", "aria-label": "Start from" }, ...Object.keys(PRESETS).map(preset)));
    tools.append(add);
  }
  box.append(rows, tools, preview);
  box.dataset.rows = "";
  const stored = field.value;
  draw();
  field.value = stored;
}

document.querySelectorAll("[data-scale]").forEach(edit);
