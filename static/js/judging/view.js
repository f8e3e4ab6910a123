// What the judging page shows: nothing here decides or remembers.
import { takesText } from "../keyof.js";
import { button, counted, element, say, toast } from "./elements.js";

// Minutes in words: "14 min", "2 h 8 min".
function time(minutes) {
  const whole = Math.max(1, Math.round(minutes));
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  return [hours && `${counted(hours)} h`, (rest || !hours) && `${rest} min`]
    .filter(Boolean)
    .join(" ");
}

export class View {
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

  get comment() { return this.#comment?.value; }

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
    const article = element("article", "", "judging-document");
    const name = entry.docno || `Document ${entry.number}`;
    article.tabIndex = 0;
    article.role = "region";
    article.ariaLabel = `${name}. ${sentence}`;
    const header = element("header");
    const place = element("p", "", "quiet document-place");
    place.append(element("code", entry.docno));
    header.append(element("h2", name), place);
    article.append(header, element("p", sentence, "quiet"));
    article.dataset.waiting = "";
    return article;
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
    const finished = this.#find("#finished").content.firstElementChild.cloneNode(true);
    for (const row of finished.querySelectorAll("[data-given]")) {
      const n = queue.given(Number(row.dataset.given));
      row.querySelector("progress").value = n;
      row.lastElementChild.textContent = counted(n);
    }
    this.article.replaceWith(finished);
    for (const form of ["#answer", "#missing"]) this.#hide(form, true);
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
    if (entry.by) words.push(element("span", `by ${entry.by}, before you`));
    if (entry.grade !== null) words.push(this.#chip(`[data-grade="${entry.grade}"]`));
    else if (entry.former !== null) {
      words.push(element("span", "it was "));
      words.at(-1).append(this.#chip(`[data-grade="${entry.former}"]`));
    }
    const number = element(
      "span",
      counted(entry.number) + ("shared" in this.root.dataset ? "" : ` of ${counted(queue.size)}`),
    );
    number.prepend(element("span", "document ", "word"));
    words.push(number);
    place.replaceChildren(
      ...words.flatMap((word, at) =>
        at ? [element("span", ", ", "visually-hidden"), word] : [word],
      ),
      this.#next,
    );
    for (const note of article.querySelectorAll(".replaced")) note.remove();
    for (const sentence of this.#replaced(article, entry, seen))
      article.querySelector("header").append(element("p", sentence, "replaced"));
  }

  // A judgment that rests on another text than the one on the screen.
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
    if (!form) return;
    const isGradable = "gradable" in article.dataset;
    form.hidden = this.#isStopped;
    this.#hide("#missing", this.isWaiting || isGradable || this.#isStopped);
    this.#hide(".grades", !isGradable && !this.isWaiting);
    if (article.dataset.reason) this.#notGraded(article.dataset.reason);
    const given = entry.grade ?? entry.former;
    for (const each of form.querySelectorAll(".grade-button")) {
      const is = String(given) === each.value;
      each.toggleAttribute("data-former", is && entry.grade === null);
      each.ariaPressed = is && entry.grade !== null ? "true" : null;
    }
    if (this.isWriting && this.#comment.value === comment) return;
    this.fillComment(comment);
  }

  // What is said with one key of a document that nobody can have read.
  #notGraded(reason) {
    const missing = this.#find("#missing button");
    missing.value = reason;
    missing.querySelector("span").textContent = reason;
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

  words(choice, reason) {
    if (reason) {
      const named = this.#find(`#cannot-judge button[value="${reason}"]`);
      return `cannot judge, ${named?.lastChild.textContent.trim() ?? reason}`;
    }
    const label = this.#find("#chips")
      .content.querySelector(`[data-grade="${choice}"]`)
      ?.lastChild.textContent.trim();
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
    this.#find(".judging-line").value = nDecided;
    const left = this.#find(".judging-left");
    left.querySelector(".time").textContent = time(((queue.size - nDecided) * seconds) / 60);
    left.hidden = !seconds || nDecided === queue.size || "shared" in this.root.dataset;
  }

  toast(sentence) { toast(sentence); }

  notGraded({ docno }) {
    this.toast(`${docno}: no grade given.`);
  }

  notice(sentence) {
    if (sentence) say(sentence);
    if (this.#isStopped) return;
    const notice = this.#find("#not-saved");
    notice.textContent = sentence;
    notice.hidden = sentence === "";
  }

  // How many acts are not saved yet, and why not.
  unsaved(n, trouble) {
    this.#find(".judging-saving").textContent = n ? `${counted(n)} not yet saved` : "";
    const place = this.#find("#trouble");
    if (trouble !== undefined) place.dataset.sentence = trouble;
    const sentence = (n && place.dataset.sentence) || "";
    if (!n && this.#isLate) say("All saved.");
    this.#isLate = n > 0 && (this.#isLate || sentence !== "");
    place.hidden = !sentence;
    place.textContent = sentence
      ? `${sentence} ${counted(n)} not yet saved: kept in this browser and sent again by itself.`
      : "";
  }

  // What the server would not take is shown until its author has seen it.
  async giveBack(act, entry, dismiss) {
    const { returnedRow } = await import("./returned.js");
    const kept = this.#find("#kept");
    const dismissed = (row) => {
      row.remove();
      kept.hidden = !kept.childElementCount;
      dismiss(act);
      this.look();
    };
    const pressed =
      act.choice === "undo"
        ? "undo"
        : this.words(act.choice, act.reason).replace(/^grade (\S+),.*/s, "$1");
    kept.append(returnedRow("p", act, pressed, entry && `?number=${entry.number}`, dismissed));
    kept.hidden = false;
    const told = this.#find(".judging-toast");
    if (told.textContent.startsWith(`${act.docno}:`)) told.hidden = true;
    this.#find(".judging-moment")?.remove();
  }

  sayStopped() { say(this.root.dataset.stopped); }

  stop(sentence) {
    this.notice(sentence);
    this.#isStopped = true;
    this.root.dataset.stopped = sentence;
    for (const form of ["#answer", "#missing"]) this.#hide(form, true);
  }

  elsewhere(topic, takeOver) {
    this.stop(`${topic} is open in another tab of this browser. Go on there.`);
    this.#find("#not-saved").append(" ", button("Judge here instead", takeOver, ""));
  }
}
