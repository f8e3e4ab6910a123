import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keyOf, takesText } from "../../static/js/keyof.js";

let chosen; // the keys that the page has

beforeEach(() => {
  chosen = [];
  globalThis.CSS = { escape: (text) => text };
  const has = (selector) => chosen.some((key) => selector === `[data-key="${key}"]`);
  globalThis.document = { querySelector: (selector) => (has(selector) ? {} : null) };
});

test("a letter is the same key in either case", () => {
  assert.equal(keyOf({ key: "U", code: "KeyU" }), "u");
  assert.equal(keyOf({ key: "Escape", code: "Escape" }), "Escape");
});

test("a digit is known by its place, where the keyboard has a letter or a sign on it", () => {
  assert.equal(keyOf({ key: "é", code: "Digit2" }), "2");
  assert.equal(keyOf({ key: "2", code: "Numpad2" }), "2");
  assert.equal(keyOf({ key: "\"", code: "Digit2", shiftKey: true }), "\"");
  assert.equal(keyOf({ key: "-", code: "Digit6" }), "-");
});

test("what somebody has chosen as a key is that key, wherever it is", () => {
  chosen = ["é"];
  assert.equal(keyOf({ key: "é", code: "Digit2" }), "é");
});

test("a key event without a place is what was typed", () => {
  assert.equal(keyOf({ key: "3" }), "3");
});

test("nothing takes text where nothing has the focus", () => {
  assert.equal(takesText(null), false);
  assert.equal(takesText({ matches: (selector) => selector.startsWith("textarea") }), true);
});
