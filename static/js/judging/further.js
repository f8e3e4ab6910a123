// What is asked of a document beside its grade: criteria, one after the other, and passages that show it. The grade is given once all is said.
import { counted, element } from "./elements.js";
import { Evidence } from "./evidence.js";

export class Further {
  #view;
  #store;
  #place;
  #dialog;
  #drafts = new Map(); // by docno: { ratings, passages } that are not saved with a grade yet
  #steps = [];
  #step = 0;
  #shown; // { entry, article } on the screen
  #asked; // { entry, choice, done } while something is asked
  #since = Infinity;
  #evidence;

  // `regrade` saves what has changed beside a grade that was given.
  static async open(view, store, place, regrade) {
    const further = new Further();
    further.#view = view;
    further.#store = store;
    further.#place = `${place} further `;
    further.#dialog = view.root.querySelector("#further");
    for (const { key, said } of await store.all("drafts")) {
      if (key.startsWith(further.#place)) further.#drafts.set(key.slice(further.#place.length), said);
    }
    further.#listen(regrade);
    return further;
  }

  #listen(regrade) {
    const { root } = this.#view;
    if (root.querySelector("#evidence")) {
      this.#evidence = new Evidence(root, {
        view: this.#view,
        changed: (passages) => this.#changed(passages, regrade),
      });
    }
    document.addEventListener("judging:shown", ({ detail }) => this.#show(detail));
    document.addEventListener("judging:grown", () => this.#evidence?.show(this.#shown?.article, this.#of(this.#shown?.entry).passages));
    this.#dialog.addEventListener("click", (event) => this.#press(event.target.closest("button")));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#dialog.open) this.#back();
    });
  }

  #show(shown) {
    this.#shown = shown;
    const { ratings, passages } = this.#of(shown.entry);
    this.#evidence?.show(shown.article, passages);
    shown.article?.querySelector(".judging-ratings")?.remove();
    const said = this.#words(ratings);
    if (said.length) shown.article?.querySelector("header").append(element("p", said.join(" · "), "quiet judging-ratings"));
  }

  #sections(name) { return [...this.#dialog.querySelectorAll(`[data-${name}]`)]; }

  // Ratings in words: "credibility: partly".
  #words(ratings) {
    return this.#sections("criterion").flatMap((section) => {
      const button = section.querySelector(`button[value="${ratings[section.dataset.criterion]}"]`);
      return button ? `${section.dataset.criterion}: ${button.querySelector("span").textContent}` : [];
    });
  }

  // --- what is said, and what is not saved of it yet ---

  #of(entry) {
    if (!entry) return { ratings: {}, passages: [] };
    return this.#drafts.get(entry.docno) ?? { ratings: entry.ratings ?? {}, passages: entry.passages ?? [] };
  }

  keep(entry, { ratings, passages }) {
    const said = { ratings: { ...ratings }, passages };
    this.#drafts.set(entry.docno, said);
    return this.#store.put("drafts", { key: this.#place + entry.docno, said });
  }

  drop(docno) {
    if (this.#drafts.delete(docno)) this.#store.drop("drafts", this.#place + docno).catch(() => {});
  }

  // What goes with an answer: all passages but those that are not in the text any more, and the ratings.
  said(entry) {
    const { ratings, passages } = this.#of(entry);
    const said = {};
    if (this.#sections("criterion").length) said.ratings = ratings;
    if (this.#evidence) said.passages = this.#evidence.found(passages);
    return said;
  }

  // The content of an answer that was not saved stays with its document.
  takeBack(act, entry) {
    if (entry && (act.ratings || act.passages)) this.keep(entry, { ratings: act.ratings ?? {}, passages: act.passages ?? [] }).catch(() => {});
  }

  #changed(passages, regrade) {
    const { entry, article } = this.#shown;
    const said = { ...this.#of(entry), passages };
    this.keep(entry, said).catch((error) => this.#view.notice(`This browser cannot keep what you mark (${error?.name}).`));
    this.#evidence.show(article, passages);
    if (this.#dialog.open) this.#present();
    else if (entry.state === "judged" && !entry.by) regrade(entry, this.said(entry));
  }

  // --- asking ---

  // Asks what there is to ask at this grade and returns true, or false if there is nothing. `done` is called with what was said.
  ask(entry, choice, done) {
    this.close();
    const grade = /^-?\d+$/.test(choice) ? Number(choice) : null;
    const { passages } = this.#of(entry);
    const applies = (section) => grade !== null && !(grade < Number(section.dataset.from || -Infinity));
    this.#steps = [...this.#sections("criterion").filter(applies), ...(passages.length ? [] : this.#sections("evidence").filter(applies))];
    if (!this.#steps.length) return false;
    this.#asked = { entry, choice, done };
    this.#step = 0;
    this.#button(choice)?.toggleAttribute("data-pending", true);
    this.#dialog.show();
    this.#present();
    return true;
  }

  close() {
    if (!this.#asked) return;
    this.#button(this.#asked.choice)?.removeAttribute("data-pending");
    this.#asked = undefined;
    if (this.#dialog.open) this.#dialog.close();
  }

  get isAsking() { return this.#asked !== undefined; }

  #button(choice) { return this.#view.root.querySelector(`.grade-button[value="${choice}"]`); }

  #back() {
    this.close();
    this.#view.look();
  }

  #present() {
    const section = this.#steps[this.#step];
    for (const each of this.#dialog.querySelectorAll("section")) each.hidden = each !== section;
    const { ratings, passages } = this.#of(this.#asked.entry);
    const given = ratings[section.dataset.criterion];
    for (const button of section.querySelectorAll("[value]")) button.setAttribute("aria-pressed", String(button.value === String(given)));
    const enter = section.querySelector("[data-key=Enter]");
    if ("criterion" in section.dataset) enter.hidden = given === undefined;
    else enter.querySelector("span").textContent = passages.length ? "go on" : "go on without";
    this.#dialog.querySelector(".steps").textContent = this.#steps.length > 1 ? `${counted(this.#step + 1)} of ${counted(this.#steps.length)}` : "";
    document.getElementById("live").textContent = section.querySelector("h2").textContent;
    if (document.body.hasAttribute("data-no-keys")) section.querySelector("button:not([hidden])").focus();
    else this.#view.look();
    this.#since = Infinity;
    requestAnimationFrame(() => setTimeout(() => (this.#since = performance.now())));
  }

  #press(button) {
    if (!button || !this.#asked) return;
    if (button.matches(".back")) {
      this.#back();
      return;
    }
    if (button.matches("[data-marks]")) return; // evidence.js marks
    if (performance.now() < this.#since + Number(this.#view.root.dataset.leastMs)) {
      this.#view.notice("This question had only just come up: press again.");
      return;
    }
    this.#view.notice("");
    const { entry, done } = this.#asked;
    const { criterion } = this.#steps[this.#step].dataset;
    if (criterion && button.value) {
      const said = this.#of(entry);
      this.keep(entry, { ...said, ratings: { ...said.ratings, [criterion]: Number(button.value) } }).catch(() => {});
    }
    this.#step += 1;
    if (this.#step < this.#steps.length) {
      this.#present();
      return;
    }
    this.close();
    done(this.said(entry));
  }
}
