// Finds what is typed in the text on the screen, and in the list where that has the focus or
// covers the text. It comes once it is asked for, and stays open from document to document.
import { button, counted, element } from "../element.js";
import { patternOf, placesIn } from "./finding.js";
import { BLOCKS, LINES, SLICE_MS, idle } from "./hits.js";
import { Jumps, paintAs, rangeOf } from "./marks.js";
import { view } from "./screen.js";

const MOST = 10000; // that are counted and shown
const NAME = "found";

const jumps = new Jumps();
const field = element("input", {
  id: "find-text", "aria-label": "Find in the text", autocomplete: "off",
  placeholder: "Find in the text",
});
const told = element("span", { role: "status" });
const form = element(
  "form", { class: "judging-find", role: "search" }, field, told,
  step("↑", -1, "Previous match"), step("↓", 1, "Next match"),
  button("×", close, { "aria-label": "Close", title: "Esc" }),
);
let looked = new Map(); // the hits of each block
let pattern;
let nLooks = 0;
let number = 0; // of the match that was gone to

function forget() {
  looked = new Map();
  number = 0;
  jumps.forget();
}

function step(sign, by, name) {
  return button(sign, () => go(by), { "aria-label": name, title: name });
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
  pattern = patternOf(field.value);
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

export function open() {
  const list = document.getElementById("own");
  const covers = view.root.querySelector(".judging-actions").hidden;
  const its = list.querySelector("[type=search]");
  if (its && !list.hidden && (covers || list.contains(document.activeElement))) {
    its.select();
    return;
  }
  form.hidden = false;
  field.select();
  draw();
}

form.addEventListener("keydown", onKey);
form.addEventListener("submit", (event) => event.preventDefault());
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
view.root.append(form);
