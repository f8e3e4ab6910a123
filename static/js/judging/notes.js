// The note on a topic: kept in this browser as it is typed, and saved by itself.
import { Pending, post } from "./requests.js";
import { Store } from "./store.js";

const QUIET_MS = 1000; // after the last key
const MOST_SENT = 50;
const NAMES = ["text", "difficulty", "remark"];

const root = document.getElementById("judging");
const { user, place } = root.dataset;
const form = document.getElementById("note");
const other = document.getElementById("note-other");
const state = document.getElementById("note-state");

const read = () => Object.fromEntries(NAMES.map((name) => [name, form.elements[name].value]));
// As the page came, whatever was typed before this script was ready.
const served = () => ({
  text: form.elements.text.defaultValue,
  difficulty:
    [...form.elements.difficulty.options].find((option) => option.defaultSelected)?.value ?? "",
  remark: form.elements.remark.defaultValue,
});
const same = (one, another) => NAMES.every((name) => one[name] === another[name]);

let store;
let saved; // what the server has, as far as this page knows
let savedAt;
let version; // of the note that what is written here rests on
let sent = []; // and not answered: any of it may have arrived
let conflict; // what it says elsewhere, until somebody has chosen
let isRefused = false; // as it is written

function write(note) {
  for (const name of NAMES) form.elements[name].value = note[name];
}

function say(sentence) {
  if (state.textContent !== sentence) state.textContent = sentence;
}

function saySaved() {
  if (!savedAt) return say("");
  const moment = new Date(savedAt);
  const time = moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const isToday = moment.toDateString() === new Date().toDateString();
  const day = moment.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return say(`Saved ${isToday ? "" : `${day}, `}${time}`);
}

const notSaved = (sentence, how = "Not yet saved.") =>
  say(`${how} ${sentence} ${store ? "It is kept in this browser." : "Do not close this page."}`);

// What the server does not have stays in the store until it has.
function keep() {
  if (!store) return;
  const change =
    same(read(), saved) && !conflict
      ? store.drop("notes", place)
      : store.put("notes", { key: place, ...read(), version, sent });
  change.catch(() => {
    store = undefined;
    if (!same(read(), saved)) notSaved("");
  });
}

function typed() {
  keep();
  isRefused = false;
  if (conflict) return;
  if (same(read(), saved)) saySaved();
  else say("Not yet saved");
  pending.soon();
}

const pending = new Pending({
  next: () => (conflict || isRefused || same(read(), saved) ? undefined : read()),
  saved: (_, now) => confirm(now),
  refused(_, { refused, now }) {
    isRefused = !now; // until something else is written
    if (now) differ(now);
    else notSaved(refused, "Not saved.");
  },
  trouble: (sentence) => notSaved(sentence),
}, send, { quietMs: QUIET_MS });

function send(note) {
  sent = [...sent, note].slice(-MOST_SENT);
  keep();
  return post(form.action, user, { ...note, note_version: version, reader: user });
}

function hurry() {
  isRefused = false;
  pending.send();
}

function confirm(now) {
  sent = [];
  [version, savedAt] = [now.version, now.at];
  saved = Object.fromEntries(NAMES.map((name) => [name, now[name]]));
  keep();
  if (same(read(), saved)) saySaved();
}

// It was changed elsewhere, unless that was an answer that never came back here.
function differ(now) {
  if (same(now, read()) || sent.some((note) => same(now, note))) {
    confirm(now);
    return;
  }
  conflict = now;
  keep();
  say("Not yet saved: choose below. What you wrote is kept.");
  const told = [now.difficulty, now.remark, now.text].filter(Boolean);
  other.querySelector(".note-text").textContent = told.join("\n") || "Nothing.";
  other.hidden = false;
  form.closest("details").open = true;
}

function choose({ target }) {
  const choice = target.closest("button")?.value;
  if (!choice) return;
  const mine = read();
  if (choice === "other") write(conflict);
  if (choice === "both") {
    write({
      text: [conflict.text, mine.text].filter(Boolean).join("\n\n"),
      difficulty: mine.difficulty || conflict.difficulty,
      remark: [...new Set([conflict.remark, mine.remark])].filter(Boolean).join("; ").slice(0, 300),
    });
  }
  const now = conflict;
  conflict = undefined;
  other.hidden = true;
  confirm(now);
  if (choice !== "other") pending.send();
  form.elements.text.focus();
}

// Another tab of this browser has the topic: it goes on from what is kept.
function leave() {
  pending.hold();
  for (const name of NAMES) form.elements[name].disabled = true;
  say("Written in the other tab.");
}

async function start() {
  store = await Store.open(user).catch(() => undefined);
  const kept = (await store?.all("notes"))?.find(({ key }) => key === place);
  const isTyped = !same(read(), saved); // before this script was ready
  if (!kept || isTyped) {
    if (isTyped) typed();
    return;
  }
  sent = kept.sent;
  write(kept);
  if (kept.version === version || same(kept, saved)) typed();
  else differ({ ...saved, version, at: savedAt });
}

[saved, savedAt, version] = [served(), state.dataset.at, Number(form.elements.note_version.value)];
saySaved();
if (!("closed" in root.dataset)) {
  form.addEventListener("input", typed);
  form.addEventListener("change", hurry);
  form.addEventListener("submit", hurry); // the page keeps it from being sent as a form
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.target.blur();
    root.querySelector(":scope > .judging-document")?.focus({ preventScroll: true });
  });
  other.addEventListener("click", choose);
  document.addEventListener("judging:elsewhere", leave);
  if ("elsewhere" in root.dataset) leave(); // before this script was there
  else start();
}
