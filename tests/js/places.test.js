import assert from "node:assert/strict";
import { test } from "node:test";
import { Places, bare, lengthOf } from "../../static/js/judging/places.js";

// As a Range between two points of text nodes is read.
function placesIn(...texts) {
  const nodes = texts.map((data) => ({ data }));
  const between = (start, end) => {
    const [first, last] = [nodes.indexOf(start.node), nodes.indexOf(end.node)];
    const parts = nodes.slice(first, last + 1).map(({ data }, at) => {
      const to = first + at === last ? end.after : data.length;
      return data.slice(at === 0 ? start.at : 0, to);
    });
    return { toString: () => parts.join("") };
  };
  return new Places(nodes, between);
}

test("white space does not count, whatever kind it is", () => {
  assert.equal(bare(" a\u00a0cat\n\x1c\x85\ufeff."), "acat.");
  assert.deepEqual(["a cat", "😀 a 𝒳"].map(lengthOf), [4, 3]);
});

for (const [what, texts, [before, text], ...found] of [
  ["characters beyond the first plane count once", ["😀😀 a cat"], [2, "a cat"], 2, "a cat"],
  ["a passage is found by what comes before", ["A cat sat. A cat"], [0, "A cat"], 0, "A cat"],
  ["so is the second of two", ["A cat sat. ", "A cat", " ran."], [8, "A cat"], 8, "A cat"],
  ["a passage goes over several nodes, with other white space between them",
    ["The cat ", "", "\n  ", "sat", " down."], [3, "cat sat down"], 3, "cat \n  sat down"],
  ["a passage that has moved is found where its text is",
    ["Now a new start. A dog."], [3, "A dog."], 13, "A dog."],
  ["it may have moved behind such a character", ["😀 x A dog."], [9, "A dog."], 2, "A dog."],
  ["a passage that is not in the text is not found", ["A cat."], [0, "A dog"]],
  ["white space alone is no passage", ["A cat."], [0, "  "]],
  ["nothing is found in no text", [], [0, "a"]],
  ["its place says which of a text's two it is", ["ha ha ha"], [4, "ha"], 4, "ha"],
  ["the first is found where no place says which", ["ha ha ha"], [40, "ha"], 0, "ha"],
])
  test(what, () => {
    const its = placesIn(...texts).find([before, text]);
    assert.deepEqual(its ? [its.before, String(its.range)] : [], found);
  });
