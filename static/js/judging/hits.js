// Where words occur in an article: each block is read once a word, in slices.
// With the soft hyphens in it, and what joins or divides letters unseen.
const TOKEN = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\u200d\u00ad\u200b\u2060\ufeff]*/gu;
const WITHOUT_WIDTH = /[\u200d\u00ad\u200b\u2060\ufeff]+/g; // as in desk/core/words.py
// Scripts without spaces between words, as in desk/core/words.py.
const LETTERS =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff" +
  "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}";
const SPACELESS = new RegExp(`[${LETTERS}]`, "u");
const SPACED = new RegExp(`[^${LETTERS}]+`, "gu");
const BETWEEN = /^[^.!?;:。！？；]{1,8}$/;
export const LINES = "p, li, td, th, dt, dd, h1, h2, h3, h4, h5, h6, pre, blockquote, div";
export const BLOCKS = "h2, .document-text > :not([data-rest])";
export const SLICE_MS = 8;
const A_LOOK = 64; // tokens between two looks at the clock

// The words of text without spaces, as far as this browser knows them.
export function spacelessWords({ runs, stop, language, most }) {
  if (!runs.length) return [];
  const segmenter = Intl.Segmenter && new Intl.Segmenter(language, { granularity: "word" });
  const split = (run) =>
    segmenter ? Array.from(segmenter.segment(run), (each) => each.segment) : [run];
  const isWord = (text) => !stop.includes(text) && !/^[\u3040-\u30ff\u0e00-\u0eff]$/.test(text);
  return [...new Set(runs.flatMap(split))].filter(isWord).slice(0, most);
}

export const withoutWidth = (text) => text.replace(WITHOUT_WIDTH, "");
export const folded = (text) => withoutWidth(text).normalize("NFC").toLowerCase();

export const idle = () => new Promise((resolve) => {
  if (window.requestIdleCallback) requestIdleCallback(resolve, { timeout: 100 });
  else setTimeout(resolve);
});

// A topic's word in its forms, or a piece of text; one's own may be a phrase, or end with a *.
export class Needles {
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
      const key = this.#exact.get(withoutWidth(part[0]));
      if (key !== undefined) found.hits.push([part.index, part.index + part[0].length, key]);
    }
    if (isSpaceless) this.#lookForPieces(token.toLowerCase(), found.hits);
    return found;
  }

  #lookForPieces(text, hits) {
    for (const [piece, key] of this.#pieces) {
      for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length))
        hits.push([at, at + piece.length, key]);
    }
  }
}

const fits = (part, text) => (part.isOpen ? text.startsWith(part.text) : text === part.text);

// The hits in pieces of text that follow each other, each a node and its line; now and then
// none, for a look at the clock. `offset` is how many characters come before a hit.
export function* hitsIn(pieces, needles) {
  let [n, offset, line, begun] = [0, 0, null, []];
  for (const { node, line: its } of pieces) {
    if (its !== line) begun = []; // no phrase goes from one line into the next
    line = its;
    let last = 0;
    for (const { 0: token, index } of node.data.matchAll(TOKEN)) {
      if (++n % A_LOOK === 0) yield undefined;
      const { text, hits, phrases } = needles.in(token);
      const end = index + token.length;
      const between = node.data.slice(last, index);
      if (between && !BETWEEN.test(between)) begun = [];
      begun = begun.filter((each) => fits(each.parts[each.n++], text));
      for (const { start } of begun.filter(isWhole)) yield { ...start, end: node, to: end };
      begun = begun.filter((each) => !isWhole(each));
      const begin = (key, from) => (
        { key, start: node, at: index + from, offset: offset + index + from });
      for (const [from, to, key] of hits) yield { ...begin(key, from), end: node, to: index + to };
      for (const each of phrases) begun.push({ ...each, n: 1, start: begin(each.key, 0) });
      last = end;
    }
    offset += node.data.length;
  }
}

const isWhole = ({ n, parts }) => n === parts.length;

class Block {
  hits = new Map();
  length = 0;

  constructor(element) {
    this.element = element;
  }

  // Does a little at each step; hits are kept once the whole block was read.
  *look(wanted, needles) {
    const found = new Map(wanted.map(({ key }) => [key, []]));
    let length = 0;
    function* pieces(element) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node; (node = walker.nextNode()); length += node.data.length) {
        yield { node, line: node.parentElement.closest(LINES) };
      }
    }
    for (const hit of hitsIn(pieces(this.element), needles)) {
      if (hit) found.get(hit.key).push({ ...hit, block: this });
      else yield;
    }
    this.length = length;
    for (const [key, hits] of found) this.hits.set(key, hits);
  }
}

const isOwn = ({ key }) => key.startsWith("own ");
const placeOf = ({ offset, to }) => `${offset} ${to}`;

export class Found {
  blocks = [];
  #article;
  #needles = new Map();

  constructor(article) {
    this.#article = article;
  }

  // Looks for words by block; resolves with whether all was seen while `isWanted`.
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

  #present() {
    const known = new Map(this.blocks.map((block) => [block.element, block]));
    const elements = [...this.#article.querySelectorAll(BLOCKS)];
    this.blocks = elements.map((element) => known.get(element) ?? new Block(element));
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
      const hits = keys
        .flatMap((key) => block.hits.get(key) ?? [])
        .sort((one, other) => one.offset - other.offset);
      const own = new Set(hits.filter(isOwn).map(placeOf));
      return hits.filter((hit) => isOwn(hit) || !own.has(placeOf(hit)));
    });
  }
}
