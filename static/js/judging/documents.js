// The documents, fetched before they are needed and kept while there is room.
import { ask, pause } from "./requests.js";

const MOST_CHARACTERS = 4_000_000;
const RESERVE = 40_000; // characters that are fetched ahead

export class Documents {
  #place;
  #user;
  #articles = new Map(); // by address, the one that was shown longest ago first
  #n = 0; // characters of them all
  #coming = new Map();

  constructor({ place, user }) {
    this.#place = place;
    this.#user = user;
  }

  #address({ number, version }, from = "") {
    const rest = from && `&from=${from}`;
    return `${this.#place}documents/${number}/?version=${version}${rest}`;
  }

  adopt(entry, article) {
    article.dataset.version = entry.version;
    this.#keep(this.#address(entry), article);
  }

  ready(entry) {
    const address = this.#address(entry);
    const kept = this.#articles.get(address);
    if (!kept) return undefined;
    this.#articles.delete(address);
    this.#articles.set(address, kept);
    return kept.article;
  }

  // The article of a document, whose version the entry then has.
  async get(entry) {
    const [address, kept] = [this.#address(entry), this.ready(entry)];
    if (kept) return kept;
    if (!this.#coming.has(address)) {
      const coming = this.#fetch(entry, address).finally(() => this.#coming.delete(address));
      this.#coming.set(address, coming);
    }
    return this.#coming.get(address);
  }

  // One after the other, up to so many characters.
  async reserve(entries, isWanted) {
    let n = 0;
    for (const entry of entries) {
      if (n >= RESERVE || !isWanted()) return;
      const article = await this.get(entry).catch(() => undefined);
      if (!article) return;
      n += article.textContent.length;
    }
  }

  // Of a long text the parts after the first come while it is on the screen.
  async complete(entry, article) {
    for (let rest; article.isConnected && (rest = article.querySelector("[data-rest]")); ) {
      try {
        const { text } = await ask(this.#address(entry, rest.dataset.rest), this.#user);
        if (!rest.isConnected) continue;
        const part = document.createRange().createContextualFragment(text);
        for (const block of part.children) block.setAttribute("data-part", rest.dataset.rest);
        rest.replaceWith(part);
        document.dispatchEvent(new CustomEvent("judging:grown", { detail: { entry, article } }));
      } catch {
        await pause();
      }
    }
  }

  async #fetch(entry, address) {
    const { headers, text } = await ask(address, this.#user);
    const html = document.createElement("template");
    html.innerHTML = text;
    const article = html.content.querySelector("article");
    entry.version = Number(headers.get("Document-Version"));
    article.dataset.version = entry.version;
    this.#keep(this.#address(entry), article);
    document.dispatchEvent(new CustomEvent("judging:fetched", { detail: { entry, article } }));
    return article;
  }

  forget(entry) { this.#drop(this.#address(entry)); }

  #drop(address) {
    this.#n -= this.#articles.get(address)?.n ?? 0;
    this.#articles.delete(address);
  }

  #keep(address, article) {
    this.#drop(address);
    const n = article.textContent.length;
    this.#articles.set(address, { article, n });
    this.#n += n;
    for (const oldest of this.#articles.keys()) {
      if (this.#n <= MOST_CHARACTERS || oldest === address) break;
      this.#drop(oldest);
    }
  }
}
