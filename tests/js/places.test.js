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

const quoted = (places, before, text) => {
  const found = places.find([before, text]);
  return found && [found.before, String(found.range)];
};

test("white space does not count, whatever kind it is", () => {
  assert.equal(bare(" a\u00a0cat\n\x1c\x85\ufeff."), "acat.");
  assert.equal(lengthOf("a cat"), 4);
});

test("characters beyond the first plane count once, as in the text on the server", () => {
  assert.equal(lengthOf("😀 a 𝒳"), 3);
  assert.deepEqual(quoted(placesIn("😀😀 a cat"), 2, "a cat"), [2, "a cat"]);
});

test("a passage is found by how many characters come before it", () => {
  const places = placesIn("A cat sat. ", "A cat", " ran.");
  assert.deepEqual(quoted(places, 0, "A cat"), [0, "A cat"]);
  assert.deepEqual(quoted(places, 8, "A cat"), [8, "A cat"]);
});

test("a passage goes over several nodes, with other white space between them", () => {
  const places = placesIn("The cat ", "", "\n  ", "sat", " down.");
  assert.deepEqual(quoted(places, 3, "cat sat down"), [3, "cat \n  sat down"]);
});

test("a passage that has moved is found where its text is", () => {
  assert.deepEqual(quoted(placesIn("Now a new start. A dog."), 3, "A dog."), [13, "A dog."]);
  assert.deepEqual(quoted(placesIn("😀 x A dog."), 9, "A dog."), [2, "A dog."]);
});

test("a passage that is not in the text is not found", () => {
  const places = placesIn("A cat.");
  assert.equal(places.find([0, "A dog"]), undefined);
  assert.equal(places.find([0, "  "]), undefined);
  assert.equal(placesIn().find([0, "a"]), undefined);
});

test("the first of a text's two is found only where no place says which", () => {
  const places = placesIn("ha ha ha");
  assert.deepEqual(quoted(places, 4, "ha"), [4, "ha"]);
  assert.deepEqual(quoted(places, 40, "ha"), [0, "ha"]);
});
