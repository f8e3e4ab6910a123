import assert from "node:assert/strict";
import { test } from "node:test";
import { Needles, folded, hitsIn, spacelessWords } from "../../static/js/judging/hits.js";

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

test("a topic's word is found in each form that this document has of it, and only there", () => {
  const wanted = [{ key: "tree", forms: ["Trees", "tree"] }];
  assert.deepEqual(found(wanted, "Trees, a tree; TREE treetop."), ["tree: Trees", "tree: tree"]);
});

test("one's own word is found in any case, as a whole word", () => {
  assert.deepEqual(found(own("cat"), "Cat CAT scatter cats"), ["cat: Cat", "cat: CAT"]);
});

test("a word of decomposed letters is the same word", () => {
  assert.equal(folded("E\u0301te\u0301"), "été");
  assert.deepEqual(found(own("été"), "L'e\u0301te\u0301"), ["été: e\u0301te\u0301"]);
});

test("a star is any ending", () => {
  const hits = found(own("cat*"), "cats catalog a cat");
  assert.deepEqual(hits, ["cat*: cats", "cat*: catalog", "cat*: cat"]);
});

test("a phrase may have other marks between its words, but no end of a sentence", () => {
  const text = "street trees, street-trees, street. Trees; street (old) trees";
  const phrases = ["street trees: street trees", "street trees: street-trees"];
  assert.deepEqual(found(own("street trees"), text), phrases);
  assert.deepEqual(found(own("street trees"), "street ------- trees"), [], "too far");
});

test("a phrase goes from one node into the next, but not into the next line", () => {
  const wanted = own("street trees");
  assert.deepEqual(found(wanted, ["street ", "trees"]), ["street trees: street trees"]);
  assert.deepEqual(found(wanted, ["street", "trees"]), ["street trees: streettrees"]);
  assert.deepEqual(found(wanted, "street", "trees"), []);
});

test("phrases that begin alike, or in each other, are all found", () => {
  const text = "new york city new new york";
  const hits = found(own("new york", "new york city", "york city"), text).sort();
  const [city, york] = ["new york city: new york city", "new york: new york"];
  assert.deepEqual(hits, [city, york, york, "york city: york city"]);
});

test("where no spaces are between words, a piece of text is found within", () => {
  const wanted = [{ key: "街道", piece: "街道" }, ...own("樹木")];
  assert.deepEqual(found(wanted, "在街道上的樹木"), ["街道: 街道", "樹木: 樹木"]);
  assert.deepEqual(found([{ key: "tree", forms: ["tree"] }], "街道tree樹木"), ["tree: tree"]);
});

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

test("what has no letter is looked for nowhere", () => {
  assert.deepEqual(found(own("!?"), "really !?"), []);
});

test("runs of text without spaces come apart into words, without stop words", () => {
  const runs = ["街道上的樹木", "街道"];
  const words = spacelessWords({ runs, stop: ["的"], language: "zh", most: 9 });
  assert.ok(["街道", "樹木"].every((each) => words.includes(each)));
  assert.ok(!words.includes("的"));
  assert.equal(new Set(words).size, words.length);
  assert.deepEqual(spacelessWords({ runs: ["の"], stop: [], language: "ja", most: 9 }), []);
  assert.deepEqual(spacelessWords({ runs: [] }), []);
});
