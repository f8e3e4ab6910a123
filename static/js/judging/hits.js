// Where words occur in an article: each block is read once a word, in slices.
const TOKEN = /[\p{L}\p{M}\p{N}]+/gu;
// Scripts without spaces between words, as in desk/core/words.py.
const LETTERS = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}";
const SPACELESS = new RegExp(`[${LETTERS}]`, "u");
const SPACED = new RegExp(`[^${LETTERS}]+`, "gu");
const BETWEEN = /^[^.!?;:。！？；]{1,8}$/; // the words of a phrase
const LINES = "p, li, td, th, dt, dd, h1, h2, h3, h4, h5, h6, pre, blockquote, div";
const BLOCKS = "h2, .document-text > :not([data-rest])";
const SLICE_MS = 8;
const A_LOOK = 64; // tokens between two looks at the clock

export const folded = (text) => text.normalize("NFC").toLowerCase();

const idle = () => new Promise((resolve) => (window.requestIdleCallback ? requestIdleCallback(resolve, { timeout: 100 }) : setTimeout(resolve)));

// A topic's word in the document's forms; without spaces, a piece of text. An own word may be a phrase; * is any ending.
class Needles {
  #exact = new Map();
  #parts = []; // { key, parts: [{ text, isOpen }] }
  #pieces = [];
  #memo = new Map();

  constructor(wanted) {
    for (const { key, forms, piece, own } of wanted) {
      for (const form of forms ?? []) this.#exact.set(form, key);
      if (piece) this.#pieces.push([folded(piece), key]);
      if (own) this.#add(own, key);
    }
  }

  #add(own, key) {
    const parts = [...own.matchAll(TOKEN)].map(([text]) => ({ text: folded(text), isOpen: false }));
    if (!parts.length) return;
    if (parts.length === 1 && SPACELESS.test(own)) this.#pieces.push([parts[0].text, key]);
    else {
      parts.at(-1).isOpen = own.endsWith("*");
      this.#parts.push({ key, parts });
    }
  }

  // What is in a token: the hits within it, and the phrases that may begin with it.
  in(token) {
    let found = this.#memo.get(token);
    if (!found) this.#memo.set(token, (found = this.#look(token)));
    return found;
  }

  #look(token) {
    const text = folded(token);
    const found = { text, hits: [], phrases: [] };
    for (const each of this.#parts) {
      if (!fits(each.parts[0], text)) continue;
      if (each.parts.length === 1) found.hits.push([0, token.length, each.key]);
      else found.phrases.push(each);
    }
    const isSpaceless = SPACELESS.test(token);
    for (const part of isSpaceless ? token.matchAll(SPACED) : [{ 0: token, index: 0 }]) {
      const key = this.#exact.get(part[0]);
      if (key !== undefined) found.hits.push([part.index, part.index + part[0].length, key]);
    }
    if (isSpaceless) this.#lookForPieces(token.toLowerCase(), found.hits);
    return found;
  }

  #lookForPieces(text, hits) {
    for (const [piece, key] of this.#pieces) {
      for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) hits.push([at, at + piece.length, key]);
    }
  }
}

const fits = (part, text) => (part.isOpen ? text.startsWith(part.text) : text === part.text);

// A part of an article: its hits by key, in text order. `offset` is how many characters of the block come before a hit.
class Block {
  hits = new Map();
  length = 0;

  constructor(element) {
    this.element = element;
  }

  // Does a little at each step; what it finds is kept once all of the block has been seen.
  *look(wanted, needles) {
    const found = new Map(wanted.map(({ key }) => [key, []]));
    const walker = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT);
    let [n, offset, line, begun] = [0, 0, null, []];
    for (let node; (node = walker.nextNode()); offset += node.data.length) {
      const its = node.parentElement.closest(LINES);
      if (its !== line) begun = []; // no phrase goes from one line into the next
      line = its;
      let last = 0;
      for (const { 0: token, index } of node.data.matchAll(TOKEN)) {
        if (++n % A_LOOK === 0) yield;
        const { text, hits, phrases } = needles.in(token);
        const end = index + token.length;
        if (begun.length) {
          const between = node.data.slice(last, index);
          begun = !between || BETWEEN.test(between) ? begun.filter((each) => fits(each.parts[each.n], text)) : [];
          for (const each of begun) {
            if (++each.n === each.parts.length) found.get(each.key).push({ ...each.start, end: node, to: end });
          }
          begun = begun.filter((each) => each.n < each.parts.length);
        }
        for (const [from, to, key] of hits) found.get(key).push({ key, block: this, start: node, at: index + from, end: node, to: index + to, offset: offset + index + from });
        for (const each of phrases) begun.push({ ...each, n: 1, start: { key: each.key, block: this, start: node, at: index, offset: offset + index } });
        last = end;
      }
    }
    this.length = offset;
    for (const [key, hits] of found) this.hits.set(key, hits);
  }
}

const isOwn = ({ key }) => key.startsWith("own ");
const placeOf = ({ offset, to }) => `${offset} ${to}`;

// The hits in an article, as far as it has been looked through.
export class Found {
  blocks = [];
  #article;
  #needles = new Map();

  constructor(article) {
    this.#article = article;
  }

  // Looks for new words, `wanted` by block; resolves with whether all was seen before `isWanted` became false.
  async look(wanted, { isWanted = () => true, onSlice = () => {} } = {}) {
    let until = performance.now() + SLICE_MS;
    for (const _ of this.#steps(wanted)) {
      if (performance.now() < until) continue;
      onSlice();
      await idle();
      if (!isWanted()) return false;
      until = performance.now() + SLICE_MS;
    }
    return true;
  }

  *#steps(wanted) {
    for (const block of this.#present()) {
      const missing = wanted(block.element).filter(({ key }) => !block.hits.has(key));
      if (missing.length) yield* block.look(missing, this.#needlesOf(block, missing));
      yield;
    }
  }

  // A long text grows.
  #present() {
    const known = new Map(this.blocks.map((block) => [block.element, block]));
    this.blocks = [...this.#article.querySelectorAll(BLOCKS)].map((element) => known.get(element) ?? new Block(element));
    return this.blocks;
  }

  #needlesOf({ element }, wanted) {
    const name = [element.dataset.part, ...wanted.map(({ key }) => key)].join("\n");
    if (!this.#needles.has(name)) this.#needles = new Map([[name, new Needles(wanted)]]);
    return this.#needles.get(name);
  }

  of(key) {
    return this.blocks.flatMap((block) => block.hits.get(key) ?? []);
  }

  // All hits of these keys, in text order; one that is the topic's too counts as the reader's own.
  inOrder(keys) {
    return this.blocks.flatMap((block) => {
      const hits = keys.flatMap((key) => block.hits.get(key) ?? []).sort((one, other) => one.offset - other.offset);
      const own = new Set(hits.filter(isOwn).map(placeOf));
      return hits.filter((hit) => isOwn(hit) || !own.has(placeOf(hit)));
    });
  }
}
