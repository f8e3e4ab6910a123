// Forms sent behind the scenes: what became of them, in the words of the server.
import { headersOf, sentenceOf, token } from "./outbox.js";

const PATIENCE_MS = 20000;
export const PAUSES_MS = [2000, 4000, 8000, 15000, 30000];

// {saved} with what the server says of it; {refused, now} where it will not take it; {trouble} where it is to be sent again.
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
