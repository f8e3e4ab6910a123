// Says that a form has been changed and not saved, and asks before it is left.
const note = document.querySelector("[data-unsaved]");
const form = note?.closest("form");
let isSent = false;

// What was refused is not saved either.
if (document.querySelector(".errors.summary") && note) note.hidden = false;
form?.addEventListener("input", () => { note.hidden = false; });
form?.addEventListener("submit", () => { isSent = true; });
addEventListener("beforeunload", (event) => {
  if (form && !note.hidden && !isSent) event.preventDefault();
});
