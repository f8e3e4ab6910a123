// A person's own store in this browser: what is not saved yet, what came back, and what is being written.
// Named by the person's id, so that the next to sign in here neither sees nor sends it.
const STORES = { acts: "seq", returned: "client_id", drafts: "key", notes: "key", questions: "client_id", words: "place" };

const finished = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class Store {
  #database;

  static async open(user) {
    const store = new Store();
    const opening = indexedDB.open(`cleverdon-${user}`, 3);
    opening.onupgradeneeded = () => {
      const { result: database } = opening;
      for (const [name, keyPath] of Object.entries(STORES)) {
        if (!database.objectStoreNames.contains(name)) database.createObjectStore(name, { keyPath, autoIncrement: keyPath === "seq" });
      }
    };
    store.#database = await finished(opening);
    store.#database.onversionchange = () => store.#database.close();
    return store;
  }

  // A page that only looks must not make a store.
  static async exists(user) {
    if (!indexedDB.databases) return true;
    return (await indexedDB.databases()).some(({ name }) => name === `cleverdon-${user}`);
  }

  async all(name) {
    return finished(this.#database.transaction(name).objectStore(name).getAll());
  }

  // Resolves with the key once it is written, and not before.
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
