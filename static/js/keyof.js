// A letter of another script, alone: names of keys are Latin.
const NOT_LATIN = /^(?!\p{Script=Latin})\p{L}$/u;

// The key as a page names it: a letter in either case, a digit by its place (AZERTY), and a letter
// by its place where what is typed is not Latin, unless what is typed is a chosen key.
export function keyOf(event) {
  const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const [, letter, digit] = event.code?.match(/^(?:Key([A-Z])|Digit(\d))$/) ?? [];
  const isByPlace = digit ? !event.shiftKey && typed !== "-" : letter && NOT_LATIN.test(typed);
  if (!isByPlace || document.querySelector(`[data-key="${CSS.escape(typed)}"]`)) return typed;
  return digit ?? letter.toLowerCase();
}

// What takes characters: a key there is one of its text.
export const takesText = (element) =>
  element?.matches("textarea, select, input:not([type=hidden], [type=radio], [type=checkbox])") ??
  false;
