// What a judging page asks of the server, and sends to it until it answers.
const PATIENCE_MS = 20000; // then it is asked anew
const PAUSES_MS = [2000, 4000, 8000, 15000, 30000]; // before what has failed is sent again
const SOON_MS = 1000;
const UNREACHABLE = "The server cannot be reached.";

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

// Named by the site's path, too.
const token = () =>
  document.cookie.match(`(?:^|; )csrftoken${document.body?.dataset.path ?? ""}=([^;]+)`)?.[1] ?? "";

const isJson = ({ headers }) => /json/.test(headers.get("Content-Type"));

async function sentenceOf(response) {
  if (response.headers.get("Content-Type")?.startsWith("text/plain")) return response.text();
  return `The server answered with an error (${response.status}).`;
}

let ahead; // of this clock the server's is

// It says whom the page was made for, that a sentence is wanted, and when it was sent.
async function request(address, user, headers = {}, more = {}) {
  const at = Date.now();
  const sent = ahead === undefined ? {} : { "Judging-Sent": at + ahead };
  const response = await fetch(address, {
    headers: { "HX-Request": "true", "Judging-Reader": user, ...sent, ...headers },
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: "error",
    ...more,
  });
  const [clock, now] = [response.headers.get("Judging-Clock"), Date.now()];
  if (clock && now - at < SOON_MS) ahead = Math.round(Number(clock) - (at + now) / 2);
  return response;
}

// The answer as { headers, text }; an Error with a `sentence` if there is none.
export async function ask(address, user) {
  let sentence = UNREACHABLE;
  try {
    const response = await request(address, user);
    if (response.ok) return { headers: response.headers, text: await response.text() };
    sentence = await sentenceOf(response);
  } catch {
    // There was no answer, or only a part of it.
  }
  throw Object.assign(new Error(), { sentence });
}

/**
 * Sends a form, or JSON as text: `saved` is what the server says of it, `refused` why it will not
 * take it, `trouble` why it is to be sent again.
 * @returns {Promise<Answer>}
 */
export async function post(address, user, fields) {
  const isText = typeof fields === "string";
  const type = isText ? { "Content-Type": "application/json" } : {};
  const body = isText ? fields : new URLSearchParams(fields);
  try {
    const headers = { ...type, "X-CSRFToken": token() };
    const response = await request(address, user, headers, { method: "POST", body });
    if (isJson(response))
      return response.ok ? { saved: await response.json() } : await response.json();
    const sentence = await sentenceOf(response);
    const isFinal = response.status >= 400 && response.status < 500 && response.status !== 401;
    return isFinal ? { refused: sentence } : { trouble: sentence };
  } catch {
    return { trouble: UNREACHABLE };
  }
}

const failed = new Map(); // how often, by name

// A module that failed stays so under its address: it gets another.
export async function bring(name) {
  const n = failed.get(name) ?? 0;
  try {
    return await import(n ? `${name}?again=${n}` : name);
  } catch (error) {
    failed.set(name, n + 1);
    throw error;
  }
}

// One that the page needs: if it cannot be had now, the page begins anew with it.
export async function need(name) {
  try {
    return await import(name);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const detail = new URL(name, import.meta.url).href;
    document.dispatchEvent(new CustomEvent("script:missing", { detail }));
    return new Promise(() => {});
  }
}

// What the server does not have yet: sent one by one, again until it answers.
export class Pending {
  #store;
  #send;
  #pauses;
  #quietMs;
  #timer;
  #nFailed = 0;
  #isSending = false;
  #isHeld = false;

  /**
   * `store` has the `next` to be sent, and hears what became of it.
   * @param {Unsent} store
   * @param {(item: any) => Promise<Answer>} send
   */
  constructor(store, send, { pauses = PAUSES_MS, quietMs = 0 } = {}) {
    this.#store = store;
    this.#send = send;
    this.#pauses = pauses;
    this.#quietMs = quietMs;
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => this.send());
  }

  hold() {
    this.#isHeld = true;
    clearTimeout(this.#timer);
  }

  release() {
    this.#isHeld = false;
    this.send();
  }

  // After a pause; what has failed before is forgotten.
  soon() {
    this.#nFailed = 0;
    this.#later(this.#quietMs);
  }

  #later(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), ms);
  }

  async send() {
    clearTimeout(this.#timer);
    if (this.#isSending || this.#isHeld) return;
    const item = this.#store.next();
    if (!item) return;
    this.#isSending = true;
    const trouble = await this.#deliver(item).catch(({ message, name }) => message || name);
    this.#isSending = false;
    if (!trouble) {
      this.soon();
      return;
    }
    this.#store.trouble(trouble, item);
    this.#later(this.#pauses[Math.min(this.#nFailed, this.#pauses.length - 1)]);
    this.#nFailed += 1;
  }

  async #deliver(item) {
    const answer = await this.#send(item);
    if (answer.refused) await this.#store.refused(item, answer);
    else if (answer.saved) await this.#store.saved(item, answer.saved);
    else return answer.trouble ?? UNREACHABLE;
    return "";
  }
}
