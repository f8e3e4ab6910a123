// The documents as they will be once every act is saved; by number, as a docno may come twice.
import { ask, pause } from "./requests.js";

const OPEN = ["unjudged", "later", "reopened"];
// No values.
const STATES = { later: "later", cannot_judge: "cannot_judge", undo: "reopened" };
// The server says only what is not so.
const NEW = {
  docno: "", title: "", kind: "document", priority: 0, state: "unjudged", grade: null, reason: "",
  comment: "", change: 0, judged_version: 0, judged_topic: 0, by: "", former: null, ratings: {},
  passages: [], last: null,
};

/** @returns {Entry} */
function made(sent) {
  const entry = { ...NEW, ...sent };
  entry.comment = entry.comment.replaceAll("\r\n", "\n"); // as a field has it
  return { ...entry, order: entry.change, told: entry.change };
}

export class Queue {
  /** @type {Entry[]} */
  #entries;
  #clock;
  #heard = 0; // changes of the assignment after the last of one's own acts that was heard of

  // `changes` of the assignment that these documents have.
  constructor(entries, changes = 0) {
    this.#entries = entries.map(made);
    this.#clock = Math.max(0, ...this.#entries.map(({ change }) => change));
    this.changes = changes;
  }

  // Whether there are documents, or changes by others, that this page was not told of.
  isBehind({ size, changes: [before, after] }) {
    this.#heard = Math.max(this.#heard, after);
    const isChanged = before > this.changes;
    if (!isChanged) this.changes = Math.max(this.changes, after);
    return isChanged || size > this.size;
  }

  // What is new, and how the rest stands, unless an act since has been heard of. Names stay, and
  // until it is shown the change that acts follow.
  take(entries, changes = this.changes) {
    const isLate = changes < this.#heard;
    if (!isLate) this.changes = changes;
    this.#clock = Math.max(this.#clock, changes);
    for (const sent of entries) {
      const known = this.at(sent.number);
      const { docno, title, change } = known ?? {};
      if (!known) this.#entries.push(made(sent));
      else if (known.last === null && !isLate)
        Object.assign(known, made(sent), docno && { docno, title }, { change });
    }
  }

  get size() { return this.#entries.length; }

  entries() { return this.#entries.values(); }

  at(number) { return this.#entries[number - 1]; }

  // An unjudged document, by priority and then after a number; else the one put off longest ago.
  nextOpen(after = 0) { return this.ahead(after, 1)[0]; }

  ahead(after, n) {
    const unjudged = this.#entries.filter(({ state }) => state === "unjudged");
    const later = unjudged.filter(({ number }) => number > after);
    const sooner = unjudged.filter(({ number }) => number < after);
    const next = [...later, ...sooner].sort((one, other) => other.priority - one.priority);
    const putOff = this.#entries.filter(({ state }) => state === "later" || state === "reopened");
    putOff.sort((one, other) => one.order - other.order);
    return [...next, ...putOff].slice(0, n);
  }

  // What undo takes back: of one's own the last.
  decidedLast() {
    const decided = this.#entries.filter(
      (entry) => entry.order && !entry.by && !["unjudged", "reopened"].includes(entry.state),
    );
    return decided.sort((one, other) => other.order - one.order)[0];
  }

  counts() {
    const counts = { unjudged: 0, judged: 0, later: 0, reopened: 0, cannot_judge: 0 };
    for (const entry of this.#entries) counts[entry.state] += 1;
    return counts;
  }

  given(which) {
    return this.#entries.filter(({ kind, grade }) => `${kind} ${grade}` === which).length;
  }

  /**
   * What is sent, and, as `before`, what its return brings back.
   * @param {Entry} entry
   * @returns {Act}
   */
  act(entry, choice, { reason = "", comment = undefined, ...beside } = {}) {
    const { number, docno, version, title, change, told, ...before } = entry;
    const follows = entry.last ? { after: entry.last } : { change };
    const saying = comment === undefined || comment === entry.comment ? {} : { comment };
    return { docno, number, choice, reason, ...beside, ...saying, ...follows, before };
  }

  /** @param {Act} act */
  apply(act) {
    const entry = this.at(act.number);
    if (!entry) return;
    this.#clock += 1;
    Object.assign(entry, {
      docno: act.docno,
      state: STATES[act.choice] ?? "judged",
      grade: gradeOf(act.choice),
      reason: act.reason,
      comment: act.comment ?? entry.comment,
      ratings: act.ratings ?? entry.ratings,
      passages: act.passages ?? entry.passages,
      former: act.choice === "undo" ? entry.grade : null,
      by: "",
      order: this.#clock,
      last: act.client_id,
    });
    if (act.choice === "undo") return;
    [entry.judged_version, entry.judged_topic] = [act.document_version, act.topic_version];
  }

  revert(act) {
    const entry = this.at(act.number);
    if (entry) Object.assign(entry, act.before);
  }

  // The server's word, unless newer acts are unsent.
  /** @param {Act} act @param {Standing} now */
  confirm(act, now) {
    this.#settle(act, now, {});
  }

  /** @param {Act} act @param {Standing} now */
  refuse(act, now) {
    this.#settle(act, now, { order: now?.change, former: null });
  }

  #settle(act, now, beside) {
    const entry = this.at(act.number);
    if (!entry || !now) return;
    entry.change = entry.told = now.change;
    this.#heard = Math.max(this.#heard, now.change);
    if (entry.last === null || entry.last === act.client_id)
      Object.assign(entry, now, { last: null, ...beside });
  }
}

// How the documents stand, asked for until answered.
export async function standing({ place, user, say }) {
  for (let isSaid = false; ; isSaid = true) {
    try {
      const { text } = await ask(`${place}queue/`, user);
      if (isSaid) say("");
      return JSON.parse(text);
    } catch (error) {
      say(error.sentence ?? "The page failed.");
    }
    await pause();
  }
}

export const gradeOf = (choice) => (choice in STATES ? null : Number(choice));

export const isOpen = (entry) => OPEN.includes(entry.state);
