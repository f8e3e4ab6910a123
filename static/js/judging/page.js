// A key shows the next document at once; its answer is kept here until the server has it.
import { watchArrivals } from "./arrival.js";
import { Documents } from "./documents.js";
import { Drafts } from "./drafts.js";
import { say } from "./elements.js";
import { Outbox } from "./outbox.js";
import { closeIfNarrow, placePanes } from "./panes.js";
import { Queue, isOpen, standing } from "./queue.js";
import { freshId, pause, post } from "./requests.js";
import { Store } from "./store.js";
import { ANSWER_MS, beAlone } from "./tabs.js";
import { spent } from "./times.js";
import { View } from "./view.js";

const view = new View(document.getElementById("judging"));
const { user, place, topic } = view.root.dataset;
const leastMs = Number(view.root.dataset.leastMs);
const documents = new Documents({ place, user });
const own = document.getElementById("own");

let queue, outbox, drafts, list, further; // the last only where something is asked beside the grade
let seen; // the topic's version and the scale that this page shows
let seconds; // that a document takes, by one's own median
let current; // the entry on the screen; none once every document is judged
let visit = 0;
let nRefused = 0; // keys that came too early for the document that was asked for last
let notYet = ""; // why the page is not ready yet
let isStopped = false;
let asking = ""; // for more of a shared topic, in words
const undone = []; // what redo gives again: { number, choice, reason }
async function show(entry, { push = true } = {}) {
  const asked = ++visit;
  document.querySelector("#cannot-judge[open]")?.close(); // its reason was for the document before
  if (further?.close()) view.notGraded(current);
  current = entry;
  nRefused = 0;
  if (push) history.pushState(null, "", entry ? `${place}?number=${entry.number}` : place);
  if (!entry) {
    view.finish(queue);
    view.asking(asking);
    arrive();
    tell();
    return;
  }
  let article = documents.ready(entry);
  if (!article) {
    present(view.waiting(entry, "It is on its way."));
    article = await fetched(entry, asked);
  }
  if (asked === visit && article) present(article);
}

// Asks until the document is there or another one is wanted.
async function fetched(entry, asked) {
  while (asked === visit) {
    try {
      return await documents.get(entry);
    } catch (error) {
      if (asked !== visit) return undefined;
      const waiting = view.waiting(entry, `It cannot be shown yet. ${error.sentence ?? "The page failed."}`);
      if (waiting.ariaLabel !== view.article.ariaLabel) present(waiting); // it takes the focus
      await pause();
    }
  }
  return undefined;
}

function present(article) {
  view.offerRedo(undone.length);
  if (!current.docno) [current.title, current.docno] = view.named(article);
  view.present(article, current, queue, seen, comment(current));
  arrive();
  tell(article);
  documents.complete(current, article);
  const ahead = queue.ahead(current.number, 3);
  documents.foresee([...ahead, queue.at(current.number + 1), queue.at(current.number - 1)].filter(Boolean));
}

const comment = (entry) => drafts.of(entry.number, entry.comment);

const arrived = watchArrivals(view.root, leastMs, () => {
  nRefused += 1;
  const again = nRefused > 1 ? ` (${nRefused} times)` : "";
  if (!queue) unready();
  else if (view.isWaiting) view.notice(`Too quick${again}: this document was not here yet. Press again once it is.`);
  else view.notice(`Too quick${again}: this document had only just appeared. Press again.`);
});

function unready() {
  view.notice(`Nothing was saved: this page is not ready yet. ${notYet || "Press again in a moment."}`);
}

// Whether something can be done now; if not, it is said why.
function isReady() {
  if (isStopped) view.sayStopped();
  else if (!queue) unready();
  return !isStopped && queue !== undefined;
}

function arrive() {
  if (!view.isTyping) {
    getSelection().removeAllRanges(); // a reader's place would stay there
    view.look();
  }
  arrived(!view.isWaiting);
}

// What is seldom wanted comes with the first answer, or once it is asked for.
async function bringList() {
  if (list) return;
  try {
    const { List } = await import("./list.js");
    list ??= new List(own);
    if (queue) list.show(queue, current);
    if (own.contains(document.activeElement)) own.querySelector("[aria-current]")?.focus();
  } catch {
    if (!own.hidden) view.notice("The list cannot be shown: the server cannot be reached.");
  }
}

const sayWhyIdle = (key) => import("./idle.js").then(
  ({ sayWhy }) => sayWhy(view.root, key, (sentence) => view.notice(sentence)),
  () => key && view.notice(`${key} does nothing here.`),
);

// Other scripts of the page look at what is on the screen.
function tell(article) {
  list?.show(queue, current);
  document.dispatchEvent(new CustomEvent("judging:shown", { detail: { entry: current, article } }));
}

function count() {
  view.count(queue, seconds);
  list?.show(queue, current);
}
function answer(choice, reason = "") {
  const give = (beside) => finish(choice, reason, beside);
  if (!further?.ask(current, choice, give)) give(further?.said(current));
}

function finish(choice, reason, beside) {
  const entry = current;
  const said = { ...queue.act(entry, choice, { reason, comment: view.comment, ...beside }), document_version: view.version };
  const at = undone.findIndex((each) => each.number === entry.number);
  if (at >= 0) undone.splice(at, 1);
  dropDrafts(entry);
  const refused = nRefused === 1 ? " A key before it came too early." : ` ${nRefused} keys before it came too early.`;
  commit(said, `${entry.docno}: ${view.words(choice, reason)}.${nRefused ? refused : ""}`);
  show(queue.nextOpen(entry.number));
  bringList();
  sayWhyIdle("");
}

// An act has what was only written so far.
function dropDrafts({ number }) {
  drafts.drop(number)?.catch(() => {});
  further?.drop(number);
}

// What has changed beside a grade that stays.
function regrade(entry, beside, sentence) {
  commit({ ...queue.act(entry, String(entry.grade), { comment: comment(entry), ...beside }), document_version: view.version }, sentence);
  dropDrafts(entry);
}

function commit(said, sentence) {
  const method = document.body.dataset.lastInput ?? "other";
  const act = { client_id: freshId(), at: new Date().toISOString(), ...seen, ...said, method, ...spent(said.number) };
  queue.apply(act);
  outbox.add(act).catch((error) => failed(act, error));
  count();
  view.toast(sentence);
  view.notice("");
}

// Nothing is graded that this browser could lose.
function failed(act, error) {
  queue.revert(act);
  if (act.comment !== undefined) drafts.keep(act.number, act.before.comment, act.comment).catch(() => {});
  stop(`This browser cannot keep what you press (${error?.name ?? "unknown error"}), so judging stops here. The last answer, on ${act.docno}, was not saved.`);
  show(queue.at(act.number));
}

function stop(sentence) {
  isStopped = true;
  further?.close();
  view.stop(sentence);
}

function undo() {
  if (further?.undoMark() || further?.back()) return;
  const entry = queue.decidedLast();
  if (!entry) {
    view.notice("There is nothing to undo.");
    return;
  }
  const choice = entry.state === "judged" ? String(entry.grade) : entry.state;
  undone.push({ number: entry.number, choice, reason: entry.reason, document_version: entry.judged_version, topic_version: entry.judged_topic, ...(further && { ratings: entry.ratings, passages: entry.passages }) });
  const unsent = entry.last && outbox.unsent(entry.last);
  const sentence = `${entry.docno}: ${view.words(choice, entry.reason)}, taken back.`;
  // An answer that replaced another is not just forgotten: the document is to be open.
  if (unsent && (unsent.before.by || isOpen(unsent.before))) {
    const written = comment(entry);
    further?.takeBack(unsent, entry);
    queue.revert(unsent);
    outbox.cancel(unsent).catch((error) => stop(`This browser cannot take back what you pressed (${error?.name}): load the page again.`));
    if (written !== entry.comment) drafts.keep(entry.number, entry.comment, written);
    if (/^-?\d+$/.test(unsent.choice)) entry.former = Number(unsent.choice);
    count();
    view.toast(sentence);
    view.notice("");
  } else commit(queue.act(entry, "undo"), sentence);
  show(entry);
}

function redo() {
  const last = undone.pop();
  if (!last) {
    view.notice("There is nothing to redo.");
    return;
  }
  const entry = queue.at(last.number);
  const { choice, reason, ...judged } = last; // of the text that was judged, whatever has replaced it since
  if (further && entry === current) judged.passages = further.said(entry).passages; // what was marked meanwhile too
  const said = { ...queue.act(entry, choice, { reason, comment: comment(entry) }), ...judged };
  dropDrafts(entry);
  commit(said, `${entry.docno}: ${view.words(last.choice, last.reason)}, again.`);
  show(queue.nextOpen(entry.number));
}
function heard({ saved, returned, now, few, more, ended, trouble }) {
  if (ended) stop(ended);
  if (few) borrow();
  if (more?.length) {
    queue.take(more);
    if (!current) show(queue.nextOpen(), { push: false });
    else if (current.state === "given_up" && !view.isWriting) {
      view.notice(`${current.docno} has been judged by others, or is with them now.`);
      show(queue.nextOpen(), { push: false });
    } else documents.foresee(queue.ahead(current.number, 3));
  }
  if (saved) {
    queue.confirm(saved, now);
    if (now?.by && saved.choice === "undo") view.toast(`Undone. ${saved.docno} stands again as ${now.by} judged it before you.`);
  }
  if (returned) {
    if (now) queue.refuse(returned, now);
    else queue.revert(returned);
    if (returned.comment !== undefined && !drafts.has(returned.number)) drafts.keep(returned.number, queue.at(returned.number)?.comment ?? "", returned.comment).catch(() => {});
    further?.takeBack(returned, queue.at(returned.number));
    view.giveBack(returned, queue.at(returned.number), dismiss);
    // Nobody is taken away from what they write or read.
    if (!current) show(queue.nextOpen(), { push: false });
    else if (returned.number === current.number && !view.isTyping) show(current, { push: false });
  }
  count();
  view.unsaved(outbox.size, trouble);
}

// More of a shared topic, asked for until there is an answer.
async function borrow() {
  if (asking) return;
  asking = "Asking for more documents.";
  while (asking && !isStopped) {
    view.asking(asking);
    const { saved, trouble } = await post(`${place}lend/`, user, { known: queue.size });
    asking = trouble ? `${trouble} More documents are asked for until it answers.` : "";
    view.asking(asking);
    if (saved) heard(saved);
    if (trouble) await pause();
  }
}

function dismiss(returned) {
  store.drop("returned", returned.client_id);
}
function onSubmit(event) {
  const form = event.target;
  if (!form.closest("#judging") || form.method === "dialog") return;
  event.preventDefault();
  if (!isReady()) return;
  const { name, value } = event.submitter ?? {};
  if (form.id === "undo") undo();
  else if (current && name) {
    document.querySelector("dialog:modal")?.close();
    view.flash(event.submitter);
    answer(name === "reason" ? "cannot_judge" : value, name === "reason" ? value : "");
  }
}

function onClick(event) {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    event.preventDefault(); // some browsers would open it as well
    say("");
    document.getElementById(opener.dataset.opens).showModal();
  }
  const closer = event.target.closest("[data-closes]");
  if (closer) document.getElementById(closer.dataset.closes).close();
  const summary = event.target.closest("[data-focuses]");
  if (summary) {
    event.preventDefault();
    view.write();
  }
  if (event.target.closest("[data-redo]") && isReady()) redo();
  if (event.target.closest("[data-rest] a") && queue) {
    event.preventDefault(); // it would begin anew
    view.notice("The rest of the text comes by itself, once the server answers.");
  }
  if (event.target.closest("#more button")) document.getElementById("more").hidePopover?.();
  const link = event.target.closest(".judging-steps a, .judging-kept a, .judging-own a");
  if (!link || !queue || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  view.notice("");
  closeIfNarrow("own");
  show(queue.at(Number(new URL(link.href).searchParams.get("number"))));
}

// Escape leaves the comment, or a panel, for the document.
function onEscape(event) {
  if (event.key !== "Escape" || !event.target.matches("#comment, .judging-own *")) return;
  event.target.blur();
  view.foldEmptyComment();
  view.look();
}

// Until it is known how the documents stand, a comment is on the one that the page came with.
const onScreen = () => current ?? { number: Number(view.root.dataset.number), comment: view.servedComment };

function keepComment() {
  const { number, comment: saved } = onScreen();
  if (number && drafts) drafts.keep(number, saved, view.comment).catch((error) => view.notice(`This browser cannot keep what you write (${error?.name}).`));
}

function onInput(event) {
  if (event.target.id === "comment") keepComment();
}

// What an earlier page could not save, and what was typed before this script was ready.
function takeUpComment() {
  const { number, comment: saved } = onScreen();
  const [typed, kept] = [view.comment, drafts.of(number, saved)];
  if (kept !== saved) {
    view.fillComment(typed === saved ? kept : `${kept}\n${typed}`);
    view.toast("A comment that you were writing is still there.");
  }
  if (typed !== saved) keepComment();
}

function onHistory() {
  if (!queue) return;
  const number = Number(new URLSearchParams(location.search).get("number"));
  view.notice("");
  show(queue.at(number) ?? queue.nextOpen(), { push: false });
}
let store;

async function start() {
  try {
    store = await Store.open(user);
    drafts = await Drafts.open(store, place);
    takeUpComment();
  } catch (error) {
    stop(`This browser cannot keep what you press (${error?.name}), so there is no judging in it: leave private browsing, or allow this site to store data.`);
    return;
  }
  if ("further" in view.root.dataset) further = await (await import("./further.js")).Further.open(view, store, place, regrade);
  outbox = new Outbox(store, { user, place, heard });
  const unsent = await outbox.load();
  const facts = await standing({ place, user, say: (sentence) => {
    view.notice(outbox.size ? "" : sentence);
    view.unsaved(outbox.size, (notYet = sentence));
  } });
  seen = view.seen;
  if (seen.topic_version !== facts.topic_version || seen.scale !== facts.scale) {
    location.reload(); // this page shows a statement or a scale that has been replaced
    return;
  }
  queue = new Queue(facts.entries);
  seconds = facts.seconds;
  for (const act of unsent) queue.apply(act);
  for (const returned of await store.all("returned")) if (returned.place === place) view.giveBack(returned, queue.at(returned.number), dismiss);
  const takeOver = beAlone(`cleverdon ${user} ${place}`, () => {
    outbox.hold();
    isStopped = true;
    further?.close();
    document.dispatchEvent(new CustomEvent("judging:elsewhere"));
    view.elsewhere(topic, () => { takeOver(); location.reload(); });
  });
  begin(unsent);
  count();
  view.unsaved(outbox.size);
  setTimeout(() => outbox.release(), ANSWER_MS); // a tab that was there first has said so by then
}

function begin(unsent) {
  const entry = queue.at(Number(view.root.dataset.number));
  const isAsked = new URLSearchParams(location.search).has("number");
  const isAnswered = entry && !isAsked && unsent.some((act) => act.number === entry.number) && !isOpen(entry);
  if (!entry || isAnswered) {
    show(queue.nextOpen(), { push: false });
    return;
  }
  if (view.shownVersion === entry.version && !view.isLaterPart) documents.adopt(entry, view.article);
  show(entry, { push: false });
  if (!isAsked) history.replaceState(null, "", `${place}?number=${entry.number}`);
}

document.addEventListener("keydown", () => (document.body.dataset.lastInput = "key"), true);
document.addEventListener("pointerdown", () => (document.body.dataset.lastInput = "click"), true);
document.addEventListener("submit", onSubmit);
document.addEventListener("click", onClick);
document.addEventListener("keydown", onEscape);
document.addEventListener("input", onInput);
addEventListener("popstate", onHistory);
document.addEventListener("key:idle", ({ detail: key }) => sayWhyIdle(key));
own.addEventListener("pane", () => { if (!own.hidden) bringList(); });
placePanes();
view.look();
// What is closed is only read: the server shows each document with what was said of it.
if ("closed" in view.root.dataset) {
  delete view.root.dataset.arriving;
  document.dispatchEvent(new CustomEvent("judging:shown", { detail: { entry: view.root.dataset.number && { number: Number(view.root.dataset.number) }, article: view.article } }));
} else start().catch((error) => stop(`The page failed (${error?.message}): load it again. What was not saved yet is kept.`));
