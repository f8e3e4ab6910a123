// What the judging page shows: nothing here decides or remembers.
import { takesText } from "../keyof.js";
import { button, counted, element, say } from "../element.js";
import { ending } from "./ending.js";
import { bring } from "./requests.js";
import { inWords } from "./times.js";

const MOMENT_MS = 5000;
const chipOf = (grade, kind) => `[data-of-kind="${kind}"] [data-grade="${grade}"]`;

export class View {
  #passing; // the end of what is said for a moment
  #isStopped = false;
  #isLate = false; // it has been said
  #next; // the links to the documents before and after, which stand in each document's head in turn

  constructor(root) {
    this.root = root;
    this.#next = root.querySelector("#steps").content.firstElementChild.cloneNode(true);
  }

  #find(selector) { return this.root.querySelector(selector); }

  get isStopped() { return this.#isStopped; }

  get article() { return this.#find(":scope > .judging-document"); }

  // Without this script a text is read part by part.
  get isLaterPart() { return Boolean(this.article?.querySelector("[data-from]")); }

  get isWaiting() { return "waiting" in (this.article?.dataset ?? {}); }

  get version() { return Number(this.article.dataset.version); }

  get #comment() { return this.#find("#comment"); }

  // White space alone is none.
  get comment() { return this.#comment?.value.trim() && this.#comment.value; }

  get isWriting() { return this.#comment !== null && document.activeElement === this.#comment; }

  get isTyping() { return takesText(document.activeElement); }

  get servedComment() { return this.#comment?.defaultValue; }

  fillComment(comment) {
    this.#comment.value = comment;
    this.#comment.closest("details").open = comment !== "" || this.isWriting;
  }

  #field(name) { return this.#find(`#answer [name="${name}"]`).value; }

  get seen() {
    return { topic_version: Number(this.#field("topic_version")), scale: this.#field("scale") };
  }

  get shownVersion() { return Number(this.#field("document_version")); }

  // Space, the arrows and PageDown scroll what has the focus.
  look() {
    window.scrollTo(0, 0);
    this.article?.focus({ preventScroll: true });
  }

  waiting(entry, sentence) {
    const name = entry.docno || `Document ${entry.number}`;
    const label = { role: "region", "aria-label": `${name}. ${sentence}` };
    const place = element("p", { class: "quiet document-place" }, element("code", {}, entry.docno));
    return element(
      "article",
      { class: "judging-document", tabindex: 0, "data-waiting": "", ...label },
      element("header", {}, element("h2", {}, name), place),
      element("p", { class: "quiet" }, sentence),
    );
  }

  // Title and docno: the list has them once the document was shown.
  named(article) {
    return ["h2", "code"].map((name) => article.querySelector(`header ${name}`).textContent);
  }

  present(article, entry, queue, seen, comment) {
    if (this.article !== article) this.article.replaceWith(article);
    article.scrollTop = 0;
    this.#place(article, entry, queue, seen);
    this.#answer(article, entry, comment);
    this.#steps(entry, queue);
  }

  offerRedo(n) {
    this.#hide("[data-redo]", n === 0);
  }

  finish(queue) {
    this.article.replaceWith(ending(this.#find("#finished"), queue));
    this.#takeNothing();
  }

  #takeNothing() {
    this.#hide("#answer", true);
    this.#hide("#missing", true);
  }

  asking(sentence) {
    const place = this.#find("[data-asking]");
    if (!place) return;
    place.textContent = sentence;
    place.hidden = !sentence;
    this.#hide("#finished-title", sentence);
  }

  #hide(selector, isHidden) {
    const found = this.#find(selector);
    if (found) found.hidden = isHidden;
  }

  #chip(selector) {
    return this.#find("#chips").content.querySelector(selector)?.cloneNode(true) ?? "";
  }

  /** @param {Entry} entry @param {Queue} queue */
  #place(article, entry, queue, seen) {
    const place = article.querySelector(".document-place");
    const docno = place.querySelector("code");
    const words = [docno, this.#chip(`[data-state="${entry.state}"]`)];
    if (entry.by) words.push(element("span", {}, `by ${entry.by}, before you`));
    const { grade, former, kind } = entry;
    const chip = this.#chip(chipOf(grade ?? former, kind));
    if (chip) words.push(grade === null ? element("span", {}, "it was ", chip) : chip);
    const all = "shared" in this.root.dataset ? "" : ` of ${counted(queue.size)}`;
    const noun = element("span", { class: "word" }, "document ");
    words.push(element("span", {}, noun, counted(entry.number) + all));
    const comma = () => element("span", { class: "visually-hidden" }, ", ");
    const listed = words.flatMap((word, at) => (at ? [comma(), word] : [word]));
    place.replaceChildren(...listed, this.#next);
    for (const note of article.querySelectorAll(".replaced")) note.remove();
    const header = article.querySelector("header");
    for (const sentence of this.#replaced(article, entry, seen))
      header.append(element("p", { class: "replaced" }, sentence));
  }

  // A judgment of another text than the one on the screen.
  *#replaced(article, entry, seen) {
    if (entry.by || !entry.judged_topic || this.isWaiting) return;
    const [text, statement] = [Number(article.dataset.version), seen.topic_version];
    const { judged_version: judged, judged_topic: topic } = entry;
    const since = (version) => `was replaced since: this is version ${version}.`;
    if (!judged && text) yield "It was missing when you judged it, and has been imported since.";
    else if (judged !== text) yield `You judged version ${judged} of this text. It ${since(text)}`;
    if (topic === statement) return;
    yield `You judged it for version ${topic} of the topic. Its statement ${since(statement)}`;
  }

  #answer(article, entry, comment) {
    const form = this.#find("#answer");
    const isGradable = "gradable" in article.dataset;
    for (const each of this.root.querySelectorAll("[data-of-kind]"))
      each.hidden = each.dataset.ofKind !== entry.kind;
    if (!form) return;
    form.hidden = this.#isStopped;
    this.#hide("#missing", this.isWaiting || isGradable || this.#isStopped);
    this.#hide(".grades:not([hidden])", !isGradable && !this.isWaiting);
    const { reason } = article.dataset;
    if (reason) {
      const missing = this.#find("#missing button");
      [missing.value, missing.lastElementChild.textContent] = [reason, reason];
    }
    const given = entry.grade ?? entry.former;
    for (const each of form.querySelectorAll(".grade-button")) {
      const is = String(given) === each.value;
      each.toggleAttribute("data-former", is && entry.grade === null);
      each.ariaPressed = is && entry.grade !== null ? "true" : null;
    }
    if (this.isWriting && this.#comment.value === comment) return;
    this.fillComment(comment);
  }

  #steps(entry, queue) {
    for (const link of this.#next.children) {
      const number = entry.number + Number(link.dataset.step);
      link.hidden = !queue.at(number);
      link.href = `?number=${number}`;
    }
  }

  write() {
    const field = this.#comment;
    field.closest("details").open = true;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }

  foldEmptyComment() {
    if (this.#comment?.value === "") this.#comment.closest("details").open = false;
  }

  flash(pressed) {
    pressed.classList.remove("flash");
    void pressed.offsetWidth; // begins anew
    pressed.classList.add("flash");
  }

  words(choice, reason, { kind }) {
    if (reason) {
      const named = this.#find(`#cannot-judge button[value="${reason}"]`);
      return `cannot judge, ${named?.lastChild.textContent.trim() ?? reason}`;
    }
    const label = this.#chip(chipOf(choice, kind)).lastChild?.textContent.trim();
    if (label) return `grade ${label.replace(" ", ", ")}`;
    return choice === "undo" ? "undone" : choice;
  }

  count(queue, seconds) {
    const counts = queue.counts();
    for (const place of this.root.querySelectorAll("[data-count]")) {
      const n = counts[place.dataset.count];
      place.textContent = counted(n) + (place.dataset.words ?? "");
      if (place.dataset.count !== "judged") place.hidden = n === 0;
    }
    const nDecided = counts.judged + counts.cannot_judge;
    const [line, size] = [".judging-line", "[data-size]"].map((each) => this.#find(each));
    if (size) {
      line.max = queue.size;
      size.textContent = counted(queue.size);
    }
    line.value = nDecided;
    const left = this.#find(".judging-left");
    left.querySelector(".time").textContent = inWords(((queue.size - nDecided) * seconds) / 60);
    left.hidden = !seconds || nDecided === queue.size || "shared" in this.root.dataset;
  }

  // What was done, in the bar; for a moment in the upper one, where the lower has no room.
  toast(sentence) {
    const place = this.#find(".judging-toast");
    say(sentence);
    if (!place) return; // what is closed has no bar
    const [first] = sentence.split(" ", 1);
    const parts = [first, sentence.slice(first.length)];
    place.replaceChildren(...parts.map((part) => element("span", {}, part)));
    place.hidden = false;
    this.#find(".judging-moment")?.remove();
    if (!sentence) return;
    const above = place.cloneNode(true);
    above.className = "judging-moment";
    this.#find(".judging-progress").append(above);
    setTimeout(() => above.remove(), MOMENT_MS);
  }

  notGraded({ docno }) { this.toast(`${docno}: no grade given.`); }

  // For a moment, unless it is so until something else is said.
  notice(sentence, { stays = false } = {}) {
    if (sentence) say(sentence);
    if (this.#isStopped) return;
    clearTimeout(this.#passing);
    this.#passing = sentence && !stays ? setTimeout(() => this.notice(""), MOMENT_MS) : undefined;
    const notice = this.#find("#not-saved");
    notice.textContent = sentence;
    notice.hidden = sentence === "";
  }

  endNotice() { if (this.#passing) this.notice(""); }

  unsaved(n, trouble) {
    this.#find(".judging-saving").textContent = n ? `${counted(n)} not yet saved` : "";
    const place = this.#find("#trouble");
    if (trouble !== undefined) place.dataset.sentence = trouble;
    const sentence = (n && place.dataset.sentence) || "";
    if (!n && this.#isLate) say("All saved.");
    this.#isLate = n > 0 && (this.#isLate || sentence !== "");
    place.hidden = !sentence;
    const kept = "What you answer is kept in this browser and sent again by itself.";
    const told = sentence && `${sentence} ${kept}`;
    const [said, number] = place.children;
    // Heard once, and not with each answer.
    if (said.textContent !== told) said.textContent = told;
    number.textContent = sentence && `${counted(n)} not yet saved.`;
  }

  // What the server would not take is shown until its author has seen it.
  async giveBack(...returned) {
    (await bring("./returned.js")).giveBack(this, ...returned);
  }

  sayStopped() { say(this.root.dataset.stopped); }

  stop(sentence) {
    this.notice(sentence, { stays: true });
    this.#isStopped = true;
    this.root.dataset.stopped = sentence;
    this.#takeNothing();
  }

  elsewhere(topic, takeOver) {
    this.stop(`${topic} is open in another tab of this browser. Go on there.`);
    this.#find("#not-saved").append(" ", button("Judge here instead", takeOver, { class: "" }));
  }
}
