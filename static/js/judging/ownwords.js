// The reader's own words for a topic, and the topic's switched off. A change may come twice.
import { folded } from "./hits.js";
import { Pending, post } from "./requests.js";

const MOST_SENT = 100;
const UNREADABLE = "Write a word with at least one letter or digit.";
const TOO_SHORT = "Write at least two letters before the *.";

// As desk/core/own_words.py keeps a word.
function cleaned(text) {
  const bare = text.normalize("NFC").trim().replace(/\s+/g, " ");
  return bare.endsWith("*") ? `${bare.replace(/[* ]+$/, "")}*` : bare;
}

export class OwnWords {
  #place;
  #user;
  #most;
  #marks;
  #saved; // { own, off } as the server has them
  #changes = []; // that it does not have yet
  #open; // the store
  #store = null;
  #heard;
  #pending;
  #isRefused = false; // what is then changed is sent again

  // `heard` is told of every change; with a sentence, if there is something to say.
  constructor({ place, user, own, off, most, marks, heard, open }) {
    this.#place = place;
    this.#user = user;
    this.#saved = { own, off };
    this.#most = most;
    this.#marks = marks;
    this.#heard = heard;
    this.#open = open;
    this.#pending = new Pending(this, (changes) => this.#post(changes));
  }

  async load() {
    try {
      this.#store = await this.#open();
      const kept = (await this.#store.all("words")).find(({ place }) => place === this.#place);
      this.#changes = [...(kept?.changes ?? []), ...this.#changes];
    } catch {
      return; // what is changed is sent all the same
    }
    if (!this.#changes.length) return;
    this.#heard();
    this.#pending.send();
  }

  get nUnsaved() { return this.#changes.length; }

  get now() {
    const own = new Map(this.#saved.own.map((word) => [folded(word.text), word]));
    const off = new Set(this.#saved.off.map(folded));
    for (const { act, text, mark } of this.#changes) {
      const key = folded(text);
      if (act === "add" && !own.has(key)) own.set(key, { text, mark, isUnsaved: true });
      else if (act === "remove") own.delete(key);
      else if (act === "off") off.add(key);
      else if (act === "on") off.delete(key);
    }
    return { own: [...own.values()], off };
  }

  // Adds a word, with the mark that the fewest have. Returns why not, or "".
  add(typed) {
    const text = cleaned(typed);
    const n = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (!n) return UNREADABLE;
    if (text.endsWith("*") && n < 2) return TOO_SHORT;
    const { own } = this.now;
    if (own.some((word) => folded(word.text) === folded(text)))
      return `${text} is among your words already.`;
    if (own.length >= this.#most)
      return `There are ${this.#most} words of your own for this topic already: remove one first.`;
    const nOf = (mark) => own.filter((word) => word.mark === mark).length;
    const marks = Array.from({ length: this.#marks }, (_, place) => place + 1);
    const mark = marks.reduce((best, each) => (nOf(each) < nOf(best) ? each : best));
    this.#change({ act: "add", text, mark });
    return "";
  }

  remove(text) { this.#change({ act: "remove", text }); }

  switch(text, is) { this.#change({ act: is ? "on" : "off", text }); }

  async #change(change) {
    this.#changes.push(change);
    this.#isRefused = false;
    this.#heard();
    await this.#keep();
    this.#pending.send();
  }

  async #keep() {
    try {
      this.#store ??= await this.#open();
      if (this.#changes.length)
        await this.#store.put("words", { place: this.#place, changes: this.#changes });
      else await this.#store.drop("words", this.#place);
    } catch {
      // A browser that keeps nothing: the change is sent from here.
    }
  }

  next() {
    return this.#changes.length && !this.#isRefused ? this.#changes.slice(0, MOST_SENT) : undefined;
  }

  #post(changes) {
    const fields = { changes: JSON.stringify(changes) };
    return post(`${this.#place}words/`, this.#user, fields);
  }

  async saved(changes, { own, off, not_saved: not }) {
    this.#saved = { own, off };
    this.#changes = this.#changes.slice(changes.length);
    await this.#keep();
    this.#heard(not.length ? `Not saved. ${not.join(" ")}` : "");
  }

  // It stays here, and is sent when the page is opened again.
  refused(_, { refused }) {
    this.#isRefused = true;
    this.#heard(refused);
  }

  trouble(sentence) { this.#heard(sentence); }
}
