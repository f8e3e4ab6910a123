import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, numberIn, valueOf } from "../../static/js/table/sorting.js";

const cell = (textContent, { value, ...parts } = {}) =>
  ({ textContent, dataset: { value }, querySelector: (name) => parts[name] ?? null });

test("numbers are read as pages write them", () => {
  assert.equal(numberIn("1,234.5"), 1234.5);
  assert.equal(numberIn("\u22120.25"), -0.25);
  assert.equal(numberIn("89 %"), 89);
  assert.equal(numberIn("0"), 0);
  for (const text of ["", "–", "12 of 30", "run1"]) assert.equal(numberIn(text), undefined);
});

test("a cell is sorted by its meter, its value, its time or else by its text", () => {
  assert.equal(valueOf(cell("3 of 12", { meter: { value: 3, max: 12 } })), 0.25);
  assert.equal(valueOf(cell("none", { meter: { value: 0, max: 0 } })), 0);
  assert.equal(valueOf(cell("a picture", { value: "0.5", time: { dateTime: "2026" } })), 0.5);
  const time = { dateTime: "2026-01-02T03:04Z" };
  assert.equal(valueOf(cell("2 January", { time })), "2026-01-02T03:04Z");
  assert.equal(valueOf(cell("  Ada ")), "Ada");
});

test("words come before numbers, and run10 after run9", () => {
  const sorted = ["run10", 10, "run9", -1, "Ada", 9].sort(compare);
  assert.deepEqual(sorted, ["Ada", "run9", "run10", -1, 9, 10]);
});
