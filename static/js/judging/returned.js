// Brought once an answer comes back that the server would not take.
import { button, element } from "./elements.js";

// Where a sentence names the document: its docno may be part of another word, or a topic's number.
function placeOf(docno, sentence) {
  const at = sentence.indexOf(docno);
  const [before, after] = [sentence.slice(0, at), sentence.slice(at + docno.length)];
  return /[\p{L}\p{N}]$|topic $/iu.test(before) || /^[\p{L}\p{N}]/u.test(after) ? -1 : at;
}

// An answer that the server would not take: why, and what was pressed. `href` leads to its
// document.
export function returnedRow(name, act, pressed, href, dismiss) {
  const row = element(name);
  row.role = "alert";
  const docno = element(href ? "a" : "span", act.docno);
  if (href) docno.href = href;
  const at = placeOf(act.docno, act.refused);
  const what = `${pressed}${act.comment ? ` and wrote “${act.comment}”` : ""}. `;
  const told =
    at < 0
      ? [`${act.refused} On `, docno, ` you pressed ${what}`]
      : [
          act.refused.slice(0, at),
          docno,
          `${act.refused.slice(at + act.docno.length)} Here you pressed ${what}`,
        ];
  row.append(
    element("b", "Not saved."),
    " ",
    ...told,
    button("Dismiss", () => dismiss(row)),
  );
  return row;
}
