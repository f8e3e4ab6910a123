// Passages marked as evidence: chosen by pointer or keys, shown in the text and listed beside it.
import { button, counted, element, say } from "../element.js";
import { center, paintAs } from "./marks.js";
import { Places, bare, isComplete, lengthOf, nodesOf, placeOf } from "./places.js";

const MOST = 20;
const MOST_CHARACTERS = 20000;
const BLOCKS = "p, li, td, th, pre, dt, dd, h3, h4, h5, h6, blockquote";

export class Evidence {
  #view;
  #changed;
  #list;
  #draft;
  #float;
  #article;
  #passages = []; // [before, text]
  #places;
  #isChoosing = false;

  constructor(root, { view, changed }) {
    this.#view = view;
    this.#changed = changed;
    this.#list = root.querySelector("#evidence ol");
    this.#draft = root.querySelector("#evidence-draft");
    this.#float = root.querySelector("#mark");
    document.addEventListener("selectionchange", () => this.#offer());
    document.addEventListener("click", (event) => {
      if (event.target.closest("[data-marks]")) this.mark();
    });
    // A tap on the button must not end the selection.
    this.#float.addEventListener("pointerdown", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.#choose(event), true);
  }
  get hasText() {
    return this.#article?.querySelector(".document-text")?.textContent.trim();
  }

  // `isDraft`: they are not saved with the judgment that there is.
  show(article, passages, isDraft = false) {
    this.#draft.hidden = !isDraft;
    if (article !== this.#article) this.#isChoosing = false;
    this.#article = article;
    this.#passages = passages;
    this.#places = passages.length && article ? new Places(nodesOf(article)) : undefined;
    const found = passages.map((passage) => this.#places?.find(passage));
    const ranges = found.filter(Boolean).map(({ range }) => range);
    paintAs("evidence", ranges, -1); // below the hits of words
    const rows = passages.map((passage, index) => this.#row(passage, found[index]));
    this.#list.replaceChildren(...rows);
    this.#list.hidden = !passages.length;
  }

  // The passages that are in this text, each at its place.
  found(passages) {
    if (passages !== this.#passages || !passages.length) return passages;
    return passages.flatMap((passage) => {
      const place = this.#places?.find(passage);
      if (place) return [[place.before, passage[1]]];
      return isComplete(this.#article) ? [] : [passage];
    });
  }

  #row(passage, found) {
    const [, text] = passage;
    const jump = () => found && center(this.#article, found.range);
    const remove = () => {
      const others = this.#passages.filter((each) => each !== passage);
      this.#changed(others, "The passage is no longer evidence.");
    };
    const isGone = !found && this.#article && isComplete(this.#article);
    const gone = element("p", { class: "quiet" }, "This is not in the text as it is now.");
    return element(
      "li",
      {},
      button(text.replace(/\s+/g, " "), jump, { title: "Show it", dir: "auto" }),
      button("×", remove, { "aria-label": `Remove “${text.slice(0, 60)}”` }),
      ...(isGone ? [gone] : []),
    );
  }
  #selected() {
    const selection = getSelection();
    if (!this.#article || !selection.rangeCount || selection.isCollapsed) return undefined;
    const place = placeOf(this.#article, selection.getRangeAt(0));
    const asShown = String(selection).trim(); // with white space between cells
    return place && bare(asShown) === bare(place.text) ? { ...place, text: asShown } : place;
  }

  #offer() {
    const selection = getSelection();
    const text = this.#article?.querySelector(".document-text");
    const isSomething = selection.rangeCount && !selection.isCollapsed;
    const isInside = text && isSomething && selection.getRangeAt(0).intersectsNode(text);
    this.#float.hidden = !isInside || this.#view.isStopped;
    if (selection.isCollapsed) this.#isChoosing = false;
    this.#float.toggleAttribute("data-choosing", this.#isChoosing);
  }

  // Marks what is chosen, if anything is; false if it cannot be marked.
  markChosen() {
    if (this.#selected()) this.mark();
    return !this.#selected();
  }

  mark() {
    if (this.#view.isStopped) {
      this.#view.sayStopped();
      return;
    }
    if (!this.hasText || !("gradable" in this.#article.dataset)) {
      this.#view.notice("There is no text here to mark.");
      return;
    }
    const place = this.#selected();
    if (!place && !getSelection().isCollapsed) {
      this.#view.toast("Nothing of the text is selected.");
      getSelection().removeAllRanges();
      return;
    }
    if (!place) {
      this.#begin();
      return;
    }
    const passages = this.#with(place);
    const n = passages.reduce((sum, [, text]) => sum + text.length, 0);
    if (passages.length > MOST || n > MOST_CHARACTERS) {
      const most = `at most ${MOST} passages of a document are kept, with`;
      const limit = `${most} ${counted(MOST_CHARACTERS)} characters together`;
      this.#view.notice(`Not marked: ${limit}. Select less of it.`);
      this.#view.toast("");
      return;
    }
    getSelection().removeAllRanges();
    this.#isChoosing = false;
    const many = passages.length > 1 ? `: ${counted(passages.length)} passages` : "";
    this.#changed(passages, `Marked as evidence${many}.`);
  }

  // The passages in order with one more, joined with those it overlaps.
  #with({ before, text, n }) {
    let [start, end] = [before, before + n];
    const apart = [];
    const range = getSelection().getRangeAt(0).cloneRange();
    for (const passage of this.#passages) {
      const found = this.#places?.find(passage);
      const its = found?.before ?? passage[0];
      const to = its + lengthOf(passage[1]);
      if (!found || to <= start || its >= end) {
        apart.push(passage);
        continue;
      }
      if (its < start) range.setStart(found.range.startContainer, found.range.startOffset);
      if (to > end) range.setEnd(found.range.endContainer, found.range.endOffset);
      [start, end] = [Math.min(start, its), Math.max(end, to)];
    }
    const joined = apart.length < this.#passages.length ? placeOf(this.#article, range).text : text;
    return [...apart, [start, joined]].sort(([one], [other]) => one - other);
  }
  #blocks() {
    const text = this.#article.querySelector(".document-text");
    return [...text.querySelectorAll(BLOCKS)].filter(
      (each) => !each.querySelector(BLOCKS) && each.textContent.trim() && !("rest" in each.dataset),
    );
  }

  #begin() {
    const blocks = this.#blocks();
    const { top } = this.#article.getBoundingClientRect();
    const first = blocks.find((each) => each.getBoundingClientRect().bottom > top + 8) ?? blocks[0];
    if (first) this.#select(first);
  }

  #select(block) {
    this.#isChoosing = true;
    getSelection().selectAllChildren(block);
    block.scrollIntoView({ block: "nearest" });
    this.#tell();
  }

  #tell() {
    say(String(getSelection()).trim().slice(0, 300));
  }

  // A line more, or a word less.
  #reach(key) {
    const selection = getSelection();
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const isFromEnd = /Up|Right/.test(key);
    const restore = () => (isFromEnd
      ? selection.setBaseAndExtent(endContainer, endOffset, startContainer, startOffset)
      : selection.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset));
    restore();
    const way = /Up|Left/.test(key) ? "backward" : "forward";
    selection.modify("extend", way, /Up|Down/.test(key) ? "line" : "word");
    if (!String(selection).trim()) restore(); // something stays
    const { focusNode: end, focusOffset: at } = selection;
    const point = { startContainer: end, startOffset: at, endContainer: end, endOffset: at };
    center(this.#article, point, true);
    this.#tell();
  }

  #choose(event) {
    if (!this.#isChoosing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      this.#reach(event.key);
      event.preventDefault();
    } else if (event.key === "Escape") {
      getSelection().removeAllRanges();
      this.#tell();
      event.stopPropagation();
    } else if (/^Arrow(Up|Down)$/.test(event.key)) {
      const blocks = this.#blocks();
      const now = blocks.findIndex((each) => getSelection().containsNode(each, true));
      const next = blocks[now + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) this.#select(next);
      event.preventDefault();
    }
  }
}
