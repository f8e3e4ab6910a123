// Places of passages: characters before them, white space left out, as in assess/core/passages.py.
const WHITE = /[\s\x1c-\x1f\x85\ufeff]+/g;
const HALVES = /[\ud800-\udbff][\udc00-\udfff]/g;

export const bare = (text) => text.replace(WHITE, "");

// In code points.
const length = (text) => text.length - (text.match(HALVES)?.length ?? 0);

export const lengthOf = (text) => length(bare(text));

// Whether a point is between the two halves of a character.
const isInsideOne = (node, at) =>
  /[\udc00-\udfff]/.test(node.data?.[at] ?? "") && /[\ud800-\udbff]/.test(node.data[at - 1] ?? "");

const textOf = (article) => article?.querySelector(".document-text");

export const isComplete = (article) => !article.querySelector("[data-rest]");

// The part of a range in the article's text: { before, text, n }, or undefined.
export function placeOf(article, range) {
  const text = textOf(article);
  if (!text || !range.intersectsNode(text)) return undefined;
  const whole = document.createRange();
  whole.selectNodeContents(text);
  const rest = text.querySelector("[data-rest]");
  if (rest) whole.setEndBefore(rest);
  const inside = range.cloneRange();
  if (inside.compareBoundaryPoints(Range.START_TO_START, whole) < 0)
    inside.setStart(whole.startContainer, whole.startOffset);
  if (inside.compareBoundaryPoints(Range.END_TO_END, whole) > 0)
    inside.setEnd(whole.endContainer, whole.endOffset);
  if (isInsideOne(inside.startContainer, inside.startOffset))
    inside.setStart(inside.startContainer, inside.startOffset - 1);
  if (isInsideOne(inside.endContainer, inside.endOffset))
    inside.setEnd(inside.endContainer, inside.endOffset + 1);
  const quoted = inside.toString();
  const n = lengthOf(quoted);
  if (!n) return undefined;
  const above = document.createRange();
  above.setStart(text, 0);
  above.setEnd(inside.startContainer, inside.startOffset);
  return { before: lengthOf(above.toString()), text: quoted.trim(), n };
}

export function nodesOf(article) {
  const text = textOf(article);
  if (!text) return [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const nodes = [];
  for (let node; (node = walker.nextNode()); ) {
    if (!node.parentElement.closest("[data-rest]")) nodes.push(node);
  }
  return nodes;
}

function rangeBetween(start, end) {
  const range = document.createRange();
  range.setStart(start.node, start.at);
  range.setEnd(end.node, end.after);
  return range;
}

// Finds passages in text nodes, by how many characters come before each of these.
export class Places {
  #nodes = [];
  #bare;
  #between;

  constructor(nodes, between = rangeBetween) {
    let n = 0;
    const parts = [];
    for (const node of nodes) {
      const its = bare(node.data);
      this.#nodes.push([n, node]);
      n += length(its);
      parts.push(its);
    }
    this.#bare = parts.join("");
    this.#between = between;
  }

  // The range of a passage, at its place or else wherever its text is.
  find([before, text]) {
    const wanted = bare(text);
    const n = length(wanted);
    if (!n) return undefined;
    const range = this.#range(before, n);
    if (range && bare(range.toString()) === wanted) return { before, range };
    const at = this.#bare.indexOf(wanted);
    if (at < 0) return undefined;
    const elsewhere = length(this.#bare.slice(0, at));
    return { before: elsewhere, range: this.#range(elsewhere, n) };
  }

  #range(before, n) {
    const start = this.#point(before);
    const end = this.#point(before + n - 1);
    return start && end && this.#between(start, end);
  }

  // The character with so many before it: its node, and where it begins and ends there.
  #point(before) {
    let [low, high] = [0, this.#nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#nodes[middle][0] <= before) low = middle + 1;
      else high = middle;
    }
    // Of nodes with as many before them, all but the last are empty.
    if (!low) return undefined;
    const [n, node] = this.#nodes[low - 1];
    let [left, at] = [before - n, 0];
    for (const character of node.data) {
      const after = at + character.length;
      if (bare(character) && left-- === 0) return { node, at, after };
      at = after;
    }
    return undefined;
  }
}
