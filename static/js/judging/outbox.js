// Unconfirmed acts: kept in the person's store, sent in order. Each id is recorded once.
import { Pending, post } from "./requests.js";

const MOST = 50;
const LATE_MS = 3000; // then it is said that the server does not answer
const PAUSES_MS = [1000, 2000, 4000, 8000, 15000];

// `heard` is told of an act that is `saved` or `returned`, and how its document stands `now`; how
// the assignment stands (`told`); why nothing can be saved any more (`ended`) or yet (`trouble`).
export class Outbox {
  #store;
  #user;
  #of;
  #heard;
  #pending;
  /** @type {Act[]} */
  #acts = [];
  /** @type {Act[]} */
  #sent = []; // last: on their way, gone, or to be sent again
  #isLeft = false;

  constructor(store, user, of, heard) {
    this.#store = store;
    this.#user = user;
    this.#of = of;
    this.#heard = heard;
    this.#pending = new Pending(this, (acts) => this.#post(acts), { pauses: PAUSES_MS });
    this.#pending.hold(); // until its page is ready to hear
  }

  async load() {
    const all = await this.#store.all("acts");
    this.#acts = all.filter((act) => act.place === this.#of.place);
    for (const act of this.#acts) act.tried = true; // it may have arrived
    return this.#acts;
  }

  get size() { return this.#acts.length; }

  release() {
    if (!this.#isLeft) this.#pending.release();
  }

  // Another tab judges this topic: nothing is sent from here any more.
  hold() {
    this.#isLeft = true;
    this.#pending.hold();
  }

  // Resolves once the act is stored; only the server's answer removes it.
  async add(act) {
    Object.assign(act, this.#of);
    this.#acts.push(act);
    this.#heard({});
    try {
      act.seq = await this.#store.put("acts", act);
    } catch (error) {
      this.#forget(act);
      this.#heard({});
      throw error;
    }
    this.#pending.send();
  }

  // The act with this id, unless it may have been sent.
  unsent(clientId) {
    const act = this.#acts.find(({ client_id: id }) => id === clientId);
    return act?.seq && !act.tried && !this.#sent.includes(act) ? act : undefined;
  }

  async cancel(act) {
    this.#forget(act);
    await this.#store.drop("acts", act.seq);
    this.#heard({});
  }

  #forget(act) {
    this.#acts = this.#acts.filter((other) => other !== act);
  }

  // As many as go in one request, up to one that is not stored yet.
  next() {
    const unkept = this.#acts.findIndex((act) => !act.seq);
    const acts = this.#acts.slice(0, Math.min(MOST, unkept < 0 ? MOST : unkept));
    return acts.length ? acts : undefined;
  }

  async #post(acts) {
    this.#sent = acts;
    const late = setTimeout(() => this.trouble("The server does not answer."), LATE_MS);
    // An age, which holds whatever this clock says.
    const aged = acts.map(({ before, place, address, seq, tried, at, ...act }) => (
      { ...act, ago_ms: Math.max(0, Date.now() - Date.parse(at)) }));
    const answer = await post(this.#of.address, this.#user, JSON.stringify(aged));
    clearTimeout(late);
    // Without what was saved before it is not the last word.
    const { detail, refused = detail, saved } = answer;
    return refused && !saved ? { trouble: refused } : { ...answer, refused };
  }

  async saved(acts, { results, ...told }) {
    const byId = new Map(acts.map((act) => [act.client_id, act]));
    for (const { client_id: id, refused, now } of results) {
      if (refused) await this.#giveBack(byId.get(id), refused, now);
      else await this.#confirm(byId.get(id), now);
    }
    this.#heard({ told });
    this.#heard({ trouble: "" });
  }

  async refused(acts, { refused, saved }) {
    this.#heard({ ended: refused });
    for (const act of acts.reverse()) { // what was done last is taken back first
      if (saved.includes(act.client_id)) await this.#confirm(act, null);
      else await this.#giveBack(act, refused);
    }
    this.#heard({ trouble: "" });
  }

  trouble(trouble) {
    this.#heard({ trouble });
  }

  async #confirm(act, now) {
    this.#forget(act);
    await this.#store.drop("acts", act.seq);
    this.#heard({ saved: act, now });
  }

  async #giveBack(act, refused, now = null) {
    this.#forget(act);
    await this.#store.giveBack(act, refused);
    this.#heard({ returned: { ...act, refused }, now });
  }
}
