// A comment that is written and not saved comes back with its document, to its author alone.
export class Drafts {
  #store;
  #place;
  #drafts = new Map();

  static async open(store, place) {
    const drafts = new Drafts();
    drafts.#store = store;
    drafts.#place = `${place} `;
    for (const kept of await store.all("drafts")) drafts.#drafts.set(kept.key, kept);
    return drafts;
  }

  // What the field shows: the draft, below a comment that was saved elsewhere since it was begun.
  of(number, saved) {
    const kept = this.#drafts.get(this.#place + number);
    if (!kept || kept.draft === saved) return saved;
    return saved === kept.base ? kept.draft : `${saved}\n${kept.draft}`;
  }

  has(number) { return this.#drafts.has(this.#place + number); }

  keep(number, base, draft) {
    const kept = { key: this.#place + number, base, draft };
    this.#drafts.set(kept.key, kept);
    return this.#store.put("drafts", kept);
  }

  drop(number) {
    const key = this.#place + number;
    return this.#drafts.delete(key) ? this.#store.drop("drafts", key) : undefined;
  }
}
