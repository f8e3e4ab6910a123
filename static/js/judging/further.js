// Criteria and passages, asked beside the grade, which is given once all is answered.
import { takesText } from "../keyof.js";
import { counted, element, say } from "../element.js";
import { Evidence } from "./evidence.js";
import { gradeOf } from "./queue.js";

// Evidence is asked for of all kinds.
const applies = ({ dataset: { from = -Infinity, kind } }, entry, grade) =>
  grade !== null && grade >= from && (!kind || kind === entry.kind);

export class Further {
  #view;
  #store;
  #place;
  #dialog;
  // { ratings, passages } by number, not saved with a grade yet.
  #drafts = new Map();
  #steps = [];
  #step = 0;
  #shown; // { entry, article } on the screen
  #marked = []; // the passages before each mark, while nothing else was done to the document
  #asked; // { entry, choice, ratings, done }
  #since = Infinity;
  #evidence;
  #regrade; // saves what has changed beside a grade that was given

  static async open(view, store, place, regrade) {
    const further = new Further();
    further.#view = view;
    further.#store = store;
    further.#place = `${place} further `;
    further.#regrade = regrade;
    further.#dialog = view.root.querySelector("#further");
    for (const { key, said } of await store.all("drafts")) {
      if (key.startsWith(further.#place))
        further.#drafts.set(Number(key.slice(further.#place.length)), said);
    }
    further.#listen();
    return further;
  }

  #listen() {
    const { root } = this.#view;
    if (root.querySelector("#evidence")) {
      this.#evidence = new Evidence(root, {
        view: this.#view,
        changed: (passages, sentence) => this.#changed(passages, sentence),
      });
    }
    document.addEventListener("judging:shown", ({ detail }) => this.#show(detail));
    document.addEventListener("judging:grown", () => this.#showPassages());
    this.#dialog.addEventListener("click", (event) => this.#press(event.target.closest("button")));
    document.addEventListener("keydown", (event) => {
      const isOurs = event.key === "Escape" && !event.defaultPrevented && this.#dialog.open;
      const isElsewhere =
        takesText(event.target) || document.querySelector("dialog:modal, :popover-open");
      if (isOurs && !isElsewhere) this.back();
    });
  }

  #showPassages() {
    const { entry, article } = this.#shown ?? {};
    const { passages } = this.#drafts.get(entry?.number) ?? {};
    const isDraft = passages !== undefined && entry.state !== "unjudged";
    this.#evidence?.show(article, this.#passages(entry), isDraft);
  }

  #show(shown) {
    if (shown.entry !== this.#shown?.entry) this.#marked = [];
    this.#shown = shown;
    this.#showPassages();
    shown.article?.querySelector(".judging-ratings")?.remove();
    const said = this.#words(shown.entry?.ratings ?? {});
    const ratings = element("p", { class: "quiet judging-ratings" }, said.join(" · "));
    if (said.length) shown.article?.querySelector("header").append(ratings);
  }

  #sections(name) { return [...this.#dialog.querySelectorAll(`[data-${name}]`)]; }

  // Ratings in words: "credibility: partly".
  #words(ratings) {
    return this.#sections("criterion").flatMap((section) => {
      const { criterion } = section.dataset;
      const word = section.querySelector(`button[value="${ratings[criterion]}"] span`);
      return word ? `${criterion}: ${word.textContent}` : [];
    });
  }
  #passages(entry) { return this.#drafts.get(entry?.number)?.passages ?? entry?.passages ?? []; }

  #keep(entry, changed) {
    const said = { ...this.#drafts.get(entry.number), ...changed };
    this.#drafts.set(entry.number, said);
    return this.#store.put("drafts", { key: this.#place + entry.number, said });
  }

  drop(number) {
    if (!this.#drafts.delete(number)) return;
    this.#store.drop("drafts", this.#place + number).catch(() => {});
  }

  // What goes with an answer: the ratings that its grade asks for, the passages still in the text.
  said(entry, ratings = entry.ratings, grade = null) {
    const said = {};
    for (const section of this.#sections("criterion")) {
      const { criterion } = section.dataset;
      said.ratings ??= {};
      if (grade === null || applies(section, entry, grade))
        said.ratings[criterion] = ratings[criterion];
    }
    if (this.#evidence) said.passages = this.#evidence.found(this.#passages(entry));
    return said;
  }

  // What was not saved stays with its document.
  takeBack(act, entry) {
    if (entry && (act.ratings || act.passages))
      this.#keep(entry, { ratings: act.ratings, passages: act.passages }).catch(() => {});
  }

  #changed(passages, sentence) {
    const { entry } = this.#shown;
    this.#marked.push(this.#passages(entry));
    this.#keep(entry, { passages }).catch((error) =>
      this.#view.notice(`This browser cannot keep your mark (${error?.name}).`, { stays: true }),
    );
    this.#showPassages();
    this.#view.toast(sentence);
    if (this.#dialog.open) this.#present();
    else if (this.#stands(entry)) {
      this.#regrade(entry, this.said(entry), sentence);
      this.#showPassages();
    }
  }

  // Whether the grade can stay: its author's, on these texts, with all that is asked now.
  #stands(entry) {
    const { topic_version: statement } = this.#view.seen;
    const isOn = entry.judged_version === this.#view.version && entry.judged_topic === statement;
    const lacksAnswer = this.#sections("criterion").some((section) =>
      applies(section, entry, entry.grade) &&
      entry.ratings[section.dataset.criterion] === undefined);
    return entry.state === "judged" && !entry.by && isOn && !lacksAnswer;
  }

  // Takes the last mark back; false if there is none.
  undoMark() {
    const before = this.#marked.pop();
    if (!before) return false;
    this.#changed(before, "The mark is taken back.");
    this.#marked.pop();
    return true;
  }
  // Asks what belongs to this grade, if anything, and calls `done` with it.
  ask(entry, choice, done) {
    this.close();
    this.#marked = [];
    const grade = gradeOf(choice);
    const lacksPassage = this.#evidence?.hasText && !this.#passages(entry).length;
    const sections = [
      ...this.#sections("criterion"), ...(lacksPassage ? this.#sections("evidence") : []),
    ];
    this.#steps = sections.filter((section) => applies(section, entry, grade));
    const finish = (ratings) => done(this.said(entry, ratings, grade));
    if (!this.#steps.length) {
      finish(entry.ratings);
      return;
    }
    const offered = { ...entry.ratings, ...this.#drafts.get(entry.number)?.ratings };
    this.#asked = { entry, choice, ratings: offered, finish };
    this.#step = 0;
    this.#button(choice)?.toggleAttribute("data-pending", true);
    this.#dialog.show();
    this.#comeUp();
  }

  // False if nothing was asked.
  close() {
    if (!this.#asked) return false;
    this.#button(this.#asked.choice)?.removeAttribute("data-pending");
    this.#asked = undefined;
    if (this.#dialog.open) this.#dialog.close();
    say("");
    return true;
  }

  #button(choice) {
    return this.#view.root.querySelector(`.grades:not([hidden]) [value="${choice}"]`);
  }

  // Drops the answers so far; false if nothing was asked.
  back() {
    if (!this.#asked) return false;
    const { entry } = this.#asked;
    if (this.#drafts.has(entry.number)) this.#keep(entry, { ratings: undefined }).catch(() => {});
    this.close();
    this.#view.notice("");
    this.#view.notGraded(entry);
    this.#view.look();
    return true;
  }

  // Another question: read aloud, and answered once it was there for a while.
  #comeUp() {
    this.#present();
    const section = this.#steps[this.#step];
    const answers = [...section.querySelectorAll("button:not([hidden])")].map((button) =>
      button.textContent.trim().replace(/\s+/g, " "),
    );
    const heads = [section.querySelector("h2"), this.#dialog.querySelector(".steps")];
    const said = [...heads.map(({ textContent }) => textContent), ...answers];
    say(said.filter(Boolean).join(", "));
    this.#since = Infinity;
    requestAnimationFrame(() => setTimeout(() => (this.#since = performance.now())));
  }

  #present() {
    const section = this.#steps[this.#step];
    for (const each of this.#dialog.querySelectorAll("section")) each.hidden = each !== section;
    const { entry, ratings } = this.#asked;
    const given = ratings[section.dataset.criterion];
    for (const button of section.querySelectorAll("[value]"))
      button.ariaPressed = String(button.value === String(given));
    const enter = section.querySelector("[data-key=Enter]");
    const way = this.#passages(entry).length ? "go on" : "go on without";
    if ("criterion" in section.dataset) enter.hidden = given === undefined;
    else enter.querySelector("span").textContent = way;
    const n = this.#steps.length;
    const where = n > 1 ? `${counted(this.#step + 1)} of ${counted(n)}` : "";
    this.#dialog.querySelector(".steps").textContent = where;
    // No answer has the focus, so a held key gives none.
    if (document.body.hasAttribute("data-no-keys")) section.querySelector("h2").focus();
    else this.#view.look();
  }

  #press(button) {
    if (!button || !this.#asked || this.#view.isStopped) return;
    if (button.matches(".back")) {
      this.back();
      return;
    }
    if (button.matches("[data-marks]")) return; // evidence.js marks
    if (performance.now() < this.#since + Number(this.#view.root.dataset.leastMs)) {
      this.#view.notice("Too quick: this question had only just appeared. Press again.");
      this.#present();
      return;
    }
    this.#view.notice("");
    const { entry, ratings, finish } = this.#asked;
    const { criterion } = this.#steps[this.#step].dataset;
    if (!criterion && !this.#evidence.markChosen()) return;
    if (criterion && button.value) {
      ratings[criterion] = Number(button.value);
      this.#keep(entry, { ratings }).catch(() => {});
    }
    this.#step += 1;
    if (this.#step < this.#steps.length) {
      this.#comeUp();
      return;
    }
    this.close();
    finish(ratings);
  }
}
