// Elements made by scripts of the judging page, and what it says to those who do not see it.
export const counted = (n) => n.toLocaleString("en-US");

// Later, as nothing is heard while a dialog closes.
export function say(sentence) {
  setTimeout(() => (document.getElementById("live").textContent = sentence), 100);
}

// What was done, in the bar; in the upper one for a moment, where the lower has no room. The docno gives way.
export function toast(sentence) {
  const place = document.querySelector(".judging-toast");
  say(sentence);
  if (!place) return; // what is closed has no bar
  const [first] = sentence.split(" ", 1);
  place.replaceChildren(element("span", first), element("span", sentence.slice(first.length)));
  place.hidden = false;
  document.querySelector(".judging-moment")?.remove();
  if (!sentence) return;
  const above = place.cloneNode(true);
  above.className = "judging-moment";
  document.querySelector(".judging-progress").append(above);
  setTimeout(() => above.remove(), 5000);
}

export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function button(text, press, className = "plain") {
  const made = element("button", text, className);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

// Where a sentence names the document: its docno may be part of another word, or a topic's number.
function placeOf(docno, sentence) {
  const at = sentence.indexOf(docno);
  const [before, after] = [sentence.slice(0, at), sentence.slice(at + docno.length)];
  return /[\p{L}\p{N}]$|topic $/iu.test(before) || /^[\p{L}\p{N}]/u.test(after) ? -1 : at;
}

// An answer that the server would not take: why, and what was pressed. `href` leads to its document.
export function returnedRow(name, act, pressed, href, dismiss) {
  const row = element(name);
  row.role = "alert";
  const docno = element(href ? "a" : "span", act.docno);
  if (href) docno.href = href;
  const at = placeOf(act.docno, act.refused);
  const what = `${pressed}${act.comment ? ` and wrote “${act.comment}”` : ""}. `;
  const told = at < 0 ? [`${act.refused} On `, docno, ` you pressed ${what}`] : [act.refused.slice(0, at), docno, `${act.refused.slice(at + act.docno.length)} Here you pressed ${what}`];
  row.append(element("b", "Not saved."), " ", ...told, button("Dismiss", () => dismiss(row)));
  return row;
}
