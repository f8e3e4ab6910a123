// The key End in a long document, whose end is laid out only once it is reached, longer than guessed.
const MOST_STEPS = 120;
let n = 0; // of what was done last, so that a reader who goes on is not taken back

function go(article, mine, height, left) {
  if (mine !== n || left === 0) return;
  article.scrollTop = article.scrollHeight;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const isThere = article.scrollHeight === height && article.scrollTop + article.clientHeight >= height - 1;
    if (!isThere) go(article, mine, article.scrollHeight, left - 1);
  }));
}

document.addEventListener("keydown", (event) => {
  n += 1;
  const article = document.querySelector(".judging-document");
  const isElsewhere = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target.matches("input, textarea, select, dialog *, aside *");
  if (event.key !== "End" || !article || isElsewhere) return;
  event.preventDefault();
  go(article, n, 0, MOST_STEPS);
});
for (const name of ["wheel", "pointerdown"]) addEventListener(name, () => (n += 1), { passive: true });
