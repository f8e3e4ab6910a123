import assert from "node:assert/strict";
import { test } from "node:test";
import { patternOf, placesIn } from "../../static/js/judging/finding.js";

// What is found in a line of one node or several, as it is written there.
function found(typed, ...texts) {
  const nodes = texts.map((data) => ({ data }));
  return [...placesIn(nodes, patternOf(typed))].map(({ start, at, end, to }) => {
    const [first, last] = [nodes.indexOf(start), nodes.indexOf(end)];
    if (first === last) return start.data.slice(at, to);
    const between = nodes.slice(first + 1, last).map(({ data }) => data);
    return [start.data.slice(at), ...between, end.data.slice(0, to)].join("|");
  });
}

const ROWS = [
  ["anywhere, in any case", "tre", ["Trees, STREET, tr"], ["Tre", "TRE"]],
  ["also what a pattern would take for something else",
    "a.b(c)*[1]/2", ["a.b(c)*[1]/2 aXb"], ["a.b(c)*[1]/2"]],
  ["across elements", "green tree", ["a gre", "en ", "", "tree, green", " ", "tree"],
    ["gre|en ||tree", "green| |tree"]],
  ["white space is white space", " a \t b ", ["a\n  b a\u00a0b ab"], ["a\n  b", "a\u00a0b"]],
  ["what has no width hides nothing, on either side", "to\u00admato", ["to\u00adma\u200bto tomato"],
    ["to\u00adma\u200bto", "tomato"]],
  ["a letter and its accent are one letter, however they are written",
    "ÉTÉ", ["e\u0301te\u0301 été ete"], ["e\u0301te\u0301", "été"]],
  ["quotation marks and hyphens of any kind", "don't \"x-y\"", ["don’t “x‑y”"], ["don’t “x‑y”"]],
  ["letters beyond the first plane, in any case", "𐐨x", ["a𐐀X"], ["𐐀X"]],
];
for (const [sentence, typed, texts, expected] of ROWS)
  test(sentence, () => assert.deepEqual(found(typed, ...texts), expected));

test("nothing typed is no pattern", () => {
  for (const typed of ["", "  ", "\u00ad"]) assert.equal(patternOf(typed), undefined);
});
