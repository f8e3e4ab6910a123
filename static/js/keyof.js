// The key as a page names it: a letter in either case, and a digit by its place, which types something else on AZERTY.
export function keyOf(event) {
  const [, digit] = event.code?.match(/^Digit(\d)$/) ?? [];
  if (digit && !event.shiftKey && event.key !== "-") return digit;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
