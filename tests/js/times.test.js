import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Outbox } from "../../static/js/judging/outbox.js";
import { FakeStore, happen, json, serve, settle } from "./fakes.js";

const MINUTE = 60_000;
const page = new EventTarget(); // the document
let passed = 0;
globalThis.document = Object.assign(page, { hidden: false, cookie: "csrftoken=a-token" });
performance.now = () => passed;

mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
const { spent } = await import("../../static/js/judging/times.js");

function on(ms) {
  passed += ms;
  mock.timers.setTime(Date.now() + ms);
}

function show(number, { isWaiting = false } = {}) {
  const event = new Event("judging:shown");
  const article = { dataset: isWaiting ? { waiting: "" } : {} };
  page.dispatchEvent(Object.assign(event, { detail: { entry: number && { number }, article } }));
}

const touched = () => happen("pointermove");

function hidden(is) {
  page.hidden = is;
  page.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  hidden(false);
  show(null);
  touched();
});

test("without any input a minute counts, and from then on nobody is there", () => {
  show(1);
  on(5 * MINUTE);
  const five = 5 * MINUTE;
  assert.deepEqual(spent(1), { active_ms: MINUTE, away_ms: 4 * MINUTE, viewed_ms: five });
});

test("who moves before the minute is over is there all the time", () => {
  show(1);
  for (let n = 0; n < 4; n++) {
    on(MINUTE - 6000);
    touched();
  }
  assert.deepEqual(spent(1), { active_ms: 216_000, away_ms: 0, viewed_ms: 216_000 });
});

test("looks at a document add up until it is judged, and then begin anew", () => {
  for (const [number, ms] of [[1, 30_000], [2, 12_000], [1, 18_000]]) {
    show(number);
    touched();
    on(ms);
  }
  assert.deepEqual(spent(1), { active_ms: 48_000, away_ms: 0, viewed_ms: 60_000 });
  assert.deepEqual(spent(1), { active_ms: 0, away_ms: 0 });
  assert.equal(spent(2).active_ms, 12_000);
});

test("a page that is not on the screen counts as away", () => {
  show(1);
  on(10_000);
  hidden(true);
  on(20_000);
  hidden(false);
  on(5000);
  assert.deepEqual(spent(1), { active_ms: 15_000, away_ms: 20_000, viewed_ms: 35_000 });
});

test("a document that is waited for has not been looked at", () => {
  show(1, { isWaiting: true });
  on(10_000);
  assert.deepEqual(spent(1), { active_ms: 0, away_ms: 0 });
});

test("what was pressed without a network is told with its age", async () => {
  const asked = serve((body) =>
    json({ results: JSON.parse(body).map(({ client_id }) => ({ client_id })) }));
  const outbox = new Outbox(new FakeStore(), "7", { place: "/topic/1/", address: "/" }, () => {});
  await outbox.load();
  await outbox.add({ client_id: "one", number: 1, docno: "a", at: new Date().toISOString() });
  on(180 * MINUTE);
  outbox.release();
  await settle();
  assert.equal(JSON.parse(asked[0].body)[0].ago_ms, 180 * MINUTE);
});
