// Shows hits by the CSS Custom Highlight API, and as ticks on a rail.
// One's own, and the topic's by how rare they are.
const NAMES = [1, 2, 3, 4, 5, "rare", "topic", "common"];
const HIT = "words-hit"; // the one that was jumped to
const MOST = 10000; // that are painted; more are counted
const BINS = 160; // of the rail
const SVG = "http://www.w3.org/2000/svg";
const canPaint = "highlights" in CSS && "Highlight" in window;

// Static: a document does not change.
export function rangeOf(hit) {
  hit.range ??= new StaticRange({
    startContainer: hit.start,
    startOffset: hit.at,
    endContainer: hit.end,
    endOffset: hit.to,
  });
  return hit.range;
}

// Shows these ranges as the styles say for a name; where there are none, what was shown goes.
export function paintAs(name, ranges, priority) {
  if (!canPaint) return;
  if (ranges.length)
    CSS.highlights.set(name, Object.assign(new Highlight(...ranges), { priority }));
  else CSS.highlights.delete(name);
}

export function paint(marked) {
  let left = MOST;
  for (const name of NAMES) {
    const its = marked.filter(({ mark }) => mark === name).flatMap((each) => each.hits);
    const hits = its.slice(0, Math.max(left, 0));
    left -= hits.length;
    paintAs(`words-${name}`, hits.map(rangeOf), Number(typeof name === "number"));
  }
}

export class Jumps {
  #article;
  #hits = [];
  #last = null;

  // The hits of what is on the screen; it goes on from where it was if that is among them.
  set(article, hits) {
    if (article !== this.#article) this.forget();
    this.#article = article;
    this.#hits = hits;
  }

  forget() {
    this.#last = null;
    paintAs(HIT, []);
  }

  // The next hit, or with -1 the one before: { hit, number, of }; undefined if there is none.
  go(step) {
    const n = this.#hits.length;
    if (!n) return undefined;
    const at = this.#hits.indexOf(this.#last);
    const next = at < 0 ? (step > 0 ? 0 : n - 1) : (at + step + n) % n;
    return this.#to(next);
  }

  near(share, placeOf) {
    const places = this.#hits.map((hit) => Math.abs(placeOf(hit) - share));
    return places.length ? this.#to(places.indexOf(Math.min(...places))) : undefined;
  }

  #to(index) {
    const hit = this.#hits[index];
    this.#last = hit;
    const range = rangeOf(hit);
    paintAs(HIT, [range], 3);
    center(this.#article, range);
    // Its height was guessed.
    requestAnimationFrame(() => { if (this.#last === hit) center(this.#article, range); });
    return { hit, number: index + 1, of: this.#hits.length };
  }
}

// The focus stays, and what is in view if it may.
export function center(article, hit, mayStay = false) {
  const range = document.createRange(); // a static one has no box
  range.setStart(hit.startContainer, hit.startOffset);
  range.setEnd(hit.endContainer, hit.endOffset);
  const [box, view] = [range.getBoundingClientRect(), article.getBoundingClientRect()];
  if (mayStay && (!box.height || (box.top > view.top && box.bottom < view.bottom))) return;
  article.scrollTop += (box.top + box.bottom) / 2 - (view.top + view.bottom) / 2;
}

// The ticks. They are drawn after the document is, and again when its height changes.
export class Rail {
  #svg;
  #article;
  #marked = [];
  #blocks = [];
  #isAsked = false;
  #sizes = new ResizeObserver(() => this.#ask());

  constructor(svg, onClick) {
    this.#svg = svg;
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      onClick((event.clientY - box.top) / box.height, this.#placer());
    });
  }

  show(article, blocks, marked) {
    if (article !== this.#article) {
      this.#sizes.disconnect();
      const parts = [article, article?.querySelector(".document-text")].filter(Boolean);
      for (const each of parts) this.#sizes.observe(each);
    }
    this.#article = article;
    this.#blocks = blocks;
    this.#marked = marked;
    this.#ask();
  }

  #ask() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.#isAsked = false;
      this.#draw();
    }));
  }

  // How far down a hit is; within a block by characters, so that nothing unseen is laid out.
  #placer() {
    const { scrollHeight, scrollTop } = this.#article;
    const top = this.#article.getBoundingClientRect().top - scrollTop;
    const blocks = new Map();
    for (const block of this.#blocks) {
      const box = block.element.getBoundingClientRect();
      const each = box.height / scrollHeight / Math.max(block.length, 1);
      blocks.set(block, [(box.top - top) / scrollHeight, each]);
    }
    return (hit) => {
      const [start, each] = blocks.get(hit.block);
      return start + each * hit.offset;
    };
  }

  #draw() {
    const article = this.#article;
    if (!article?.isConnected) {
      this.#svg.replaceChildren();
      return;
    }
    // Beside the scroll bar.
    this.#svg.style.marginInlineEnd = `${article.offsetWidth - article.clientWidth}px`;
    const place = this.#placer();
    const ticks = [];
    for (const { mark, hits } of this.#marked) {
      const bins = new Set(hits.map((hit) => Math.min(BINS - 1, Math.floor(place(hit) * BINS))));
      for (const bin of bins) ticks.push(tick(mark, bin));
    }
    this.#svg.replaceChildren(...ticks);
  }
}

function tick(mark, bin) {
  const made = document.createElementNS(SVG, "rect");
  made.dataset.mark = mark;
  made.setAttribute("y", `${(bin / BINS) * 100}%`);
  made.setAttribute("width", "100%");
  made.setAttribute("height", "3");
  return made;
}
