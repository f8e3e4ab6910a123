// A letter of another script, its mark, or two at once (lam-alef): names of keys are Latin.
const NOT_LATIN = /^(?:(?!\p{Script=Latin})[\p{L}\p{M}])+$/u;

const has = (selector) => document.querySelector(selector) !== null;

// A minus sign is one where there are grades below 0.
const isSign = (typed) => typed === "-" && has('[data-key^="-"]');

// The key as a page names it: a letter in either case, a digit by its place (AZERTY), and a letter
// by its place where what is typed is not Latin, unless what is typed is a chosen key.
export function keyOf(event) {
  const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const [, letter, digit] = event.code?.match(/^(?:Key([A-Z])|Digit(\d))$/) ?? [];
  // In Thai / is where 2 is.
  if (digit && typed === "/" && !event.shiftKey) return digit;
  const isByPlace = digit ? !event.shiftKey && !isSign(typed) : letter && NOT_LATIN.test(typed);
  if (!isByPlace || has(`[data-key="${CSS.escape(typed)}"]`)) return typed;
  return digit ?? letter.toLowerCase();
}

// What takes characters: a key there is one of its text.
export const takesText = (element) =>
  element?.matches("textarea, select, input:not([type=hidden], [type=radio], [type=checkbox])") ??
  false;
