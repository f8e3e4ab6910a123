// Brought once an answer comes back that the server would not take.
import { button, element } from "../element.js";

// Where a sentence names the document: its docno may be part of another word, or a topic's number.
function placeOf(docno, sentence) {
  const at = sentence.indexOf(docno);
  const [before, after] = [sentence.slice(0, at), sentence.slice(at + docno.length)];
  return /[\p{L}\p{N}]$|topic $/iu.test(before) || /^[\p{L}\p{N}]/u.test(after) ? -1 : at;
}

// An answer that the server would not take: why, and what was pressed. `href` leads to its
// document.
export function returnedRow(name, act, pressed, href, dismiss) {
  const { docno, refused, comment } = act;
  const at = placeOf(docno, refused);
  const [before, after, where] =
    at < 0
      ? [`${refused} On `, "", "you"]
      : [refused.slice(0, at), refused.slice(at + docno.length), "Here you"];
  const row = element(
    name,
    { role: "alert" },
    element("b", {}, "Not saved."),
    ` ${before}`,
    element(href ? "a" : "span", { href }, docno),
    `${after} ${where} pressed ${pressed}${comment ? ` and wrote “${comment}”` : ""}. `,
    button("Dismiss", () => dismiss(row)),
  );
  return row;
}

// Beside the document, in the order in which they came back.
export function giveBack(view, act, entry, dismiss) {
  const find = (selector) => view.root.querySelector(selector);
  const kept = find("#kept");
  const dismissed = (row) => {
    row.remove();
    kept.hidden = !kept.childElementCount;
    dismiss(act);
    view.look();
  };
  const words = view.words(act.choice, act.reason, act.before).replace(/^grade (\S+),.*/s, "$1");
  const pressed = act.choice === "undo" ? "undo" : words;
  const at = entry && `?number=${entry.number}`;
  kept.append(returnedRow("p", act, pressed, at, dismissed));
  kept.hidden = false;
  const told = find(".judging-toast");
  if (told.textContent.startsWith(`${act.docno}:`)) told.hidden = true;
  find(".judging-moment")?.remove();
}
