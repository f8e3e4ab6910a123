// A key shows the next document at once; its answer is kept here until the server has it.
import { say } from "../element.js";
import * as answers from "./answers.js";
import { Outbox } from "./outbox.js";
import { closeIfNarrow, placePanes } from "./reading.js";
import { Queue, isOpen, standing } from "./queue.js";
import { bring, need } from "./requests.js";
import {
  adopt, bringList, count, desk, isReady, place, sayWhyIdle, screen, served, show, showNext,
  stop, topic, user, view,
} from "./screen.js";
import { ANSWER_MS, Drafts, Store, beAlone } from "./store.js";

const own = document.getElementById("own");
const finder = document.getElementById("find");
const numberAsked = () => new URLSearchParams(location.search).get("number");

function onSubmit(event) {
  const form = event.target;
  if (!form.closest("#judging") || form.matches("[method=dialog]")) return;
  event.preventDefault();
  if (form === finder || !isReady()) return;
  const { name, value } = event.submitter ?? {};
  if (form.id === "undo") answers.undo();
  else if (screen.current && name) {
    document.querySelector("dialog:modal")?.close();
    view.flash(event.submitter);
    if (name === "take") desk.take(value);
    else if (name === "reason") answers.give("cannot_judge", value);
    else answers.give(value);
  }
}

function onClick(event) {
  const pressed = (selector) => event.target.closest(selector);
  const opener = pressed("[data-opens]");
  const isCommand = event.ctrlKey || event.metaKey || event.shiftKey;
  const link = pressed(".judging-steps a, .judging-kept a, .judging-own a");
  if (pressed("[data-closes]")) pressed("[data-closes]").closest("dialog").close();
  if (pressed("[data-redo]") && isReady()) answers.redo();
  if (pressed("[data-finds]")) find();
  if (pressed("#more button")) document.getElementById("more").hidePopover?.();
  if (opener) {
    event.preventDefault(); // some browsers would open it as well
    say("");
    document.getElementById(opener.dataset.opens).showModal();
  } else if (pressed("[data-focuses]")) {
    event.preventDefault();
    view.write();
  } else if (pressed("[data-rest] a") && desk.queue) {
    event.preventDefault(); // it would begin anew
    view.notice("The rest of the text comes by itself once the server answers.");
  } else if (link && desk.queue && !isCommand) {
    event.preventDefault();
    view.notice("");
    closeIfNarrow("own");
    show(desk.queue.at(Number(new URL(link.href).searchParams.get("number"))));
  }
}

// In the list where that has the focus or covers the text. The field is there before its script,
// so that nothing that is typed answers.
function find() {
  const its = own.querySelector("[type=search]");
  const covers = view.root.querySelector(".judging-actions").hidden;
  if (its && !own.hidden && (covers || own.contains(document.activeElement))) {
    its.select();
    return;
  }
  finder.hidden = false;
  finder.querySelector("input").select();
  bringFind();
}

function bringFind() {
  const failed = () => {
    finder.querySelector("[role=status]").textContent = "The server cannot be reached.";
    setTimeout(() => finder.hidden || bringFind(), 2000);
  };
  bring("./find.js").then(({ open }) => open(), failed);
}

// Escape leaves the comment, a panel, or a field, for the document.
function onEscape(event) {
  if (event.key !== "Escape" || !event.target.matches("#comment, .judging-own *, #find *")) return;
  if (finder.contains(event.target)) finder.hidden = true;
  event.target.blur();
  view.foldEmptyComment();
  view.look();
}

// Before the queue is there, a comment is on what was served.
const onScreen = () => screen.current ?? { number: Number(served), comment: view.servedComment };

function keepComment() {
  const { number, comment } = onScreen();
  const failed = ({ name }) =>
    view.notice(`This browser cannot keep what you write (${name}).`, { stays: true });
  if (number && desk.drafts) desk.drafts.keep(number, comment, view.comment).catch(failed);
}

// What an earlier page kept, and what was typed before.
function takeUpComment() {
  const { number, comment: saved } = onScreen();
  const [typed, kept] = [view.comment, desk.drafts.of(number, saved)];
  if (kept !== saved) {
    view.fillComment(typed === saved ? kept : `${kept}\n${typed}`);
    view.toast("A comment that you were writing is still there.");
  }
  if (typed !== saved) keepComment();
}

function onHistory() {
  if (!desk.queue) return;
  view.notice("");
  const entry = desk.queue.at(Number(numberAsked()));
  if (entry) show(entry, { push: false });
  else showNext();
}

// The note comes once its panel is open, or an earlier page has kept some of it.
const note = document.getElementById("note");
const panel = note?.closest("details");
const written = [...(note?.querySelectorAll(":read-write") ?? [])];

// Until what is written is kept, its fields take keys, but no text.
function bringNote() {
  if (!note) return;
  const hold = (isHeld) => written.forEach((field) => { field.readOnly = isHeld; });
  hold(true);
  bring("./notes.js").then(() => hold(false), () => setTimeout(bringNote, 2000));
}

const bringIfOpen = () => { if (panel?.open) bringNote(); };
panel?.addEventListener("toggle", bringIfOpen);
bringIfOpen();

async function start() {
  try {
    desk.store = await Store.open(user);
    desk.drafts = await Drafts.open(desk.store, place);
    takeUpComment();
    if ((await desk.store.all("notes")).some(({ key }) => key === place)) bringNote();
  } catch ({ name }) {
    const why = `This browser cannot keep what you press (${name}), so there is no judging in it`;
    stop(`${why}: leave private browsing, or allow this site to store data.`);
    return;
  }
  if ("further" in view.root.dataset) {
    const { Further } = await need("./further.js");
    desk.further = await Further.open(view, desk.store, place, answers.regrade);
  }
  if ("practice" in view.root.dataset) await need("./practice.js");
  if ("adjudicates" in view.root.dataset) await need("./adjudication.js");
  const { address } = view.root.dataset;
  desk.outbox = new Outbox(desk.store, user, { place, address }, answers.hear);
  const unsent = await desk.outbox.load();
  const facts = await standing({ place, user, say: sayNotYet });
  desk.seen = view.seen;
  if (desk.seen.topic_version !== facts.topic_version || desk.seen.scale !== facts.scale) {
    location.reload(); // this page shows a statement or a scale that has been replaced
    return;
  }
  const returned = await desk.store.all("returned");
  // No key may come between here and `begin`.
  desk.queue = new Queue(facts.entries, facts.changes);
  screen.seconds = facts.seconds;
  for (const act of unsent) desk.queue.apply(act);
  for (const act of returned) if (act.place === place) answers.showReturned(act);
  const takeOver = beAlone(`cleverdon ${user} ${place}`, () => leave(() => takeOver()));
  begin(unsent);
  count();
  view.unsaved(desk.outbox.size);
  // A tab that was there first has said so by then.
  setTimeout(() => desk.outbox.release(), ANSWER_MS);
}

function sayNotYet(sentence) {
  desk.notYet = sentence;
  view.notice(desk.outbox.size ? "" : sentence, { stays: true });
  view.unsaved(desk.outbox.size, sentence);
}

function leave(takeOver) {
  desk.outbox.hold();
  desk.isStopped = true;
  desk.further?.close();
  view.root.dataset.elsewhere = "";
  document.dispatchEvent(new CustomEvent("judging:elsewhere"));
  view.elsewhere(topic, () => {
    takeOver();
    location.reload();
  });
}

function begin(unsent) {
  const entry = desk.queue.at(Number(served));
  const isAsked = numberAsked() !== null;
  const isAnswered = entry && !isOpen(entry) && unsent.some((act) => act.number === entry.number);
  if (!entry || (isAnswered && !isAsked)) {
    showNext();
    return;
  }
  adopt(entry);
  show(entry, { push: false });
  if (!isAsked) history.replaceState(null, "", `${place}?number=${entry.number}`);
}

const lastInput = (how) => () => { document.body.dataset.lastInput = how; };
document.addEventListener("keydown", lastInput("key"), true);
document.addEventListener("pointerdown", lastInput("click"), true);
document.addEventListener("submit", onSubmit);
document.addEventListener("click", onClick);
document.addEventListener("keydown", onEscape);
document.addEventListener("input", ({ target }) => {
  if (target.matches("#comment")) keepComment();
});
addEventListener("popstate", onHistory);
const atTheEnd = () => { if (desk.queue && !screen.current) answers.bringMore(); };
document.addEventListener("judging:shown", atTheEnd);
addEventListener("focus", atTheEnd);
document.addEventListener("key:idle", ({ detail: key }) => sayWhyIdle(key));
own.addEventListener("pane", () => {
  view.endNotice();
  if (!own.hidden) bringList();
});
placePanes();
view.look();
// What is closed is only read: the server shows what was said of each document.
if ("closed" in view.root.dataset) {
  delete view.root.dataset.arriving;
  const detail = { entry: served && { number: Number(served) }, article: view.article };
  document.dispatchEvent(new CustomEvent("judging:shown", { detail }));
} else {
  const failed = "load it again. What was not saved yet is kept.";
  start().catch(({ message }) => stop(`The page failed (${message}): ${failed}`));
}
