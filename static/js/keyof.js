// The key as a page names it: a letter in either case, a digit by its place (AZERTY), unless what
// is typed is a chosen key.
export function keyOf(event) {
  const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const [, digit] = event.code?.match(/^Digit(\d)$/) ?? [];
  if (!digit || event.shiftKey || typed === "-") return typed;
  return document.querySelector(`[data-key="${CSS.escape(typed)}"]`) ? typed : digit;
}

// What takes characters: a key there is one of its text.
export const takesText = (element) =>
  element?.matches("textarea, select, input:not([type=hidden], [type=radio], [type=checkbox])") ??
  false;
