// Sends a file in pieces (tus 1.0), and goes on where it stopped: after a pause, a lost network, or
// in another tab.
const TUS = { "Tus-Resumable": "1.0.0" };
const LEAST = 256 * 1024; // bytes of a piece
const MOST = 4 * 1024 * 1024; // what a proxy lets through is often 8 MB
const QUICK_MS = 1500;
const SLOW_MS = 6000;
const PAUSES_MS = [1000, 2000, 5000, 10000, 30000];
const GONE = [404, 410];
const AGAIN = [408, 423, 429, 460];
const FULL = 507;
const UNREACHABLE = "The server cannot be reached.";

// Names a file that is chosen again, also once the page has been loaded anew.
export const nameOf = (address, { name, size, lastModified }) =>
  `upload ${address} ${name} ${size} ${lastModified}`;

/** @type {[string, number][]} */
const UNITS = [["hour", 3600], ["minute", 60], ["second", 1]];

const megabytes = (n) => (n / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 });

function left(seconds) {
  if (seconds === undefined) return "";
  const [unit, of] = UNITS.find(([, each]) => seconds >= 2 * each) ?? UNITS.at(-1);
  const n = Math.max(1, Math.round(seconds / of));
  return `, about ${n} ${unit}${n === 1 ? "" : "s"} left`;
}

/** @param {Progress} told */
export function inWords({ n, size, seconds, waits, isPaused }) {
  const percent = size ? Math.floor((100 * n) / size) : 100;
  const there = `${percent}%: ${megabytes(n)} of ${megabytes(size)} MB`;
  if (isPaused) return `Paused at ${there}. It goes on from there, also if you come back later.`;
  if (waits) return `${waits} ${there} have arrived; it goes on by itself.`;
  return `${there}${left(seconds)}`;
}

const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

async function refusal(response) {
  const { detail, type = "" } = await response.json().catch(() => ({}));
  const sentence = detail ?? `The server answered with an error (${response.status}).`;
  const isOver = GONE.includes(response.status);
  const isElsewhere = response.status === 409 && type.endsWith("upload"); // than we thought
  const isAway = response.status >= 500 && response.status !== FULL;
  if (isOver || isElsewhere || isAway || AGAIN.includes(response.status))
    return Object.assign(new Error(), { trouble: sentence, isOver });
  return Object.assign(new Error(), { sentence, status: response.status });
}

// A browser may have no place to keep things.
function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // Then it goes on until the page is left.
  }
  return value;
}

export class Sending {
  n = 0; // bytes that have arrived
  #file;
  #address;
  #token;
  #hear;
  #place = "";
  #most = LEAST * 4;
  #limit = MOST; // that is known to pass
  #isPaused = false;
  #stop = new AbortController();
  /** @type {(isOn: boolean) => void} */
  #wake = () => {};
  #begun = { at: 0, n: 0 };

  /**
   * `hear` is told how it stands: whether it `waits`, and why.
   * @param {File} file
   * @param {{ address: string, token: string, hear: (told: Progress) => void }} how
   */
  constructor(file, { address, token, hear }) {
    this.#file = file;
    this.#address = address;
    this.#token = token;
    this.#hear = hear;
    this.#place = kept(this.#name) ?? "";
    addEventListener("online", () => this.#wake(true));
  }

  get #name() { return nameOf(this.#address, this.#file); }

  pause() {
    this.#isPaused = true;
    this.#stop.abort();
    this.#tell();
  }

  goOn() {
    this.#isPaused = false;
    this.#wake(true);
  }

  /**
   * The id of the upload once all has arrived; an Error with a `sentence` if it is refused.
   * @returns {Promise<string>}
   */
  async whole() {
    for (let nFailed = 0; ; nFailed++) {
      try {
        await this.#find();
        this.#begun = { at: Date.now(), n: this.n };
        while (this.n < this.#file.size) {
          this.#tell();
          await this.#piece();
          nFailed = 0;
        }
        this.#tell();
        return this.#place.replace(/\/$/, "").split("/").at(-1);
      } catch (error) {
        if (error.sentence) throw error;
        if (error.isOver) kept(this.#name, this.#place = "");
        const ms = error.isOver ? 0 : PAUSES_MS[Math.min(nFailed, PAUSES_MS.length - 1)];
        await this.#wait(ms, error.trouble ?? UNREACHABLE);
      }
    }
  }

  async #wait(ms, trouble) {
    while (this.#isPaused) {
      this.#tell();
      await new Promise((wake) => { this.#wake = wake; });
    }
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
    else if (ms) {
      this.#tell(trouble);
      await new Promise((wake) => {
        this.#wake = wake;
        setTimeout(wake, ms);
      });
    }
  }

  // How far an upload of this file is, a new one if there is none.
  async #find() {
    if (this.#place) {
      const { headers } = await this.#ask(this.#place, { method: "HEAD" });
      this.n = Number(headers.get("Upload-Offset"));
      return;
    }
    const said = {
      "Upload-Length": String(this.#file.size),
      "Upload-Metadata": `filename ${base64(this.#file.name)}`,
    };
    const { headers } = await this.#ask(this.#address, { method: "POST", headers: said });
    this.#place = headers.get("Location");
    kept(this.#name, this.#place);
    this.n = 0;
  }

  async #piece() {
    const said = {
      "Upload-Offset": String(this.n),
      "Content-Type": "application/offset+octet-stream",
    };
    const body = this.#file.slice(this.n, this.n + this.#most);
    const begun = Date.now();
    try {
      const how = { method: "PATCH", headers: said, body };
      const { headers } = await this.#ask(this.#place, how);
      this.n = Number(headers.get("Upload-Offset"));
    } catch (error) {
      if (error.status !== 413 || this.#most <= LEAST) throw error;
      this.#limit = this.#most /= 2; // what is in between lets no more through
      return;
    }
    const ms = Date.now() - begun;
    if (ms < QUICK_MS) this.#most = Math.min(this.#limit, this.#most * 2);
    else if (ms > SLOW_MS) this.#most = Math.max(LEAST, this.#most / 2);
  }

  async #ask(address, { headers = {}, ...how }) {
    const response = await fetch(address, {
      headers: { ...TUS, "X-CSRFToken": this.#token, ...headers },
      signal: this.#stop.signal,
      redirect: "error",
      ...how,
    });
    if (!response.ok) throw await refusal(response);
    return response;
  }

  #tell(waits = "") {
    const rate = (this.n - this.#begun.n) / (Date.now() - this.#begun.at); // bytes in a ms
    const seconds = rate > 0 ? (this.#file.size - this.n) / rate / 1000 : undefined;
    this.#hear({ n: this.n, size: this.#file.size, seconds, waits, isPaused: this.#isPaused });
  }
}
