// Where what somebody typed occurs in a text: anywhere, in any case, white space as white space.
import { withoutWidth } from "./hits.js";

const UNSEEN = "[\\u200d\\u00ad\\u200b\\u2060\\ufeff]*"; // as in hits.js
const ALIKE = ["'’‘", '"“”„', "-‐‑–"]; // which keyboard has them all?

// A letter as it was typed, or as a letter and what stands above it.
function oneOf(letter) {
  const alike = ALIKE.find((each) => each.includes(letter));
  if (alike) return `[${alike.replace("-", "\\-")}]`;
  const apart = letter.normalize("NFD");
  if (apart !== letter) return `(?:${letter}|${apart})`;
  return letter.replace(/[\^$.*+?()[\]{}|\\/]/, "\\$&");
}

// A pattern of what was typed; undefined if that is nothing.
export function patternOf(typed) {
  const words = withoutWidth(typed).normalize("NFC").split(/\s+/).filter(Boolean);
  const parts = words.map((word) => Array.from(word, oneOf).join(UNSEEN));
  return parts.length ? new RegExp(parts.join("\\s+"), "giu") : undefined;
}

// The hits in nodes of text that follow each other in one line.
export function* placesIn(nodes, pattern) {
  let [n, before] = [0, 0]; // the node that was reached, and how many characters come before it
  const reach = (offset) => {
    while (before + nodes[n].data.length < offset) before += nodes[n++].data.length;
    return [nodes[n], offset - before];
  };
  for (const { 0: found, index } of nodes.map(({ data }) => data).join("").matchAll(pattern)) {
    const [start, first] = reach(index + 1);
    const [end, to] = reach(index + found.length);
    yield { start, at: first - 1, end, to };
  }
}
