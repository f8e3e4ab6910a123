// Brought by left.js: sends answers that another judging page left unsent, and shows those that
// came back.
import { element, say } from "../element.js";
import { Outbox } from "./outbox.js";
import { post } from "./requests.js";
import { returnedRow } from "./returned.js";
import { isJudged } from "./store.js";

const FRESH_MS = 5000; // younger acts are being sent by the page that they were given on

const outboxes = [];
const places = new Set(); // that are sent from here
let tell;

const nUnsent = () => outboxes.reduce((n, outbox) => n + outbox.size, 0);
const counted = (n) => `${n.toLocaleString("en-US")} ${n === 1 ? "answer" : "answers"}`;

// All in one list, which is of limited height on the judging page: that scrolls below it.
const list = element("ul", { class: "messages" });

function insert(row) {
  if (row.parentNode !== list) list.append(row);
  if (!list.isConnected)
    (document.querySelector(".judging-notices") ?? document.getElementById("main")).prepend(list);
}

function drop(row) {
  row.remove();
  if (!list.childElementCount) list.remove();
}

function sending() {
  const row = element("li", { role: "status", "data-level": "warning" });
  return ({ trouble = "" }) => {
    if (!nUnsent()) {
      if (row.isConnected && list.childElementCount === 1) say("All saved."); // nothing came back
      drop(row);
      return;
    }
    insert(row); // before its words, or they are not heard
    const are = nUnsent() === 1 ? "is" : "are";
    const what = `${counted(nUnsent())} that you gave in this browser ${are} not saved yet.`;
    row.textContent = `${what} ${trouble || "Sending."}`;
  };
}

function showReturned(store, act) {
  const dismiss = (row) => {
    store.drop("returned", act.client_id);
    drop(row);
  };
  const address = `${act.place}?number=${act.number}`;
  const row = returnedRow("li", act, act.choice.replace("_", " "), address, dismiss);
  row.dataset.level = "error";
  insert(row);
}

// On pages that judge nothing: questions and notes that a judging page could not send are sent.
async function sendKept(store, user, here) {
  for (const { place, client_id, about, text, refused } of await store.all("questions")) {
    if (place === here || refused) continue;
    const answer = await post(`${place}questions/`, user, { client_id, about, text, reader: user });
    if (answer.saved) await store.drop("questions", client_id);
  }
  for (const { key: place, version, text, difficulty, remark } of await store.all("notes")) {
    if (version === undefined || place === here || (await isJudged(`cleverdon ${user} ${place}`)))
      continue;
    const note = { text, difficulty, remark, note_version: version, reader: user };
    const answer = await post(`${place}note/`, user, note);
    if (answer.saved) await store.drop("notes", place); // else its own page says what is the matter
  }
}

export async function start(store, user, here) {
  if (!here) for (const act of await store.all("returned")) showReturned(store, act);
  await look(store, user, here);
  await sendKept(store, user, here);
}

// What a judging page may be sending is left to it for now.
async function look(store, user, here) {
  const all = await store.all("acts");
  const acts = all.filter(({ place }) => place !== here && !places.has(place));
  let isToLookAgain = false;
  const isYoung = ({ at }) => Date.now() - Date.parse(at) < FRESH_MS;
  const addresses = new Map(acts.map(({ place, address }) => [place, address]));
  for (const [place, address] of addresses) {
    if (!address) continue; // of an earlier release: its own page sends it
    const isFresh = acts.some((act) => act.place === place && isYoung(act));
    if (isFresh || (await isJudged(`cleverdon ${user} ${place}`))) isToLookAgain = true;
    else await send(store, user, { place, address });
  }
  if (isToLookAgain) setTimeout(() => look(store, user, here), FRESH_MS);
}

async function send(store, user, of) {
  places.add(of.place);
  tell ??= sending();
  const heard = ({ returned, trouble }) => {
    if (returned) showReturned(store, returned);
    tell({ trouble });
  };
  const outbox = new Outbox(store, user, of, heard);
  outboxes.push(outbox);
  await outbox.load();
  outbox.release();
  tell({});
}
