// A comment that is written and not saved comes back with its document, in this tab, also after a reload; to its author alone.
const field = () => document.querySelector("#answer #comment");
const drafts = () => `comment ${document.getElementById("judging").dataset.user} `;
const place = (docno) => `${drafts()}${document.getElementById("answer").action} ${docno}`;
const docno = () => document.querySelector("#answer [name=docno]").value;

function dropOthers() {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith("comment ") && !key.startsWith(drafts()));
  for (const key of keys) sessionStorage.removeItem(key);
}

// A comment saved elsewhere since the draft was begun stays above it.
function restore() {
  const kept = field() && sessionStorage.getItem(place(docno()));
  if (!kept) return;
  const { base, draft } = JSON.parse(kept);
  const saved = field().defaultValue;
  if (saved === draft) return;
  field().value = saved === base ? draft : `${saved}\n${draft}`;
  field().closest("details").open = true;
}

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  const kept = { base: field().defaultValue, draft: field().value };
  sessionStorage.setItem(place(docno()), JSON.stringify(kept));
});

// What the answer carried is saved; what was written while it was on its way is not.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, xhr } = event.detail;
  const sent = requestConfig.formData;
  if (!field() || !xhr.getResponseHeader("Judgment-Change")) return;
  const key = place(sent.get("docno"));
  const kept = JSON.parse(sessionStorage.getItem(key));
  if (kept?.draft === sent.get("comment")) sessionStorage.removeItem(key);
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id === "judging") restore();
});

document.addEventListener("htmx:historyRestore", restore);

dropOthers();
restore();
