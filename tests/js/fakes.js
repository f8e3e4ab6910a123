// What a page has and Node does not: a store that is a Map, a server that is a function.
import { mock } from "node:test";

// As judging/store.js keeps things, without a browser's database.
export class FakeStore {
  #stores = new Map();
  #seq = 0;
  isFull = false;

  #of(name) {
    if (!this.#stores.has(name)) this.#stores.set(name, new Map());
    return this.#stores.get(name);
  }

  async all(name) { return structuredClone([...this.#of(name).values()]); }

  async put(name, value) {
    if (this.isFull) throw new DOMException("", "QuotaExceededError");
    const kept = name === "acts" ? { seq: ++this.#seq, ...value } : value;
    const key = kept.seq ?? kept.client_id ?? kept.key ?? kept.place;
    this.#of(name).set(key, structuredClone(kept));
    return key;
  }

  async drop(name, key) { this.#of(name).delete(key); }

  async giveBack(act, refused) {
    await this.drop("acts", act.seq);
    await this.put("returned", { ...act, refused });
  }
}

export const listeners = new Map(); // of the window
globalThis.addEventListener = (name, listener) => {
  listeners.set(name, [...(listeners.get(name) ?? []), listener]);
};
globalThis.document = { cookie: "other=1; csrftoken=a-token" };

// Something that happens to the window: the network is back.
export const happen = (name) => listeners.get(name)?.forEach((listener) => listener());

export const json = (content, status = 200, headers = {}) =>
  Response.json(content, { status, headers });
export const problem = (content, status) =>
  json(content, status, { "Content-Type": "application/problem+json" });
export const sentence = (words, status) =>
  new Response(words, { status, headers: { "Content-Type": "text/plain" } });
export const unreachable = () => { throw new TypeError("fetch failed"); };

// Answers by `answer(body, address, options)`; what was asked for is in the list that comes back.
export function serve(answer) {
  const asked = [];
  globalThis.fetch = async (address, options = {}) => {
    asked.push({ address, ...options });
    return answer(options.body, address, options);
  };
  return asked;
}

// A window that nobody listens to yet, and a clock that stands.
export function freshWindow() {
  listeners.clear();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
}

export async function later(ms) {
  mock.timers.tick(ms);
  await settle();
}

// Everything that waits for nothing but what was answered.
export const settle = async () => {
  for (let n = 0; n < 40; n++) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
};
