// The end of a long document, which is laid out only once it is reached, longer than guessed.
const MOST_STEPS = 120;
let nDone = 0; // of what was done last, so that a reader who goes on is not taken back

function go(article, mine, height, left) {
  if (mine !== nDone || left === 0) return;
  article.scrollTop = article.scrollHeight;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const { scrollHeight, scrollTop, clientHeight } = article;
    const isThere = scrollHeight === height && scrollTop + clientHeight >= height - 1;
    if (!isThere) go(article, mine, scrollHeight, left - 1);
  }));
}

export function toEnd(article) {
  nDone += 1;
  go(article, nDone, 0, MOST_STEPS);
}

for (const name of ["keydown", "wheel", "pointerdown"])
  addEventListener(name, () => (nDone += 1), { passive: true });
