// What the page foresees of an act is what the table of the server says becomes of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Queue, isOpen } from "../../static/js/judging/queue.js";

const CASES = JSON.parse(process.env.CASES);
const told = ({ state, grade, reason, by }) => ({ state, grade, reason, by });

function press(queue, choice, reason) {
  const act = { ...queue.act(queue.at(1), choice, { reason }), client_id: choice };
  queue.apply(act);
  return act;
}

for (const { name, knew, isShown, choice, reason, isRefused, now } of CASES) {
  const queueOf = () => new Queue([{ number: 1, docno: "d1", version: 2, ...knew }]);

  test(name, () => {
    const queue = queueOf();
    const entry = queue.at(1);
    if (choice === "undo" && isShown) assert.equal(queue.decidedLast() === entry, !isRefused);
    const act = press(queue, choice, reason);
    assert.equal(act.change, knew.change);
    if (choice === "undo") assert.ok(isOpen(entry));
    if (!isRefused && !now.by) assert.deepEqual(told(entry), told(now));
    if (isRefused) queue.refuse(act, now);
    else queue.confirm(act, now);
    assert.deepEqual([told(entry), entry.change, entry.last], [told(now), now.change, null]);
  });

  if (choice === "undo" && !isRefused) {
    test(`${name}, redo`, () => {
      const queue = queueOf();
      const undo = press(queue, choice, reason);
      assert.equal(queue.at(1).former, knew.grade);
      const again = press(queue, String(knew.grade ?? knew.state), knew.reason);
      assert.deepEqual([again.after, again.change], [undo.client_id, undefined]);
      queue.confirm(undo, now);
      assert.deepEqual(told(queue.at(1)), told(knew)); // not what is older
      assert.equal(queue.at(1).last, again.client_id);
    });
  }
}
