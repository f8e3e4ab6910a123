// Finds what is typed in the text on the screen. It comes once it is asked for, after its field,
// and stays open from document to document.
import { counted } from "../element.js";
import { patternOf, placesIn } from "./finding.js";
import { BLOCKS, LINES, SLICE_MS, idle } from "./hits.js";
import { Jumps, paintAs, rangeOf } from "./marks.js";
import { view } from "./screen.js";

const MOST = 10000; // that are counted and shown
const NAME = "found";

const jumps = new Jumps();
const form = document.getElementById("find");
const field = form.querySelector("input");
const told = form.querySelector("[role=status]");
let typed = ""; // that was looked for
let looked = new Map(); // the hits of each block
let pattern;
let nLooks = 0;
let number = 0; // of the match that was gone to

function forget() {
  looked = new Map();
  number = 0;
  jumps.forget();
}

// A line break divides words as a blank does.
function* linesOf(block) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let [line, nodes] = [null, []];
  for (let node; (node = walker.nextNode()); ) {
    if (node.nodeName === "BR") nodes.push({ data: " " });
    if (node.nodeType !== Node.TEXT_NODE) continue;
    const its = node.parentElement.closest(LINES);
    if (its !== line) {
      yield nodes;
      [line, nodes] = [its, []];
    }
    nodes.push(node);
  }
  yield nodes;
}

const blocksOf = (article) =>
  "waiting" in article.dataset || "finished" in article.dataset
    ? []
    : [...article.querySelectorAll(BLOCKS)];

const hitsIn = (block) => [...linesOf(block)].flatMap((nodes) => [...placesIn(nodes, pattern)]);

// In slices, and only in what was not looked at yet; resolves with whether that is still wanted.
async function look() {
  const mine = ++nLooks;
  let [until, n] = [performance.now() + SLICE_MS, 0];
  for (const block of pattern ? blocksOf(view.article) : []) {
    if (!looked.has(block)) looked.set(block, hitsIn(block));
    n += looked.get(block).length;
    if (n >= MOST) break;
    if (performance.now() < until) continue;
    await idle();
    if (mine !== nLooks) return false;
    until = performance.now() + SLICE_MS;
  }
  return true;
}

function hits() {
  const found = blocksOf(view.article).flatMap((block) => looked.get(block) ?? []);
  return pattern ? found.slice(0, MOST) : [];
}

function tell(n) {
  const isPart = view.article.querySelector("[data-rest]");
  const many = n < MOST ? counted(n) : `${counted(MOST)} or more`;
  const all = `${many} ${n === 1 ? "match" : "matches"}`;
  const place = number ? `${counted(number)} of ${many}` : all;
  told.textContent = pattern ? `${n ? place : "no match"}${isPart ? " so far" : ""}` : "";
}

function go(by) {
  const jump = jumps.go(by);
  number = jump?.number ?? 0;
  tell(jump?.of ?? 0);
}

async function draw() {
  if (form.hidden || !(await look())) return;
  const its = hits();
  paintAs(NAME, its.map(rangeOf), 2);
  jumps.set(view.article, its);
  tell(its.length);
}

async function onInput() {
  typed = field.value;
  pattern = patternOf(typed);
  forget();
  await draw();
  if (pattern && !number) go(1);
}

function close() {
  form.hidden = true;
  paintAs(NAME, []);
  forget();
  view.article.focus({ preventScroll: true });
}

function onKey(event) {
  event.stopPropagation(); // no key of the page is one here
  if (event.key === "Escape") close();
  if (event.key !== "Enter" || event.target !== field) return;
  event.preventDefault();
  go(event.shiftKey ? -1 : 1);
}

// With what was typed before this script was there.
export const open = () => (field.value === typed ? draw() : onInput());

form.addEventListener("keydown", onKey);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("click", ({ target }) => {
  if (target.dataset.by) go(Number(target.dataset.by));
  else if (target.matches("button")) close();
});
// The field keeps the focus, so that no digit grades.
form.addEventListener("mousedown", (event) => {
  if (event.target !== field) event.preventDefault();
});
field.addEventListener("input", onInput);
document.addEventListener("judging:shown", () => {
  forget();
  draw();
});
document.addEventListener("judging:grown", draw);
