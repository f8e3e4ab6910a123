import assert from "node:assert/strict";
import { test } from "node:test";
import { Needles, hitsIn, spacelessWords } from "../../static/js/judging/hits.js";

const own = (...words) => words.map((word) => ({ key: word, own: word }));

// What is found in lines of text, each one node or several: "key: text".
function found(wanted, ...lines) {
  const pieces = lines.flatMap((line, at) => {
    const texts = Array.isArray(line) ? line : [line];
    return texts.map((data) => ({ node: { data }, line: at }));
  });
  const hits = [...hitsIn(pieces, new Needles(wanted))].filter(Boolean);
  return hits.map(({ key, start, at, end, to }) => {
    if (start === end) return `${key}: ${start.data.slice(at, to)}`;
    return `${key}: ${start.data.slice(at)}${end.data.slice(0, to)}`;
  });
}

const ROWS = [
  [
    "a topic's word is found in each form that this document has of it, and only there",
    [{ key: "tree", forms: ["Trees", "tree"] }],
    ["Trees, a tree; TREE treetop."],
    ["tree: Trees", "tree: tree"],
  ],
  [
    "soft hyphens and what has no width hide no word",
    [{ key: "tomato", forms: ["tomatoes"] }, ...own("cat", "full-text")],
    ["to\u00adma\u00adtoes, c\u200bat, \ufefffull text, ful\u00adl\u200d-\u200btext"],
    ["tomato: to\u00adma\u00adtoes", "cat: c\u200bat", "full-text: full text",
      "full-text: ful\u00adl\u200d-\u200btext"],
  ],
  [
    "one's own word is found in any case, as a whole word",
    own("cat", "الشوارع"), ["Cat CAT scatter cats الشوارع"],
    ["cat: Cat", "cat: CAT", "الشوارع: الشوارع"],
  ],
  ["a word of decomposed letters is the same word",
    own("été"), ["L'e\u0301te\u0301"], ["été: e\u0301te\u0301"]],
  ["a star is any ending",
    own("cat*"), ["cats catalog a cat"], ["cat*: cats", "cat*: catalog", "cat*: cat"]],
  [
    "a phrase may have other marks between its words, but no end of a sentence",
    own("street trees"), ["street trees, street-trees, street. Trees; street (old) trees"],
    ["street trees: street trees", "street trees: street-trees"],
  ],
  ["the words of a phrase are not far apart", own("street trees"), ["street ------- trees"], []],
  ["a phrase goes from one node into the next",
    own("street trees"), [["street ", "trees"]], ["street trees: street trees"]],
  ["so does one that nothing stands between",
    own("street trees"), [["street", "trees"]], ["street trees: streettrees"]],
  ["a phrase does not go into the next line", own("street trees"), ["street", "trees"], []],
  [
    "phrases that begin alike, or in each other, are all found",
    own("new york", "new york city", "york city"), ["new york city new new york"],
    ["new york: new york", "new york city: new york city", "york city: york city",
      "new york: new york"],
  ],
  [
    "where no spaces are between words, a piece of text is found within",
    [{ key: "街道", piece: "街道" }, ...own("樹木")], ["在街道上的樹木"],
    ["街道: 街道", "樹木: 樹木"],
  ],
  ["a word between letters without spaces is found",
    [{ key: "tree", forms: ["tree"] }], ["街道tree樹木"], ["tree: tree"]],
  ["what has no letter is looked for nowhere", own("!?"), ["really !?"], []],
];
for (const [name, wanted, lines, hits] of ROWS)
  test(name, () => assert.deepEqual(found(wanted, ...lines), hits));

test("a hit says how many characters of the block come before it", () => {
  const pieces = ["one ", "two cat ", "cat"].map((data) => ({ node: { data }, line: 0 }));
  const hits = [...hitsIn(pieces, new Needles(own("cat")))].filter(Boolean);
  assert.deepEqual(hits.map(({ offset }) => offset), [8, 12]);
});

test("between two looks at the clock come no more than 64 words", () => {
  const pieces = [{ node: { data: "word ".repeat(200) }, line: 0 }];
  const looks = [...hitsIn(pieces, new Needles([]))];
  assert.deepEqual(looks, [undefined, undefined, undefined]);
});

test("runs of text without spaces come apart into words, without stop words", () => {
  const runs = ["街道上的樹木", "街道"];
  const words = spacelessWords({ runs, stop: ["的"], language: "zh", most: 9 });
  assert.ok(["街道", "樹木"].every((each) => words.includes(each)));
  assert.ok(!words.includes("的"));
  assert.equal(new Set(words).size, words.length);
  const thai = spacelessWords({ runs: ["ต้นไม้ในเมือง"], stop: ["ใน"], language: "th", most: 9 });
  assert.deepEqual(thai, ["ต้นไม้", "เมือง"]);
  assert.deepEqual(spacelessWords({ runs: ["の"], stop: [], language: "ja", most: 9 }), []);
  assert.deepEqual(spacelessWords({ runs: [] }), []);
});
