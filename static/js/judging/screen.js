// What the judging page works with, once it is there, and what is on its screen.
import { watchArrivals } from "./arrival.js";
import { Documents } from "./documents.js";
import { bring, pause } from "./requests.js";
import { View } from "./view.js";

export const view = new View(document.getElementById("judging"));
export const { user, place, topic, leastMs, number: served } = view.root.dataset;

const SOON = 3; // documents
const AHEAD = 20; // if they are short

/** @type {Desk} */
export const desk = { undone: [], isStopped: false, notYet: "" };

const own = document.getElementById("own");
const documents = new Documents({ place, user });
const arrived = watchArrivals(view.root, Number(leastMs), tooEarly);

export const screen = {
  /** @type {Entry} */
  current: undefined, // none once every document is judged
  seconds: undefined, // that a document takes, by one's own median
  nRefused: 0, // keys that came too early for the document that was asked for last
  visit: 0,
  asking: "", // for more of a shared topic, in words
  list: undefined,
};

export const forget = (entry) => documents.forget(entry);

export function unready() {
  const why = desk.notYet || "Press again in a moment.";
  view.notice(`Nothing was saved: this page is not ready yet. ${why}`);
}

export function isReady() {
  if (desk.isStopped) view.sayStopped();
  else if (!desk.queue) unready();
  return !desk.isStopped && desk.queue !== undefined;
}

export function stop(sentence) {
  desk.isStopped = true;
  desk.further?.close();
  view.stop(sentence);
}

// Why a key does nothing; without one, what says so is fetched.
export const sayWhyIdle = (key) => bring("./idle.js").then(
  ({ sayWhy }) => sayWhy(view.root, key, (sentence) => view.notice(sentence)),
  () => key && view.notice(`${key} does nothing here.`),
);

export const commentOn = (entry) => desk.drafts.of(entry.number, entry.comment);

// An act has what was only written so far.
export function dropDrafts({ number }) {
  desk.drafts.drop(number)?.catch(() => {});
  desk.further?.drop(number);
}

export async function show(entry, { push = true } = {}) {
  const asked = ++screen.visit;
  document.querySelector("#cannot-judge[open]")?.close();
  if (desk.further?.close()) view.notGraded(screen.current);
  const isAnother = screen.current !== entry;
  screen.current = entry;
  screen.nRefused = 0;
  view.offerRedo(desk.undone.length);
  const at = entry ? `${place}?number=${entry.number}` : place;
  if (push && isAnother) history.pushState(null, "", at);
  if (!entry) {
    view.finish(desk.queue);
    view.asking(screen.asking);
    arrive();
    tell();
    return;
  }
  let article = documents.ready(entry);
  if (!article) {
    present(view.waiting(entry, "It is on its way."));
    article = await fetched(entry, asked);
  }
  if (asked === screen.visit && article) present(article);
}

// Asks until it is there or another is wanted.
async function fetched(entry, asked) {
  while (asked === screen.visit) {
    try {
      return await documents.get(entry);
    } catch ({ sentence = "The page failed." }) {
      if (asked !== screen.visit) return undefined;
      const waiting = view.waiting(entry, `It cannot be shown yet. ${sentence}`);
      if (waiting.ariaLabel !== view.article.ariaLabel) present(waiting); // it takes the focus
      await pause();
    }
  }
  return undefined;
}

function present(article) {
  if (!screen.current.docno) [screen.current.title, screen.current.docno] = view.named(article);
  screen.current.change = screen.current.told;
  view.present(article, screen.current, desk.queue, desk.seen, commentOn(screen.current));
  arrive();
  tell(article);
  documents.complete(screen.current, article);
  foresee();
}

// Many, if they are short: for a time without a network.
export function foresee() {
  const { current: { number }, visit } = screen;
  const beside = [desk.queue.at(number + 1), desk.queue.at(number - 1)].filter(Boolean);
  const ahead = desk.queue.ahead(number, AHEAD);
  const soon = [...ahead.slice(0, SOON), ...beside];
  const asked = soon.map((entry) => documents.get(entry).catch(() => {}));
  Promise.all(asked).then(() => documents.reserve(ahead, () => visit === screen.visit));
}

export function adopt(entry) {
  if (view.shownVersion === entry.version && !view.isLaterPart) {
    documents.adopt(entry, view.article);
  }
}

// Another document comes up by itself.
export function showNext() {
  return show(desk.queue.nextOpen(), { push: false });
}

function tooEarly(isEarly) {
  screen.nRefused += 1;
  const again = screen.nRefused > 1 ? ` (${screen.nRefused} times)` : "";
  const came = isEarly ? "this document had only just appeared" : "the key before it was refused";
  if (!desk.queue) unready();
  else if (view.isWaiting) view.notice("Still loading: nothing was graded.");
  else view.notice(`Too quick${again}: ${came}. Press again.`);
  if (!view.isTyping) view.look(); // or Space would press what was clicked
}

function arrive() {
  if (!view.isTyping) {
    getSelection().removeAllRanges(); // a reader's place would stay there
    view.look();
  }
  arrived(!view.isWaiting);
}

// Other scripts of the page look at what is on the screen.
function tell(article = undefined) {
  screen.list?.show(desk.queue, screen.current);
  const detail = { entry: screen.current, article };
  document.dispatchEvent(new CustomEvent("judging:shown", { detail }));
}

export function count() {
  view.count(desk.queue, screen.seconds);
  screen.list?.show(desk.queue, screen.current);
}

export function asking(sentence) {
  screen.asking = sentence;
  view.asking(sentence);
}

// Seldom wanted: it comes with the first answer, or once asked for.
export async function bringList() {
  if (screen.list) return;
  try {
    const { List } = await bring("./list.js");
    screen.list ??= new List(own);
    if (desk.queue) screen.list.show(desk.queue, screen.current);
    if (own.contains(document.activeElement)) own.querySelector("[aria-current]")?.focus();
  } catch {
    if (!own.hidden) view.notice("The list cannot be shown: the server cannot be reached.");
  }
}
