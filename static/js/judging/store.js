// What is not saved yet, in this browser. Named by the person's id, so that the next to sign in
// here neither sees nor sends it, and by the site's path, too.
const STORES = {
  acts: "seq",
  returned: "client_id",
  drafts: "key",
  notes: "key",
  questions: "client_id",
  words: "place",
};

const nameOf = (user) => `cleverdon-${user}${document.body?.dataset.path ?? ""}`;

const finished = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class Store {
  #database;

  static async open(user) {
    const store = new Store();
    const opening = indexedDB.open(nameOf(user), 3);
    opening.onupgradeneeded = () => {
      const { result: database } = opening;
      for (const [name, keyPath] of Object.entries(STORES)) {
        if (!database.objectStoreNames.contains(name))
          database.createObjectStore(name, { keyPath, autoIncrement: keyPath === "seq" });
      }
    };
    store.#database = await finished(opening);
    store.#database.onversionchange = () => store.#database.close();
    return store;
  }

  // A page that only looks must not make a store.
  static async exists(user) {
    if (!indexedDB.databases) return true;
    return (await indexedDB.databases()).some(({ name }) => name === nameOf(user));
  }

  async all(name) {
    return finished(this.#database.transaction(name).objectStore(name).getAll());
  }

  // Resolves with the key once it is written.
  async put(name, value) {
    return this.#change([name], (store) => store.put(value));
  }

  async drop(name, key) {
    return this.#change([name], (store) => store.delete(key));
  }

  // In one step, so that a crash loses neither.
  async giveBack(act, refused) {
    return this.#change(["acts", "returned"], (acts, returned) => {
      acts.delete(act.seq);
      return returned.put({ ...act, refused });
    });
  }

  #change(names, change) {
    const transaction = this.#database.transaction(names, "readwrite", { durability: "relaxed" });
    const request = change(...names.map((name) => transaction.objectStore(name)));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }
}

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

// Of tabs with the same topic the first judges, unless another takes over.
export const ANSWER_MS = 200;

export function isJudged(name) {
  const channel = new BroadcastChannel(name);
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => { if (data.says === "mine") resolve(true); };
    channel.postMessage({ says: "hello", since: [Infinity, 0] });
    setTimeout(() => resolve(false), ANSWER_MS);
  }).finally(() => channel.close());
}

// Calls `leave` once another tab judges, and returns what takes the topic over from it.
export function beAlone(name, leave) {
  const channel = new BroadcastChannel(name);
  const since = [performance.timeOrigin, Math.random()];
  const isOlder = (other) => other[0] < since[0] || (other[0] === since[0] && other[1] < since[1]);
  let isActive = true;
  channel.onmessage = ({ data }) => {
    if (!isActive) return;
    if (data.says === "taken" || isOlder(data.since)) {
      isActive = false;
      leave();
    } else channel.postMessage({ says: "mine", since });
  };
  channel.postMessage({ says: "hello", since });
  return () => channel.postMessage({ says: "taken", since });
}
