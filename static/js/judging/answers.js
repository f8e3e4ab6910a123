// What is pressed becomes an act at once, shown as if it were saved; undo and redo are acts too.
import { gradeOf, isOpen } from "./queue.js";
import { bring, freshId, pause } from "./requests.js";
import {
  bringList, commentOn, count, desk, dropDrafts, foresee, sayWhyIdle, screen, show, showNext, stop,
  view,
} from "./screen.js";
import { spent } from "./times.js";

export function give(choice, reason = "") {
  const { current } = screen;
  const done = (beside) => finish(choice, reason, beside);
  if (desk.further) desk.further.ask(current, choice, done);
  else done();
}

export function finish(choice, reason, beside) {
  const { current: entry, nRefused } = screen;
  const said = desk.queue.act(entry, choice, { reason, comment: view.comment, ...beside });
  desk.undone = desk.undone.filter(({ number }) => number !== entry.number);
  dropDrafts(entry);
  const keys = nRefused === 1 ? "A key before it" : `${nRefused} keys before it`;
  const refused = nRefused ? ` ${keys} came too early.` : "";
  const sentence = `${entry.docno}: ${view.words(choice, reason, entry)}.${refused}`;
  commit({ ...said, document_version: view.version }, sentence);
  if (!desk.stay?.(entry)) show(desk.queue.nextOpen(entry.number));
  bringList();
  sayWhyIdle("");
}

// What has changed beside a grade that stays.
export function regrade(entry, beside, sentence) {
  const more = { comment: commentOn(entry), ...beside };
  const said = desk.queue.act(entry, String(entry.grade), more);
  commit({ ...said, document_version: view.version }, sentence);
  dropDrafts(entry);
}

function commit(said, sentence) {
  const method = document.body.dataset.lastInput ?? "other";
  const made = { client_id: freshId(), at: new Date().toISOString(), ...desk.seen };
  const act = { ...made, opinions: desk.opinions?.(), ...said, method, ...spent(said.number) };
  desk.queue.apply(act);
  desk.outbox.add(act).catch((error) => failed(act, error));
  tell(sentence);
}

function tell(sentence) {
  count();
  view.toast(sentence);
  view.notice("");
}

// Nothing is graded that this browser could lose.
/** @param {Act} act */
function failed(act, { name = "unknown error" }) {
  desk.queue.revert(act);
  if (act.comment !== undefined) {
    desk.drafts.keep(act.number, act.before.comment, act.comment).catch(() => {});
  }
  const why = `This browser cannot keep what you press (${name}), so judging stops here.`;
  stop(`${why} The last answer, on ${act.docno}, was not saved.`);
  show(desk.queue.at(act.number));
}

export function undo() {
  if (desk.further?.undoMark() || desk.further?.back()) return;
  const entry = desk.queue.decidedLast();
  if (!entry) {
    view.notice("There is nothing to undo.");
    return;
  }
  const { number, docno, reason, ratings } = entry;
  const choice = entry.state === "judged" ? String(entry.grade) : entry.state;
  desk.undone.push({
    number,
    choice,
    reason,
    document_version: entry.judged_version,
    topic_version: entry.judged_topic,
    ...(desk.further && { ratings }),
  });
  const unsent = entry.last && desk.outbox.unsent(entry.last);
  const sentence = `${docno}: ${view.words(choice, reason, entry)}, taken back.`;
  // An answer that replaced another is not just forgotten: the document is to be open.
  if (unsent && (unsent.before.by || isOpen(unsent.before))) {
    takeBack(unsent, entry);
    tell(sentence);
  } else commit(desk.queue.act(entry, "undo"), sentence);
  show(entry);
}

function takeBack(unsent, entry) {
  const written = commentOn(entry);
  desk.further?.takeBack(unsent, entry);
  desk.queue.revert(unsent);
  desk.outbox.cancel(unsent).catch(({ name }) => stop(
    `This browser cannot take back what you pressed (${name}): load the page again.`));
  if (written !== entry.comment) desk.drafts.keep(entry.number, entry.comment, written);
  entry.former = gradeOf(unsent.choice) ?? entry.former;
}

export function redo() {
  const last = desk.undone.pop();
  if (!last) {
    view.notice("There is nothing to redo.");
    return;
  }
  const entry = desk.queue.at(last.number);
  // Of the text that was judged, whatever has replaced it since.
  const { choice, reason, ...judged } = last;
  judged.passages = desk.further?.said(entry).passages; // what was marked meanwhile too
  const said = desk.queue.act(entry, choice, { reason, comment: commentOn(entry) });
  dropDrafts(entry);
  desk.further?.close();
  const sentence = `${entry.docno}: ${view.words(choice, reason, entry)}, again.`;
  commit({ ...said, ...judged }, sentence);
  if (!desk.stay?.(entry)) show(desk.queue.nextOpen(entry.number));
}

export function hear({ saved, returned, now, told, more, changes, ended, trouble }) {
  if (ended) stop(ended);
  if (told && (desk.queue.isBehind(told) || told.few)) bringMore();
  if (more) take(more, changes);
  if (saved) {
    desk.queue.confirm(saved, now);
    if (now?.by && saved.choice === "undo") {
      view.toast(`Undone. ${saved.docno} stands again as ${now.by} judged it before you.`);
    }
    if (now?.named) desk.tellNames?.(saved, now);
  }
  if (returned) giveBack(returned, now);
  count();
  view.unsaved(desk.outbox.size, trouble);
  desk.showKnown?.(screen.current);
}

function take(more, changes) {
  const { current } = screen;
  desk.queue.take(more, changes);
  desk.forget?.(more);
  if (!more.length) return;
  if (!current) {
    if (!desk.queue.nextOpen()) return;
    showNext();
    view.toast("More documents have come.");
  } else if (current.state === "given_up" && !view.isWriting) {
    const { gone = "has been judged by others, or is with them now." } = desk;
    view.notice(`${current.docno} ${gone}`);
    showNext();
  } else foresee();
}

function giveBack(act, now) {
  const { current } = screen;
  if (now) desk.queue.refuse(act, now);
  else desk.queue.revert(act);
  const entry = desk.queue.at(act.number);
  if (act.comment !== undefined && !desk.drafts.has(act.number)) {
    desk.drafts.keep(act.number, entry?.comment ?? "", act.comment).catch(() => {});
  }
  desk.further?.takeBack(act, entry);
  desk.forget?.([act]);
  showReturned(act);
  // Nobody is taken away from what they write or read.
  if (!current) showNext();
  else if (entry === current && !view.isTyping) show(current, { push: false });
}

// What came back, until its author has seen it.
export function showReturned(act) {
  const dismiss = () => desk.store.drop("returned", act.client_id);
  const tellAtLeast = () => view.notice(`Not saved. ${act.refused}`, { stays: true });
  view.giveBack(act, desk.queue.at(act.number), dismiss).catch(tellAtLeast);
}

let isBringing = false;

// More of the topic, whenever the server says that there is some, and at its end. What asks comes
// once there is a network.
export async function bringMore() {
  if (isBringing) return;
  isBringing = true;
  let more;
  while (!(more = await bring("./more.js").catch(() => {}))) await pause();
  isBringing = false;
  more.ask();
}
