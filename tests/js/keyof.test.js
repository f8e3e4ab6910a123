import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keyOf, takesText } from "../../static/js/keyof.js";

let chosen; // the keys that the page has

beforeEach(() => {
  chosen = [];
  globalThis.CSS = { escape: (text) => text };
  const has = (selector) =>
    chosen.some((key) => [`="${key}"`, `^="${key[0]}"`].includes(selector.slice(9, -1)));
  globalThis.document = { querySelector: (selector) => (has(selector) ? {} : null) };
});

for (const [what, event, key, its = []] of [
  ["a letter is the same key in either case", { key: "U", code: "KeyU" }, "u"],
  ["a key that types nothing has its name", { key: "Escape", code: "Escape" }, "Escape"],
  ["a digit is known by its place", { key: "é", code: "Digit2" }, "2"],
  ["a digit of the number pad is one", { key: "2", code: "Numpad2" }, "2"],
  ["with Shift it is what was typed", { key: "\"", code: "Digit2", shiftKey: true }, "\""],
  ["a minus sign is one wherever it is", { key: "-", code: "Digit6" }, "-", ["-1"]],
  ["without a grade below 0 its place is a digit's", { key: "-", code: "Digit3" }, "3", ["3"]],
  ["a digit is one where / is typed", { key: "/", code: "Digit2" }, "2", ["/", "2"]],
  ["with Shift that sign is one", { key: "/", code: "Digit7", shiftKey: true }, "/", ["/"]],
  ["what somebody has chosen as a key is that key", { key: "é", code: "Digit2" }, "é", ["é"]],
  ["a letter of another script is known by its place", { key: "г", code: "KeyU" }, "u"],
  ["so is a vowel sign", { key: "ี", code: "KeyU" }, "u"],
  ["and a key that types two letters", { key: "لا", code: "KeyB" }, "b"],
  ["also with Shift, which is what capitals take", { key: "Г", code: "KeyU", shiftKey: true }, "u"],
  ["a Latin letter is what is typed, wherever it is", { key: "q", code: "KeyA" }, "q"],
  ["a letter of no key of that name is what it is", { key: "б", code: "Comma" }, "б"],
  ["a chosen letter of another script is that", { key: "г", code: "KeyU" }, "г", ["г"]],
  ["a key event without a place is what was typed", { key: "3" }, "3"],
])
  test(what, () => {
    chosen = its;
    assert.equal(keyOf(event), key);
  });

test("nothing takes text where nothing has the focus", () => {
  assert.equal(takesText(null), false);
  assert.equal(takesText({ matches: (selector) => selector.startsWith("textarea") }), true);
});
