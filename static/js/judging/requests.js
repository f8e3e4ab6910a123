// What a judging page asks of the server, and sends to it.
const PATIENCE_MS = 20000; // then it is asked anew
const UNREACHABLE = "The server cannot be reached.";

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

const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

const isJson = ({ headers }) => headers.get("Content-Type")?.startsWith("application/json");

async function sentenceOf(response) {
  if (response.headers.get("Content-Type")?.startsWith("text/plain")) return response.text();
  return `The server answered with an error (${response.status}).`;
}

const request = (address, user, headers = {}, more = {}) => fetch(address, {
  headers: { ...headersOf(user), ...headers },
  signal: AbortSignal.timeout(PATIENCE_MS),
  redirect: "error",
  ...more,
});

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
 * Sends a form, or JSON that is written already, and tells what became of it: `saved` with what
 * the server says of it; `refused` where it will not take it; `trouble` where it is to be sent again.
 * @returns {Promise<Answer>}
 */
export async function post(address, user, fields) {
  const isText = typeof fields === "string";
  const type = isText ? { "Content-Type": "application/json" } : {};
  const body = isText ? fields : new URLSearchParams(fields);
  try {
    const headers = { ...type, "X-CSRFToken": token() };
    const response = await request(address, user, headers, { method: "POST", body });
    if (isJson(response)) return response.ok ? { saved: await response.json() } : await response.json();
    const sentence = await sentenceOf(response);
    const isFinal = response.status >= 400 && response.status < 500 && response.status !== 401;
    return isFinal ? { refused: sentence } : { trouble: sentence };
  } catch {
    return { trouble: UNREACHABLE };
  }
}
