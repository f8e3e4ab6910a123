// The list of one's documents beside the one on the screen: where a mind is changed. It is drawn
// only while it is open.
import { counted, element } from "../element.js";
import { folded } from "./hits.js";
import { isOpen } from "./queue.js";

const STATES = { later: "Later", cannot_judge: "Cannot judge", reopened: "Reopened" };

export class List {
  #aside;
  #filter = "all";
  #field = element("input", {
    type: "search", "aria-label": "Find by title or docno", placeholder: "Title or docno",
  });
  #rows = new Map(); // of a number: its row and what it says
  #shown; // the queue and the entry on the screen

  constructor(aside) {
    this.#aside = aside;
    aside.addEventListener("pane", () => this.#draw());
    aside.querySelector("header").after(this.#field);
    this.#field.addEventListener("input", () => this.#draw());
    this.#field.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#field.value = ""; // the page leaves it
      this.#draw();
    });
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
    const typed = folded(this.#field.value.trim());
    const has = ({ title, docno }) => !typed || folded(`${title}\n${docno}`).includes(typed);
    const rows = entries.filter((each) => is(each) && has(each)).map((each) => this.#row(each));
    if (typed && !rows.length) rows.push(element("li", {}, "None shown so far has this."));
    const list = this.#aside.querySelector("ol");
    if (rows.length !== list.childElementCount || rows.some((row, at) => row !== list.children[at]))
      list.replaceChildren(...rows);
    if (isAnother) list.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  #chips(entries) {
    const chips = filters(entries).map(({ value, words = "", grade = "", n }) => {
      const what = grade ? `Grade ${grade}` : words;
      const said = {
        title: grade ? what : undefined,
        "aria-label": `${what}, ${counted(n)} ${n === 1 ? "document" : "documents"}`,
        "aria-pressed": value === this.#filter,
      };
      const content = [grade ? gradeMark(grade) : words, " · ", element("b", {}, counted(n))];
      const attributes = { type: "button", class: "chip", value, ...said };
      return element("li", {}, element("button", attributes, ...content));
    });
    this.#aside.querySelector(".chips").replaceChildren(...chips);
  }

  #row(entry) {
    const isCurrent = entry === this.#shown.entry;
    const { state, grade, comment, last, by, docno } = entry;
    const says = JSON.stringify([state, grade, Boolean(comment), last, by, docno, isCurrent]);
    const drawn = this.#rows.get(entry.number);
    if (drawn?.says === says) return drawn.row;
    const row = drawn?.row ?? element("li");
    row.replaceChildren(link(entry, isCurrent));
    this.#rows.set(entry.number, { row, says });
    return row;
  }
}

// What the list can be narrowed to: what holds for a document at least.
function filters(entries) {
  const grades = [...new Set(entries.map(({ grade }) => grade))]
    .filter((grade) => grade !== null)
    .sort((one, other) => other - one);
  /** @type {Filter[]} */
  const all = [
    { value: "all", words: "All", is: () => true },
    { value: "open", words: "Open", is: (entry) => isOpen(entry) && !entry.by },
    ...grades.map((each) => (
      { value: String(each), grade: String(each), is: ({ grade }) => grade === each })),
    ...Object.entries(STATES).map(([value, words]) => (
      { value, words, is: ({ state }) => state === value })),
    { value: "commented", words: "Commented", is: (entry) => entry.comment !== "" },
    { value: "before", words: "Judged before you", is: (entry) => entry.by !== "" },
  ];
  const counts = all.map((each) => ({ ...each, n: entries.filter(each.is).length }));
  return counts.filter(({ value, n }) => n || ["all", "open"].includes(value));
}

export const signed = (grade) => String(grade).replace("-", "−");

function gradeMark(grade) {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  return element("span", { class: "grade", "data-grade": grade }, swatch, signed(grade));
}

function link({ number, docno, title, state, grade, by, comment, last }, isCurrent) {
  const part = (name, text) => (text ? [element("span", { class: `own-${name}` }, text)] : []);
  const isGraded = grade !== null;
  const mark = {
    class: "own-mark", "aria-hidden": "true",
    "data-grade": isGraded ? grade : undefined, "data-state": state,
  };
  const open = isGraded || state === "unjudged" ? "" : state.replace("_", " ");
  const words = element("span", { class: "visually-hidden" }, `grade ${grade}`);
  return element(
    "a",
    { href: `?number=${number}`, "aria-current": isCurrent ? "true" : undefined },
    element("span", mark, isGraded ? signed(grade) : ""),
    element("span", { class: "own-title", title: docno }, title || docno || "not shown yet"),
    ...(isGraded ? [words] : []),
    ...part("state", by ? `judged by ${by}, before you` : open),
    ...part("comment", comment && "commented"),
    ...(last === null ? part("number", counted(number)) : part("unsaved", "not yet saved")),
  );
}
