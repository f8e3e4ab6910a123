// What the server does not have yet: sent one request after the other, and again until it answers.
const PAUSES_MS = [2000, 4000, 8000, 15000, 30000];

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
   * `store` has what is to be sent `next`, if anything, and hears what became of it: `saved`,
   * `refused` (it is then not the next any more), or `trouble` for which it is sent again.
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

  // Once nothing more has been done for a while; what has failed before is forgotten.
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
    const trouble = await this.#deliver(item).catch(({ message }) => message);
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
    return answer.trouble;
  }
}
