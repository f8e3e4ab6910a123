// Highlights the topic's words, by rarity, and the reader's own, with their counts.
import { button, counted, element, say } from "../element.js";
import { Found, spacelessWords } from "./hits.js";
import { Jumps, Rail, paint } from "./marks.js";
import { ask as fetched, pause } from "./requests.js";
import { OwnWords } from "./ownwords.js";
import { isOpen } from "./reading.js";
import { view } from "./screen.js";
import { Store } from "./store.js";

const FIRST = "";

const root = document.getElementById("judging");
const panel = document.getElementById("words");
const data = JSON.parse(document.getElementById("words-data").textContent);
const { place, user } = root.dataset;
const find = (selector) => panel.querySelector(selector);
const terms = [
  ...data.terms,
  ...spacelessWords(data).map((piece) => ({ label: piece, piece, mark: "topic" })),
].map((term) => ({ ...term, key: `topic ${term.label}` }));
const own = new OwnWords({ ...data, place, user, heard: changed, open: () => Store.open(user) });
const keyOf = ({ text }) => `own ${text}`;

const ofOwn = () => own.now.own.map((each) => ({ key: keyOf(each), own: each.text }));
const ofTopic = (forms) =>
  terms.map(({ key, label, piece }) => ({ key, piece, forms: forms[label] }));

function shown() {
  const { own: words, off } = own.now;
  const topical = terms.filter(({ label }) => !off.has(label.toLowerCase()));
  return [...topical, ...words.map((each) => ({ key: keyOf(each), mark: each.mark }))];
}
const looked = new WeakMap(); // by article
let current = null; // { article, found, forms }, the forms by part

function of(article) {
  const made = { article, found: new Found(article), forms: new Map() };
  if (!looked.has(article)) looked.set(article, made);
  return looked.get(article);
}

// A part of a long text whose forms are not known yet: the first, or by where it begins.
function unknown({ article, forms }) {
  const later = Array.from(article.querySelectorAll("[data-part]"), ({ dataset }) => dataset.part);
  return [FIRST, ...later].find((part) => !forms.has(part));
}

// Asks for the words' forms in each part, until answered or no longer shown.
async function ask(it, number, version) {
  if (it.isAsked) return;
  it.isAsked = true;
  for (let part; (part = unknown(it)) !== undefined; ) {
    try {
      it.forms.set(part, await fetchForms(number, version, part));
    } catch {
      if (it === current) await pause();
      if (it !== current) break;
      continue;
    }
    if (it === current) await lookAndDraw(it);
  }
  it.isAsked = false;
}

async function fetchForms(number, version, part) {
  const query = `version=${version}&topic=${data.topic_version}${part && `&from=${part}`}`;
  const { text } = await fetched(`${place}documents/${number}/words/?${query}`, user);
  return JSON.parse(text);
}

async function look(it, options) {
  const formsOf = ({ dataset }) => it.forms.get(dataset.part ?? FIRST);
  const wanted = (block) => [...(formsOf(block) ? ofTopic(formsOf(block)) : []), ...ofOwn()];
  return it.found.look(wanted, options);
}

async function show({ article, entry }) {
  jumps.forget();
  current = article && entry ? of(article) : null;
  const it = current;
  if (!it) {
    draw();
    return;
  }
  await painted(); // the document comes first
  await grown({ article, entry });
}

async function grown({ article, entry }) {
  const it = current;
  if (article !== it?.article) return;
  await lookAndDraw(it);
  await ask(it, entry.number, article.dataset.version ?? data.version);
}

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

async function lookAndDraw(it) {
  let isFirst = true;
  const onSlice = () => { if (isFirst) draw(); isFirst = false; };
  if (await look(it, { isWanted: () => it === current, onSlice })) draw();
}

// Before it is needed, so that it comes up with its highlights.
async function prepare({ article, entry }) {
  const it = of(article);
  await ask(it, entry.number, entry.version);
  if (it.forms.size && it !== current) await look(it, { isWanted: () => it !== current });
}
const jumps = new Jumps();
const rail = new Rail(document.getElementById("words-rail"), (share, placeOf) =>
  said(jumps.near(share, placeOf)),
);

function draw() {
  const marks = shown();
  const found = current?.found;
  const hits = found?.inOrder(marks.map(({ key }) => key)) ?? [];
  const byKey = new Map(marks.map(({ key }) => [key, []]));
  for (const hit of hits) byKey.get(hit.key).push(hit);
  const marked = marks.map(({ key, mark }) => ({ key, mark, hits: byKey.get(key) }));
  paint(marked);
  jumps.set(current?.article, hits);
  rail.show(current?.article, found?.blocks ?? [], marked);
  find(".words-place").textContent = "";
  const soFar = current?.article.querySelector("[data-rest]") ? " so far" : "";
  const isTold = (key) => found && (key.startsWith("own ") || current.forms.size);
  for (const each of panel.querySelectorAll("[data-n]")) {
    const { n: key } = each.dataset;
    const n = (byKey.get(key) ?? found?.of(key))?.length;
    each.textContent = isTold(key) ? counted(n) + soFar : "";
    each.closest("li").toggleAttribute("data-none", isTold(key) && n === 0);
  }
  fold(soFar);
}

// The topic's words without a hit are put away, until they are asked for.
let isUnfolded = false;
const rest = element("li");
rest.hidden = true; // until it is known which
rest.append(button("", () => { isUnfolded = !isUnfolded; draw(); }, { class: "chip" }));

function fold(soFar = "") {
  const none = panel.querySelectorAll("li[data-none]:has(button[aria-pressed])");
  for (const row of none) row.hidden = !isUnfolded;
  for (const row of panel.querySelectorAll("li[hidden]:not([data-none])")) row.hidden = false;
  rest.hidden = !none.length;
  const words = isUnfolded
    ? `hide the ${counted(none.length)} that are not here`
    : `${counted(none.length)} more not here${soFar}`;
  Object.assign(rest.firstChild, { textContent: words, ariaExpanded: String(isUnfolded) });
}

const word = (text, mark, key) => [
  element("span", { class: "marked", dir: "auto", "data-mark": mark }, text),
  " ",
  element("b", { "data-n": key }),
];

function topicChip({ label, key, mark }, off) {
  const is = !off.has(label.toLowerCase());
  const change = () => {
    own.switch(label, !is);
    find(`[data-n="${CSS.escape(key)}"]`)?.closest("button").focus(); // which is a new one
  };
  const title = is ? "Highlighted: press to leave it out" : "Left out: press to highlight it";
  const chip = button("", change, { class: "chip", title, "aria-pressed": is });
  chip.disabled = Boolean(data.closed);
  chip.append(...word(label, mark, key));
  return chip;
}

function ownChip(each) {
  const { text, mark } = each;
  const attributes = { class: "chip", "data-unsaved": each.isUnsaved ? "" : undefined };
  const remove = () => {
    own.remove(text);
    current?.article.focus({ preventScroll: true });
  };
  const ends = data.closed ? [] : [button("×", remove, { "aria-label": `Remove ${text}` })];
  return element("span", attributes, ...word(text, mark, keyOf(each)), ...ends);
}

function chips() {
  const { own: words, off } = own.now;
  const all = [...terms.map((term) => topicChip(term, off)), ...words.map(ownChip)];
  const rows = all.map((chip) => element("li", {}, chip));
  find("ul").replaceChildren(...rows, rest);
  panel.hidden = Boolean(data.closed) && !rows.length;
}

async function changed(sentence = "") {
  chips();
  write(sentence);
  draw();
  if (current) await lookAndDraw(current);
}

let refusal = ""; // of what was typed: it stays until it is typed anew, whatever is saved meanwhile

function write(sentence = "") {
  const n = own.nUnsaved;
  const changes = n === 1 ? "A change of your words is" : `${n} changes of your words are`;
  const kept = "not yet saved: kept in this browser and sent again by itself.";
  const unsaved = n ? `${changes} ${kept}` : "";
  const told = find(".words-said");
  told.textContent = [refusal, sentence, unsaved].filter(Boolean).join(" ");
  told.hidden = !told.textContent;
}
function said(jump) {
  if (!jump) {
    find(".words-place").textContent = "No hit.";
    view.toast("Nothing is highlighted here.");
    return;
  }
  const { hit, number, of: n } = jump;
  const which = `${number} of ${n}`;
  const name =
    terms.find(({ key }) => key === hit.key)?.label ??
    own.now.own.find((each) => keyOf(each) === hit.key)?.text;
  find(".words-place").textContent = which;
  say(`${which}, ${name}`);
}

function onClick(event) {
  const step = event.target.closest("[data-step]");
  if (step) said(jumps.go(Number(step.dataset.step)));
  if (!event.target.closest("[data-adds]")) return;
  if (!isOpen("topic")) document.querySelector('[data-pane="topic"]').click();
  find("form").hidden = false;
  find("input").focus();
}

function onSubmit(event) {
  event.preventDefault();
  const field = find("input");
  if (!field.value.trim()) return;
  refusal = own.add(field.value);
  if (!refusal) field.value = "";
  write();
}

function onEscape(event) {
  if (event.key !== "Escape") return;
  refusal = "";
  write();
  if (!event.target.value) find("form").hidden = true;
  current?.article.focus({ preventScroll: true });
}

panel.addEventListener("click", onClick);
find("form")?.addEventListener("submit", onSubmit);
find("input")?.addEventListener("keydown", onEscape);
document.addEventListener("judging:shown", ({ detail }) => show(detail));
document.addEventListener("judging:grown", ({ detail }) => grown(detail));
document.addEventListener("judging:fetched", ({ detail }) => prepare(detail));
panel.hidden = false;
chips();
Store.exists(user).then((is) => is && own.load(), () => {});
