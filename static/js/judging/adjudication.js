// Where assessors differ: what each said stands beside the document, its passages are marked in the
// text, and a key takes the grade of one of them with what was said beside it.
import { counted } from "../element.js";
import { finish } from "./answers.js";
import { signed } from "./list.js";
import { center, paintAs } from "./marks.js";
import { Places, nodesOf } from "./places.js";
import { desk, forget, screen, view } from "./screen.js";

const pane = document.getElementById("opinions");
const buttons = [...view.root.querySelectorAll("[name=take]")];
const chips = document.getElementById("chips").content;
let passages = []; // of what is on the screen, in the order of the text
let at = -1;

const of = (article) => [...(article?.querySelectorAll(".opinion") ?? [])];
const said = ({ dataset }) => ({ grade: Number(dataset.grade), ...JSON.parse(dataset.said) });
const opinion = (letter) => pane.querySelector(`.opinion[data-letter="${letter}"]`);

function show({ entry, article }) {
  name(article, entry);
  const opinions = article?.querySelector(".opinions");
  pane.replaceChildren(...(opinions ? [opinions.cloneNode(true)] : []));
  for (const button of buttons) {
    const grade = opinion(button.value)?.dataset.grade;
    button.hidden = grade === undefined;
    const chip = chips.querySelector(`[data-grade="${grade}"]`)?.cloneNode(true);
    if (chip) chip.lastChild.textContent = signed(grade);
    button.querySelector(".given").replaceChildren(chip ?? "");
  }
  at = -1;
  mark(article);
}

// Who said what is told once the document is decided; before, as the server has it.
function name(article, entry) {
  if (!entry?.named && entry?.state === "judged") return;
  const named = entry?.state === "judged" ? entry.named : [];
  for (const [n, each] of of(article).entries())
    each.querySelector(".name").textContent = named[n]?.[0] ?? "";
}

function mark(article) {
  const marked = of(article).map((each) => [each.dataset.letter, said(each).passages]);
  const places = marked.some(([, its]) => its.length) ? new Places(nodesOf(article)) : undefined;
  passages = [];
  for (const letter of buttons.map(({ value }) => value)) {
    const [, its = []] = marked.find(([each]) => each === letter) ?? [];
    const found = its.map((passage) => places.find(passage)).filter(Boolean);
    paintAs(`opinion-${letter.toLowerCase()}`, found.map(({ range }) => range), -1);
    passages.push(...found.map((place) => ({ letter, ...place })));
  }
  passages.sort((one, other) => one.before - other.before);
}

// To the next passage that anybody marked.
function jump() {
  if (!passages.length) {
    view.toast("Nobody marked a passage here.");
    return;
  }
  at = (at + 1) % passages.length;
  center(view.article, passages[at].range);
  const which = `Passage ${counted(at + 1)} of ${counted(passages.length)}`;
  view.toast(`${which}, marked by ${passages[at].letter}.`);
}

// The grade that somebody gave, with what they said beside it.
desk.take = (letter) => {
  const { grade, ratings, passages: marked } = said(opinion(letter));
  desk.further?.close();
  const beside = desk.further?.said(screen.current, ratings, grade) ?? {};
  const evidence = "passages" in beside ? { passages: marked } : {};
  finish(String(grade), "", { ...beside, ...evidence });
};

desk.gone = "is agreed on by now.";

// What the assessors say of these may be another now.
desk.forget = (changed) => {
  for (const { number } of changed) {
    const entry = desk.queue.at(number);
    if (entry) forget(entry);
  }
};

// What was on the screen goes with an answer, so that none rests on what was said before.
desk.opinions = () => pane.querySelector(".opinions")?.dataset.version;

desk.tellNames = ({ docno, choice }, { named, grade }) => {
  if (choice === "undo" || !named.length) return;
  const given = named.map(([who, its]) => `${who} ${signed(its)}`).join(", ");
  view.toast(`${docno}: ${signed(grade)} · ${given}`);
};

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-jumps]")) jump();
});
document.addEventListener("judging:shown", ({ detail }) => show(detail));
document.addEventListener("judging:grown", ({ detail }) => mark(detail.article));
