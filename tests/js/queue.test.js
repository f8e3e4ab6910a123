import assert from "node:assert/strict";
import { test } from "node:test";
import { Queue } from "../../static/js/judging/queue.js";

let n = 0;

const row = (docno, changed = {}) => ({ version: 1, docno, ...changed });
const judged = (docno, grade, change) => row(docno, { state: "judged", grade, change });

const queueOf = (...rows) => new Queue(rows.map((each, at) => ({ number: at + 1, ...each })));
const numbers = (entries) => entries.map((entry) => entry.number);

function press(queue, number, choice, more = {}) {
  const act = { ...queue.act(queue.at(number), choice, more), client_id: `id ${++n}` };
  queue.apply(act);
  return act;
}

test("the next document is the first unjudged one after this one, then one before it", () => {
  const queue = queueOf(row("a"), judged("b", 1, 1), row("c"), row("d"));
  assert.deepEqual(numbers(queue.ahead(3, 9)), [4, 1]);
  assert.deepEqual([queue.nextOpen(4).number, queue.nextOpen().number], [1, 1]);
  assert.equal(queueOf(judged("a", 0, 1)).nextOpen(), undefined);
});

test("what has a higher priority comes first, wherever it is in the list", () => {
  const queue = queueOf(row("a"), row("b", { priority: 1 }), row("c"), row("d", { priority: 1 }));
  assert.deepEqual(numbers(queue.ahead(3, 9)), [4, 2, 1]);
  assert.equal(queue.nextOpen().number, 2);
});

test("what was put off comes after all unjudged documents, the longest ago first", () => {
  const queue = queueOf(row("a"), row("b"), row("c"));
  press(queue, 2, "later");
  press(queue, 1, "later");
  assert.deepEqual(numbers(queue.ahead(1, 9)), [3, 2, 1]);
});

test("a grade, its comment and what it was given for are on the entry at once", () => {
  const queue = queueOf(row("a"));
  const said = { comment: "see below", document_version: 3, topic_version: 2 };
  const act = press(queue, 1, "-2", said);
  const { state, grade, comment, judged_version: text, judged_topic: topic, last } = queue.at(1);
  assert.deepEqual([state, grade, comment, text, topic], ["judged", -2, "see below", 3, 2]);
  assert.deepEqual([last, queue.given("document -2")], [act.client_id, 1]);
});

test("a comment is sent only where it has changed", () => {
  const queue = queueOf(row("a", { comment: "long" }));
  assert.ok(!("comment" in queue.act(queue.at(1), "1", { comment: "long" })));
  assert.equal(queue.act(queue.at(1), "1", { comment: "" }).comment, "");
});

test("an act that is reverted leaves the entry as it was", () => {
  const queue = queueOf(row("a", { ratings: { depth: 1 }, passages: [[0, "x"]] }));
  const before = { ...queue.at(1) };
  const act = press(queue, 1, "cannot_judge", { reason: "empty", ratings: {}, passages: [] });
  assert.equal(queue.at(1).reason, "empty");
  queue.revert(act);
  assert.deepEqual({ ...queue.at(1) }, before);
});

test("undo takes what was decided last, of one's own and not what is open again", () => {
  const ada = row("d", { state: "judged", change: 9, by: "Ada" });
  const queue = queueOf(judged("a", 1, 4), judged("b", 1, 5), row("c"), ada);
  assert.equal(queue.decidedLast().number, 2);
  press(queue, 1, "0");
  assert.equal(queue.decidedLast().number, 1);
  press(queue, 1, "undo");
  assert.equal(queue.decidedLast().number, 2);
  assert.equal(queueOf(row("a")).decidedLast(), undefined);
});

test("a shared topic gives more documents, and takes those that others have", () => {
  const queue = queueOf(row("a"), row("b", { title: "B" }));
  queue.take([{ number: 3, version: 1 }, { number: 2, version: 1, state: "given_up" }]);
  assert.equal(queue.size, 3);
  const { docno, title, state } = queue.at(2);
  assert.deepEqual([docno, title, state], ["b", "B", "given_up"], "a name that is known stays");
  assert.deepEqual([queue.at(3).docno, queue.at(3).state], ["", "unjudged"]);
});

test("what is being answered here is not replaced by what a shared topic gives", () => {
  const queue = queueOf(row("a"));
  press(queue, 1, "1");
  queue.take([{ number: 1, ...row("a") }]);
  assert.equal(queue.at(1).grade, 1);
});

test("documents are counted by state", () => {
  const queue = queueOf(row("a"), judged("b", 0, 1), judged("c", 1, 2));
  press(queue, 1, "later");
  const counts = { unjudged: 0, judged: 2, later: 1, reopened: 0, cannot_judge: 0 };
  assert.deepEqual(queue.counts(), counts);
});

test("lines of a comment end as a field has them", () => {
  assert.equal(queueOf(row("a", { comment: "one\r\ntwo" })).at(1).comment, "one\ntwo");
});

test("a page is behind where documents have come, or others have changed something", () => {
  const queue = new Queue([{ number: 1, ...row("a") }], 4);
  assert.equal(queue.isBehind({ size: 1, changes: [4, 5] }), false);
  assert.equal(queue.isBehind({ size: 1, changes: [4, 6] }), false, "an answer that was lost");
  assert.equal(queue.isBehind({ size: 2, changes: [6, 7] }), true);
  assert.equal(queue.isBehind({ size: 1, changes: [8, 9] }), true);
  assert.equal(queue.changes, 7, "it still is");
  queue.take([], 9);
  assert.equal(queue.isBehind({ size: 1, changes: [9, 10] }), false);
});

test("what was told before one's own last act is not taken for how a document stands", () => {
  const queue = queueOf(row("a"), row("b"));
  const act = press(queue, 1, "2");
  queue.confirm(act, { state: "judged", grade: 2, change: 1 });
  queue.isBehind({ size: 2, changes: [0, 1] });
  queue.take([{ number: 1, ...row("a") }, { number: 3, ...row("c") }], 0);
  assert.deepEqual([queue.at(1).grade, queue.size, queue.changes], [2, 3, 1]);
  queue.take([{ number: 1, ...row("a") }], 2);
  assert.deepEqual([queue.at(1).state, queue.changes], ["unjudged", 2]);
});

test("so it is while the other acts of the same answer are still worked through", () => {
  const queue = queueOf(row("a"), row("b"));
  const [first, second] = [press(queue, 1, "2"), press(queue, 2, "1")];
  queue.confirm(first, { state: "judged", grade: 2, change: 1 });
  queue.take([{ number: 1, ...row("a") }, { number: 2, ...row("b") }], 0);
  queue.confirm(second, { state: "judged", grade: 1, change: 2 });
  assert.deepEqual([queue.at(1).grade, queue.at(2).grade], [2, 1]);
});
