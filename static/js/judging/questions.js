// Questions to the organizers, kept in this browser until they are sent, and the answers.
import { button, element, say } from "../element.js";
import { open } from "./reading.js";
import { Pending, ask as fetched, freshId, post } from "./requests.js";
import { view } from "./screen.js";
import { Store } from "./store.js";

const LOOK_MS = 60_000;

const root = document.getElementById("judging");
const { user, place } = root.dataset;
const form = document.getElementById("ask-form");
const list = document.getElementById("questions-list");
const unsent = document.getElementById("questions-unsent");
const draft = `${place} question`; // its key among the notes

let store;
let waiting = []; // { client_id, place, about, text, at, refused }
let nNew = Number(list.querySelector("[data-new]").dataset.new); // answers that were not seen yet
function begun() {
  const { value: text } = form.elements.text;
  const about = form.elements.about.value;
  const note = { key: draft, text, about };
  const kept = text ? store?.put("notes", note) : store?.drop("notes", draft);
  kept?.catch(() => {});
}

async function ask() {
  const text = form.elements.text.value;
  if (!text.trim()) return;
  const about = form.elements.about.value;
  const question = { client_id: freshId(), place, about, text, at: new Date().toISOString() };
  waiting.push(question);
  try {
    await store?.put("questions", question);
  } catch {
    store = undefined; // it is sent all the same, and told so
  }
  form.elements.text.value = "";
  begun();
  form.closest("dialog").close();
  show();
  pending.send();
}

const pending = new Pending({
  next: () => waiting.find(({ refused }) => !refused),
  async saved(question) {
    forget(question);
    view.toast("Your question is with the organizers.");
    show();
    await look();
  },
  refused(question, { refused }) {
    question.refused = refused;
    store?.put("questions", question).catch(() => {});
    show();
  },
  trouble: show,
}, ({ client_id, about, text }) =>
  post(form.action, user, { client_id, about, text, reader: user }));

function forget(question) {
  waiting = waiting.filter((other) => other !== question);
  store?.drop("questions", question.client_id).catch(() => {});
}

function show(trouble = "") {
  unsent.replaceChildren(...waiting.map((question) => {
    const { text, refused } = question;
    const why = refused ? `Not sent. ${refused}` : `Not yet sent. ${trouble}`;
    const dismiss = () => {
      forget(question);
      show();
    };
    const ends = refused ? [button("Dismiss", dismiss)] : [];
    return element("p", {}, `${why} “${text}” `, ...ends);
  }));
  if (waiting.length) document.getElementById("questions").open = true;
  if (waiting.some(({ refused }) => refused)) open("topic"); // which they stand in
}
async function look() {
  if (document.hidden) return;
  const found = await fetched(`${place}questions/`, user).catch(() => undefined);
  if (!found) return; // looked for again
  const isFocused = list.contains(document.activeElement);
  list.replaceChildren(document.createRange().createContextualFragment(found.text));
  if (isFocused) list.closest("details").querySelector("summary").focus();
  const n = Number(list.querySelector("[data-new]").dataset.new);
  const mark = document.getElementById("questions-new");
  mark.textContent = `${n} new`;
  mark.hidden = n === 0;
  if (n > nNew) say("The organizers have answered a question.");
  nNew = n;
  for (const each of root.querySelectorAll("[data-tells-new]")) {
    each.toggleAttribute("data-new", n > 0);
  }
}

// To withdraw a question, and to have seen answers.
async function onListed(event) {
  event.preventDefault();
  const { refused, trouble } = await post(event.target.action, user, new FormData(event.target));
  await look();
  if (refused ?? trouble) unsent.append(element("p", {}, refused ?? trouble));
}
// It asks about what was on the screen when it was begun.
function onShown({ entry }) {
  if (!form.closest("dialog").open && !form.elements.text.value) asks(entry?.docno);
}

function asks(docno) {
  const about = document.getElementById("ask-document");
  about.disabled = !docno;
  about.value = docno ?? "";
  document.getElementById("ask-docno").textContent = docno ?? "";
  (docno ? about : form.querySelector("[name=about]:not(#ask-document)")).checked = true;
}

async function start() {
  store = await Store.open(user).catch(() => undefined);
  const kept = (await store?.all("notes"))?.find(({ key }) => key === draft);
  if (kept && !form.elements.text.value) {
    form.elements.text.value = kept.text;
    asks(kept.about);
  }
  waiting = ((await store?.all("questions")) ?? []).filter((question) => question.place === place);
  if (waiting.length) {
    show();
    pending.send();
  }
}

list.addEventListener("submit", onListed);
setInterval(look, LOOK_MS);
if (form) {
  form.addEventListener("input", begun);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  form.closest("dialog").addEventListener("close", () => {
    root.querySelector(":scope > .judging-document")?.focus({ preventScroll: true });
  });
  root.querySelector("[data-opens-ask]").addEventListener("click", (event) => {
    event.preventDefault();
    form.closest("dialog").showModal();
  });
  document.addEventListener("judging:shown", ({ detail }) => onShown(detail));
  start();
}
