import assert from "node:assert/strict";
import { test } from "node:test";
import { left, written } from "../../static/js/clock.js";

test("a moment is written by the clock of a zone", () => {
  const moment = new Date("2026-03-28T23:30:00Z");
  assert.equal(written(moment, "UTC"), "28 March 2026, 23:30");
  assert.equal(written(moment, "Europe/Berlin"), "29 March 2026, 00:30");
  assert.equal(written(new Date("2026-03-29T01:30:00Z"), "Europe/Berlin"), "29 March 2026, 03:30");
});

test("what is left is said in days from two days on, then in hours, then in minutes", () => {
  assert.equal(left(3 * 24 * 60 + 700), "3 days");
  assert.equal(left(2 * 24 * 60), "2 days");
  assert.equal(left(2 * 24 * 60 - 1), "47 hours");
  assert.equal(left(61), "1 hour");
  assert.equal(left(59.9), "59 minutes");
  assert.equal(left(1.5), "1 minute");
  assert.equal(left(0.5), "less than a minute");
});
