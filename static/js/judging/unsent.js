// On every page but the one that judges them: answers that a judging page left unsent are sent, and those that came back are shown.
import { Outbox } from "./outbox.js";
import { Store } from "./store.js";

const FRESH_MS = 5000; // younger ones are being sent by the page that they were given on

const { user } = document.body.dataset;
const here = document.querySelector("#judging:not([data-closed])")?.dataset.place;
const outboxes = [];

const nUnsent = () => outboxes.reduce((n, outbox) => n + outbox.size, 0);
const counted = (n) => `${n.toLocaleString("en-US")} ${n === 1 ? "answer" : "answers"}`;

function place(row) {
  const list = document.createElement("ul");
  list.className = "messages";
  list.append(row);
  document.getElementById("main").prepend(list);
  return list;
}

function sending() {
  const row = document.createElement("li");
  row.setAttribute("role", "status");
  row.dataset.level = "warning";
  const list = place(row);
  return ({ trouble = "" }) => {
    list.hidden = !nUnsent();
    row.textContent = `${counted(nUnsent())} that you gave in this browser ${nUnsent() === 1 ? "is" : "are"} not saved yet. ${trouble || "Sending."}`;
  };
}

function showReturned(store, act) {
  const row = document.createElement("li");
  row.setAttribute("role", "alert");
  row.dataset.level = "error";
  const said = /^-?\d+$/.test(act.choice) ? `grade ${act.choice}` : act.choice.replace("_", " ");
  const comment = act.comment ? `, “${act.comment}”` : "";
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "plain", textContent: "Dismiss" });
  row.append(`Not saved. ${act.refused} Your answer on ${act.docno}: ${said}${comment}. `, button);
  const list = place(row);
  button.addEventListener("click", () => {
    store.drop("returned", act.client_id);
    list.remove();
  });
}

async function start() {
  if (!window.indexedDB || !(await Store.exists(user))) return;
  const store = await Store.open(user);
  if (!here) for (const act of await store.all("returned")) showReturned(store, act);
  const now = Date.now();
  const acts = (await store.all("acts")).filter((act) => act.place !== here && now - Date.parse(act.at) > FRESH_MS);
  if (!acts.length) return;
  const tell = sending();
  const heard = ({ returned, trouble }) => {
    if (returned) showReturned(store, returned);
    tell({ trouble });
  };
  for (const each of new Set(acts.map((act) => act.place))) {
    const outbox = new Outbox(store, { user, place: each, heard });
    outboxes.push(outbox);
    await outbox.load();
    outbox.send();
  }
  tell({});
}

document.querySelector('nav.you form[action*="sign-out"]')?.addEventListener("submit", (event) => {
  const n = nUnsent();
  const question = `${counted(n)} of yours ${n === 1 ? "is" : "are"} not saved yet. They stay in this browser, for you alone, and are sent when you sign in here again. Sign out all the same?`;
  if (n && !confirm(question)) event.preventDefault();
});

start().catch(() => {}); // without a store there is nothing unsent
