// Documents that the page does not have yet: what joins the pool, is brought back or lent.
import { hear } from "./answers.js";
import { pause, post } from "./requests.js";
import { asking, desk, place, screen, stop, user, view } from "./screen.js";

const EVERY_MS = 10_000; // at the end of a topic that may grow
let isAsking = false;
let timer;

const sent = () => (
  post(`${place}lend/`, user, { known: desk.queue.size, changes: desk.queue.changes }));

// Asks until there is an answer; of what is asked by itself only trouble is told.
export async function ask(words = "Asking for more documents.") {
  if (isAsking || desk.isStopped) return;
  isAsking = true;
  clearTimeout(timer);
  asking(words);
  while (isAsking && !desk.isStopped) {
    const { saved, refused, trouble } = await sent();
    asking(trouble ? `${trouble} More documents are asked for until it answers.` : "");
    if (trouble) await pause();
    else isAsking = false;
    if (refused) stop(refused);
    if (saved) take(saved);
  }
}

function take(saved) {
  hear(saved);
  if (screen.current) return;
  const told = view.root.querySelector("[data-grows]");
  if (told) told.hidden = !saved.grows;
  if (saved.grows) timer = setTimeout(look, EVERY_MS);
}

// Not while nobody sees the page: coming back to it asks at once.
function look() {
  if (!screen.current && !document.hidden) ask("");
}
