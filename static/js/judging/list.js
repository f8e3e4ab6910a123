// The list of one's documents beside the one on the screen: where a mind is changed. It is drawn
// only while it is open.
import { counted, element } from "./elements.js";
import { isOpen } from "./queue.js";

const STATES = { later: "Later", cannot_judge: "Cannot judge", reopened: "Reopened" };

export class List {
  #aside;
  #filter = "all";
  #rows = new Map(); // of a number: its row and what it says
  #shown; // the queue and the entry on the screen

  constructor(aside) {
    this.#aside = aside;
    aside.addEventListener("pane", () => this.#draw());
    aside.querySelector(".chips").addEventListener("click", (event) => {
      const chip = event.target.closest("button");
      if (!chip) return;
      this.#filter = chip.value;
      this.#draw();
      aside.querySelector(`.chips button[value="${chip.value}"]`)?.focus();
    });
  }

  show(queue, entry) {
    const isAnother = this.#shown?.entry !== entry;
    this.#shown = { queue, entry };
    this.#draw(isAnother);
  }

  #draw(isAnother = true) {
    if (this.#aside.hidden || !this.#shown) return;
    const entries = [...this.#shown.queue.entries()];
    this.#chips(entries);
    const is = filters(entries).find(({ value }) => value === this.#filter)?.is ?? (() => true);
    const rows = entries.filter((entry) => is(entry)).map((entry) => this.#row(entry));
    const list = this.#aside.querySelector("ol");
    if (rows.length !== list.childElementCount || rows.some((row, at) => row !== list.children[at]))
      list.replaceChildren(...rows);
    if (isAnother) list.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  #chips(entries) {
    const chips = filters(entries).map(({ value, words = "", grade = "", n }) => {
      const chip = element("button", "", "chip");
      Object.assign(chip, { type: "button", value });
      chip.ariaPressed = String(value === this.#filter);
      chip.append(...(grade ? [gradeMark(grade)] : [words]), " ", element("b", counted(n)));
      if (grade) chip.title = `Grade ${grade}`;
      const what = grade ? `Grade ${grade}` : words;
      chip.ariaLabel = `${what}, ${counted(n)} ${n === 1 ? "document" : "documents"}`;
      const item = element("li");
      item.append(chip);
      return item;
    });
    this.#aside.querySelector(".chips").replaceChildren(...chips);
  }

  #row(entry) {
    const isCurrent = entry === this.#shown.entry;
    const says = JSON.stringify([
      entry.state,
      entry.grade,
      entry.comment !== "",
      entry.last !== null,
      entry.by,
      entry.docno,
      isCurrent,
    ]);
    const drawn = this.#rows.get(entry.number);
    if (drawn?.says === says) return drawn.row;
    const row = drawn?.row ?? element("li");
    row.replaceChildren(link(entry, isCurrent));
    this.#rows.set(entry.number, { row, says });
    return row;
  }
}

// What the list can be narrowed to: those that hold for a document at least, and the one that is
// chosen.
function filters(entries) {
  const grades = [...new Set(entries.map(({ grade }) => grade))]
    .filter((grade) => grade !== null)
    .sort((one, other) => other - one);
  /** @type {Filter[]} */
  const all = [
    { value: "all", words: "All", is: () => true },
    { value: "open", words: "Open", is: (entry) => isOpen(entry) && !entry.by },
    ...grades.map((grade) => ({
      value: String(grade),
      grade: String(grade),
      is: (entry) => entry.grade === grade,
    })),
    ...Object.entries(STATES).map(([value, words]) => ({
      value,
      words,
      is: (entry) => entry.state === value,
    })),
    { value: "commented", words: "Commented", is: (entry) => entry.comment !== "" },
    { value: "before", words: "Judged before you", is: (entry) => entry.by !== "" },
  ];
  const counts = all.map((each) => ({ ...each, n: entries.filter(each.is).length }));
  return counts.filter(({ value, n }) => n || ["all", "open"].includes(value));
}

function gradeMark(grade) {
  const mark = element("span", "", "grade");
  mark.dataset.grade = grade;
  const swatch = element("span", "", "swatch");
  swatch.ariaHidden = "true";
  mark.append(swatch, grade.replace("-", "−"));
  return mark;
}

function link(entry, isCurrent) {
  const made = element("a");
  made.href = `?number=${entry.number}`;
  if (isCurrent) made.ariaCurrent = "true";
  const mark = element(
    "span",
    entry.grade === null ? "" : String(entry.grade).replace("-", "−"),
    "own-mark",
  );
  if (entry.grade !== null) mark.dataset.grade = entry.grade;
  mark.dataset.state = entry.state;
  const words = entry.by
    ? `judged by ${entry.by}, before you`
    : entry.grade === null
      ? entry.state.replace("_", " ")
      : "";
  const title = element("span", entry.title || entry.docno || "not shown yet", "own-title");
  title.title = entry.docno;
  made.append(mark, title);
  mark.ariaHidden = "true";
  if (entry.grade !== null) made.append(element("span", `grade ${entry.grade}`, "visually-hidden"));
  if (words && words !== "unjudged") made.append(element("span", words, "own-state"));
  if (entry.comment) made.append(element("span", "commented", "own-comment"));
  made.append(
    entry.last === null
      ? element("span", counted(entry.number), "own-number")
      : element("span", "not yet saved", "own-unsaved"),
  );
  return made;
}
