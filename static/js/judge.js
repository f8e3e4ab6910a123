// The judging page: each event carries its own id and the time it took; a failed save is always shown.

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

// A repeated attempt keeps the id, so that the event is recorded only once.
function complete(form, parameters) {
  tick();
  const key = JSON.stringify(["docno", "choice", "reason", "comment"].map((name) => parameters.get(name)));
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
    document.getElementById(summary.dataset.focuses).focus();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches("textarea")) event.target.blur();
});

function showNotSaved(reason) {
  const notice = document.getElementById("not-saved");
  notice.textContent = `Not saved. ${reason} The document stays here: press the key again.`;
  notice.hidden = false;
}

document.addEventListener("htmx:sendError", () => showNotSaved("The server cannot be reached."));
document.addEventListener("htmx:timeout", () => showNotSaved("The server did not answer in time."));
document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  const isSentence = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  showNotSaved(isSentence ? xhr.responseText : `The server answered with an error (${xhr.status}).`);
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id !== "judging") return;
  Object.assign(clock, { active: 0, away: 0, since: performance.now(), visible: !document.hidden });
  window.scrollTo(0, 0);
  document.querySelector(".judging-document")?.focus({ preventScroll: true });
});
