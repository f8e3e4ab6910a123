import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Pending } from "../../static/js/judging/requests.js";
import { freshWindow, happen, later, settle } from "./fakes.js";

let items, heard, answers, sent;

beforeEach(() => {
  freshWindow();
  [items, heard, answers, sent] = [["one", "two"], [], [], []];
});

const done = (what) => (item) => {
  heard.push(`${what} ${item}`);
  items.shift();
};

function pending(options) {
  const trouble = (sentence, item) => heard.push(`${sentence} ${item}`);
  const store = { next: () => items[0], saved: done("saved"), refused: done("refused"), trouble };
  return new Pending(store, async (item) => {
    sent.push(item);
    return answers.shift() ?? { saved: true };
  }, options);
}

test("one is sent after the other, whatever became of it", async () => {
  answers = [{ refused: "No." }];
  pending().send();
  await settle();
  await later(0);
  assert.deepEqual(heard, ["refused one", "saved two"]);
});

test("while one is on its way no other goes", async () => {
  const queue = pending();
  queue.send();
  queue.send();
  assert.deepEqual(sent, ["one"]);
});

test("what is in trouble is sent again, after ever longer pauses", async () => {
  answers = Array.from({ length: 7 }, () => ({ trouble: "Down:" }));
  pending().send();
  await settle();
  for (const [at, seconds] of [2, 4, 8, 15, 30, 30].entries()) {
    await later(seconds * 1000 - 1);
    assert.equal(sent.length, at + 1);
    await later(1);
    assert.equal(sent.length, at + 2);
  }
  assert.equal(heard[0], "Down: one");
});

test("after it has arrived, the next trouble begins with a short pause", async () => {
  answers = [{ trouble: "Down:" }, { trouble: "Down:" }, { saved: true }, { trouble: "Down:" }];
  pending().send();
  await settle();
  for (const ms of [2000, 4000, 0]) await later(ms);
  assert.deepEqual(sent, ["one", "one", "one", "two"]);
  await later(2000);
  assert.deepEqual(heard.at(-1), "saved two");
});

for (const event of ["online", "focus", "pageshow"]) {
  test(`at ${event} nothing waits for its pause`, async () => {
    answers = [{ trouble: "Down:" }];
    pending().send();
    await settle();
    happen(event);
    await settle();
    assert.deepEqual(heard, ["Down: one", "saved one"]);
  });
}

test("what is held stays, until it is let go", async () => {
  const queue = pending();
  queue.hold();
  queue.send();
  await later(60_000);
  assert.deepEqual(sent, []);
  queue.release();
  assert.deepEqual(sent, ["one"]);
});

test("what is soon to be sent waits until nothing more was done for a while", async () => {
  const queue = pending({ quietMs: 1000 });
  queue.soon();
  await later(900);
  queue.soon();
  await later(900);
  assert.deepEqual(sent, []);
  await later(100);
  assert.deepEqual(sent, ["one"]);
  await later(999);
  assert.deepEqual(sent, ["one"]);
  await later(1);
  assert.deepEqual(sent, ["one", "two"]);
});

test("an answer that says nothing of it is none", async () => {
  answers = [{}];
  pending().send();
  await settle();
  assert.deepEqual(heard, ["The server cannot be reached. one"]);
  await later(1999);
  assert.equal(sent.length, 1);
});

test("a store that fails while it hears of it is a trouble like another", async () => {
  let isFull = true;
  const saved = () => {
    if (isFull) throw new Error("The disk is full.");
    items.shift();
  };
  const trouble = (why) => heard.push(why);
  const store = { next: () => items[0], saved, refused: () => {}, trouble };
  new Pending(store, async (item) => sent.push(item) && { saved: true }).send();
  await settle();
  isFull = false;
  await later(2000);
  assert.deepEqual([heard, sent, items], [["The disk is full."], ["one", "one"], ["two"]]);
});
