// Unconfirmed acts: kept in the person's store, sent in order, again until answered. The server records each id once.
const MOST = 50; // acts of one request
const LATE_MS = 3000; // then it is said that the server does not answer
const PATIENCE_MS = 20000; // then it is asked anew
const PAUSES_MS = [1000, 2000, 4000, 8000, 15000, 30000];

// Waits after failures; what is not a judgment can wait longer.
const actsAfter = (nFailed) => PAUSES_MS[Math.min(nFailed, 5) - 1];
export const formAfter = (nFailed) => PAUSES_MS[Math.min(nFailed, 5)];

// Before the server is asked once more.
export const pause = () => new Promise((resolve) => setTimeout(resolve, 2000));

// randomUUID exists only on secure origins.
export function freshId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// Whom the page was made for, and that a refusal is wanted as a sentence.
export const headersOf = (user) => ({ "HX-Request": "true", "Judging-Reader": user });

export const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

// Tells its page by `heard`: ({saved: act, now}), ({returned: act, now}), ({few: true}) when a shared topic has more to lend, ({ended: sentence}) when nothing can be saved here any more, ({trouble: sentence}), and ({}) when only the number changed.
export class Outbox {
  #store;
  #user;
  #place;
  #heard;
  #acts = [];
  #sent = new Set(); // those of the request that is on its way
  #failures = 0;
  #timer = null;
  #isLeft = false;
  #isHeld = true; // until its page is ready to hear

  constructor(store, { user, place, heard }) {
    this.#store = store;
    this.#user = user;
    this.#place = place;
    this.#heard = heard;
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => this.send());
  }

  // Take up what an earlier page of this place left unsent.
  async load() {
    const all = await this.#store.all("acts");
    this.#acts = all.filter((act) => act.place === this.#place);
    for (const act of this.#acts) act.tried = true; // it may have arrived
    return this.#acts;
  }

  get size() { return this.#acts.length; }

  // The page is ready, and no other tab sends the same.
  release() {
    this.#isHeld = this.#isLeft;
    this.send();
  }

  // Another tab judges this topic: nothing is sent from here any more.
  hold() {
    this.#isHeld = this.#isLeft = true;
    clearTimeout(this.#timer);
  }

  // Resolves once the act is stored; only the server's answer removes it.
  async add(act) {
    act.place = this.#place;
    this.#acts.push(act);
    this.#heard({});
    try {
      act.seq = await this.#store.put("acts", act);
    } catch (error) {
      this.#acts = this.#acts.filter((other) => other !== act);
      this.#heard({});
      throw error;
    }
    this.send();
  }

  // The act with this id, if it can still be taken out because it was never sent.
  unsent(clientId) {
    return this.#acts.find((act) => act.client_id === clientId && act.seq && !act.tried && !this.#sent.has(act));
  }

  async cancel(act) {
    this.#acts = this.#acts.filter((other) => other !== act);
    await this.#store.drop("acts", act.seq);
    this.#heard({});
  }

  async send() {
    if (this.#sent.size || this.#isHeld) return;
    clearTimeout(this.#timer);
    const kept = this.#acts.findIndex((act) => !act.seq);
    const batch = this.#acts.slice(0, Math.min(MOST, kept < 0 ? MOST : kept));
    if (!batch.length) return;
    this.#sent = new Set(batch);
    const late = setTimeout(() => this.#heard({ trouble: "The server does not answer." }), LATE_MS);
    try {
      await this.#deliver(batch);
      this.#failures = 0;
      this.#heard({ trouble: "" });
    } catch (error) {
      for (const act of batch) act.tried = true;
      this.#failures += 1;
      this.#heard({ trouble: error.sentence ?? "The server cannot be reached." });
    } finally {
      clearTimeout(late);
      this.#sent = new Set();
    }
    const wait = this.#failures ? actsAfter(this.#failures) : 0;
    if (this.#acts.length) this.#timer = setTimeout(() => this.send(), wait);
  }

  async #deliver(batch) {
    // An age, which holds whatever this clock says.
    const body = JSON.stringify(batch.map(({ before, place, seq, tried, at, ...act }) => ({ ...act, ago_ms: Math.max(0, Date.now() - Date.parse(at)) })));
    const response = await fetch(`${this.#place}acts/`, {
      method: "POST",
      body,
      headers: { ...headersOf(this.#user), "Content-Type": "application/json", "X-CSRFToken": token() },
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "error",
    });
    const isOurs = response.headers.get("Content-Type")?.startsWith("application/json");
    if (!isOurs) throw Object.assign(new Error(), { sentence: await sentenceOf(response) });
    const { results, refused, saved, few } = await response.json();
    if (refused) {
      this.#heard({ ended: refused });
      for (const act of batch.reverse()) { // what was done last is taken back first
        if (saved.includes(act.client_id)) await this.#confirm(act, null);
        else await this.#giveBack(act, refused);
      }
      return;
    }
    const byId = new Map(batch.map((act) => [act.client_id, act]));
    for (const result of results) {
      const act = byId.get(result.client_id);
      if (result.refused) await this.#giveBack(act, result.refused, result.now);
      else await this.#confirm(act, result.now);
    }
    if (few) this.#heard({ few });
  }

  async #confirm(act, now) {
    this.#acts = this.#acts.filter((other) => other !== act);
    await this.#store.drop("acts", act.seq);
    this.#heard({ saved: act, now });
  }

  async #giveBack(act, refused, now = null) {
    this.#acts = this.#acts.filter((other) => other !== act);
    await this.#store.giveBack(act, refused);
    this.#heard({ returned: { ...act, refused }, now });
  }
}

// The answer as { headers, text }; an Error with a `sentence` if there is none.
export async function ask(address, user) {
  let response;
  try {
    response = await fetch(address, { headers: headersOf(user), signal: AbortSignal.timeout(PATIENCE_MS), redirect: "error" });
    if (response.ok) return { headers: response.headers, text: await response.text() };
  } catch {
    throw Object.assign(new Error(), { sentence: "The server cannot be reached." });
  }
  throw Object.assign(new Error(), { sentence: await sentenceOf(response) });
}

export async function sentenceOf(response) {
  if (response.headers.get("Content-Type")?.startsWith("text/plain")) return response.text();
  return `The server answered with an error (${response.status}).`;
}

// Sends a form and tells what became of it: {saved} with what the server says of it; {refused, now} where it will not take it; {trouble} where it is to be sent again.
export async function post(address, user, fields) {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { ...headersOf(user), "X-CSRFToken": token() },
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "error",
    });
  } catch {
    return { trouble: "The server cannot be reached." };
  }
  const isOurs = response.headers.get("Content-Type")?.startsWith("application/json");
  if (response.ok && isOurs) return { saved: await response.json() };
  if (isOurs) return response.json();
  const sentence = await sentenceOf(response);
  const isFinal = response.status >= 400 && response.status < 500 && response.status !== 401;
  return isFinal ? { refused: sentence } : { trouble: sentence };
}
