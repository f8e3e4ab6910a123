// The judging page: each event carries its own id and the time it took; a failed save is always shown.

import { keyOf } from "./keyof.js";

const clock = { active: 0, away: 0, since: performance.now(), visible: !document.hidden };

function tick() {
  const now = performance.now();
  clock[clock.visible ? "active" : "away"] += now - clock.since;
  clock.since = now;
  clock.visible = !document.hidden;
}

document.addEventListener("visibilitychange", tick);

// randomUUID exists only on secure origins; an organizer may run the site on a bare host name.
function freshId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// What is pressed while an answer is on its way waits its turn. It is about the document on the screen when it was pressed,
// so that document stays until nothing waits.
let sending = null;
const waiting = [];
const comment = () => document.getElementById("comment")?.value;

document.addEventListener("htmx:confirm", (event) => {
  const { elt, issueRequest, triggeringEvent } = event.detail;
  if (!elt.closest("#judging")) return;
  event.preventDefault();
  const submitter = triggeringEvent?.submitter;
  if (submitter) submitter.dataset.pending = "";
  const key = (submitter ?? elt).dataset.key;
  const isAnswer = elt.querySelector("[name=docno]") !== null;
  const act = { elt, key, isAnswer, submitter, comment: comment(), issue: () => issueRequest(true) };
  if (isAgain(act)) return;
  waiting.push(act);
  queueMicrotask(sendNext); // not within a click: an element that is being clicked cannot be clicked
});

// A double click, or a key that bounces, says the same of the same document: it is said once.
function isAgain(act) {
  const last = waiting.at(-1) ?? sending;
  return act.isAnswer && last !== null && ["elt", "submitter", "comment"].every((name) => act[name] === last[name]);
}

function sendNext() {
  if (sending || !waiting.length) return;
  const act = waiting.shift();
  if (act.elt.isConnected) {
    sending = act;
    act.issue();
  } else document.querySelector(`.navigation [data-key="${act.key}"]`)?.click(); // next, of the next document
}

// The assessor is busy with the document that the answer would replace: it stays, and its forms learn what is saved.
function isInUse() {
  const isAnswered = waiting.some((act) => act.isAnswer);
  const isAsking = document.querySelector("#cannot-judge[open]") && !sending.submitter?.closest("#cannot-judge");
  const isWriting = document.activeElement?.id === "comment" || comment() !== sending.comment;
  return isAnswered || isAsking || isWriting;
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (!sending || xhr.status === 422 || !isInUse()) return;
  event.detail.shouldSwap = false;
  const change = xhr.getResponseHeader("Judgment-Change");
  if (change === null) return;
  for (const field of document.querySelectorAll("#judging input[name=change]")) field.value = change;
  const toast = document.querySelector(".judging-toast");
  toast.textContent = "Saved. The document stays while you are busy with it.";
  toast.hidden = false;
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!sending) return;
  sending = null;
  for (const button of document.querySelectorAll("[data-pending]")) delete button.dataset.pending;
  if (!event.detail.successful && waiting.length) {
    waiting.length = 0;
    // The notice itself is written after this.
    setTimeout(() => document.getElementById("not-saved").append(" What you pressed after it was not used either."));
  }
  setTimeout(sendNext);
});

// A repeated attempt keeps the id, so that the event is recorded only once.
function complete(form, parameters) {
  tick();
  if (sending?.submitter) parameters.set(sending.submitter.name, sending.submitter.value);
  if (parameters.has("comment") && sending?.comment !== undefined) parameters.set("comment", sending.comment);
  const names = ["docno", "choice", "reason", "comment", "change"];
  const key = JSON.stringify(names.map((name) => parameters.get(name)));
  if (form.dataset.eventKey !== key) {
    form.dataset.eventKey = key;
    form.dataset.eventId = freshId();
  }
  parameters.set("client_id", form.dataset.eventId);
  parameters.set("active_ms", Math.round(clock.active));
  parameters.set("away_ms", Math.round(clock.away));
  parameters.set("method", document.body.dataset.lastInput ?? "other");
  // Signing in again in another tab makes a new token, which this page's form does not have.
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (token) parameters.set("csrfmiddlewaretoken", token);
}

// What was pressed before a document was painted is not about it.
let painted = 0;
const TAP_MS = 500; // nobody has read a document so soon; a second tap comes as late as this

// A minus sign ends with its document. The digit that comes after it then is half of a grade, so it is none.
let isHalf = false;

function endMinus() {
  isHalf ||= document.body.hasAttribute("data-minus");
  document.body.removeAttribute("data-minus");
}

function arrive() {
  endMinus();
  document.getElementById("judging").dataset.arriving = "";
  painted = Infinity;
  requestAnimationFrame(() => setTimeout(() => {
    endMinus();
    painted = performance.now();
    delete document.getElementById("judging").dataset.arriving;
  }));
}

function isTooEarly(event) {
  const isTap = event.type === "click" && (event.isTrusted || event.detail > 0); // a key makes a click that is neither
  const isDigit = event.type === "keydown" && /^\d$/.test(keyOf(event));
  return event.timeStamp < painted || (isTap && event.timeStamp < painted + TAP_MS) || (isDigit && isHalf);
}

function tooEarly(event) {
  if (event.repeat || event.key === "Shift") return;
  const isEarly = isTooEarly(event);
  isHalf = false;
  const pressed = event.type === "click" ? event.target.closest("button") : document.querySelector(`[data-key="${CSS.escape(keyOf(event))}"]`);
  // To open the comment saves nothing.
  const isAnswer = pressed?.matches("button") && pressed.closest("#judging form")?.querySelector("[name=docno]");
  if (!isAnswer || !isEarly) return;
  document.body.removeAttribute("data-minus");
  event.preventDefault();
  event.stopImmediatePropagation();
  showNotice("Nothing was saved for this document: it came up just as you pressed. Press again.");
}

document.addEventListener("keydown", tooEarly, true);
document.addEventListener("click", tooEarly, true);

document.addEventListener("keydown", () => (document.body.dataset.lastInput = "key"), true);
document.addEventListener("pointerdown", () => (document.body.dataset.lastInput = "click"), true);

document.addEventListener("htmx:configRequest", (event) => {
  const form = event.detail.elt.closest("form[data-event]");
  if (form) complete(form, event.detail.formData);
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens).showModal();
  const closer = event.target.closest("[data-closes]");
  if (closer) document.getElementById(closer.dataset.closes).close();
  const summary = event.target.closest("[data-focuses]");
  if (summary) {
    event.preventDefault();
    summary.parentElement.open = true;
    const field = document.getElementById(summary.dataset.focuses);
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !event.target.matches("textarea")) return;
  event.target.blur();
  lookAtDocument();
});

function showNotice(sentence) {
  const notice = document.getElementById("not-saved");
  notice.textContent = sentence;
  notice.hidden = false;
}

// Only an answer was to be saved: the next document, the previous one and undo bring nothing.
const isSaving = (event) => event.detail.elt.querySelector("[name=docno]") !== null;

function showFailure(event, reason) {
  showNotice(`${isSaving(event) ? "Not saved. " : ""}${reason} The document stays here: press the key again.`);
}

function showRule(event, sentence) {
  showNotice(isSaving(event) ? `Not saved. ${sentence} What you wrote stays on this page.` : sentence);
}

document.addEventListener("htmx:sendError", (event) => showFailure(event, "The server cannot be reached."));
document.addEventListener("htmx:timeout", (event) => showFailure(event, "The server did not answer in time."));
document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  const isSentence = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  const isRule = [403, 404, 409].includes(xhr.status); // pressing again would not help
  if (isSentence && isRule) showRule(event, xhr.responseText);
  else if (xhr.status === 404) showRule(event, "This topic is no longer yours to judge.");
  else showFailure(event, isSentence ? xhr.responseText : `The server answered with an error (${xhr.status}).`);
});

// Space, the arrows and PageDown scroll what has the focus.
function lookAtDocument() {
  document.querySelector(".judging-document")?.focus({ preventScroll: true });
}

function look() {
  window.scrollTo(0, 0);
  lookAtDocument();
}

function begin() {
  Object.assign(clock, { active: 0, away: 0, since: performance.now(), visible: !document.hidden });
  arrive();
  look();
}

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id === "judging") begin();
});
// Back and forward ask for a document too, and so say for whom this page was made.
document.addEventListener("htmx:historyCacheMiss", (event) => {
  const judging = document.getElementById("judging");
  if (judging) event.detail.xhr.setRequestHeader("Judging-Reader", judging.dataset.user);
});
document.addEventListener("htmx:historyCacheMissLoadError", (event) => {
  const { xhr } = event.detail;
  const isSentence = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  showNotice(isSentence ? xhr.responseText : `The server answered with an error (${xhr.status}).`);
});
document.addEventListener("htmx:historyRestore", () => {
  if (document.getElementById("judging")) begin();
});

begin();
