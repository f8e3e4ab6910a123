import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Outbox } from "../../static/js/judging/outbox.js";
import {
  FakeStore, freshWindow, json, later, problem, sentence, serve, settle, unreachable,
} from "./fakes.js";

const PLACE = "/topic/1/";
const ADDRESS = "/api/work/a1/judge/";
let store, told;

beforeEach(() => {
  freshWindow();
  [store, told] = [new FakeStore(), []];
});

const act = (id, more = {}) =>
  ({ client_id: id, number: 1, docno: "a", choice: "1", at: new Date().toISOString(), ...more });

const outboxOf = () =>
  new Outbox(store, "7", { place: PLACE, address: ADDRESS }, (news) => told.push(news));

// Of a page that is ready, on which these acts are given.
async function opened(...acts) {
  const outbox = outboxOf();
  await outbox.load();
  outbox.release();
  await settle();
  for (const each of acts) await outbox.add(each);
  await settle();
  return outbox;
}

const sent = (asked) => asked.map(({ body }) => JSON.parse(body).map((each) => each.client_id));
const taken = (body) => json({ results: JSON.parse(body).map(({ client_id }) => ({ client_id })) });
const heard = (name) => told.filter((news) => news[name]).map((news) => news[name]);

test("an act is sent at once, with its age, and is gone once it is saved", async () => {
  const asked = serve(taken);
  const outbox = await opened(act("one", { before: { grade: null } }));
  assert.equal(asked[0].address, ADDRESS);
  assert.equal(asked[0].headers["X-CSRFToken"], "a-token");
  assert.equal(asked[0].headers["Judging-Reader"], "7");
  const [body] = JSON.parse(asked[0].body);
  assert.deepEqual(Object.keys(body).sort(), ["ago_ms", "choice", "client_id", "docno", "number"]);
  assert.equal(heard("saved")[0].client_id, "one");
  assert.equal(outbox.size, 0);
  assert.deepEqual(await store.all("acts"), []);
});

test("nothing leaves before the page is ready to hear, or once another tab judges", async () => {
  const asked = serve(taken);
  const outbox = outboxOf();
  await outbox.add(act("one"));
  await settle();
  assert.equal(asked.length, 0);
  outbox.hold();
  outbox.release();
  await settle();
  assert.equal(asked.length, 0);
});

test("what an earlier page of this topic left is sent, and that of another is not", async () => {
  await store.put("acts", act("mine", { place: PLACE }));
  await store.put("acts", act("other", { place: "/topic/2/" }));
  const asked = serve(taken);
  await opened();
  assert.deepEqual(sent(asked), [["mine"]]);
  assert.deepEqual((await store.all("acts")).map((each) => each.client_id), ["other"]);
});

test("acts given while one is on its way follow together, in their order", async () => {
  let answer;
  const asked = serve((body) => new Promise((resolve) => { answer = () => resolve(taken(body)); }));
  await opened(...["one", "two", "three"].map((id) => act(id)));
  answer();
  await settle();
  await later(0);
  assert.deepEqual(sent(asked), [["one"], ["two", "three"]]);
});

test("fifty acts go in a request", async () => {
  for (let n = 0; n < 60; n++) await store.put("acts", act(`${n}`, { place: PLACE }));
  const asked = serve(taken);
  await opened();
  await later(0);
  assert.deepEqual(sent(asked).map((each) => each.length), [50, 10]);
});

test("without an answer it is sent again after 1, 2, 4, 8, 15 and 15 seconds", async () => {
  const asked = serve(unreachable);
  await opened(act("one"));
  for (const [at, seconds] of [1, 2, 4, 8, 15, 15].entries()) {
    await later(seconds * 1000 - 1);
    assert.equal(asked.length, at + 1);
    await later(1);
    assert.equal(asked.length, at + 2);
  }
  assert.equal(told.at(-1).trouble, "The server cannot be reached.");
  const [kept] = await store.all("acts");
  assert.deepEqual([kept.place, kept.address], [PLACE, ADDRESS], "another page can send it");
});

test("a server that is slow to answer is told of", async () => {
  serve(() => new Promise(() => {}));
  await opened(act("one"));
  await later(2999);
  assert.deepEqual(heard("trouble"), []);
  await later(1);
  assert.deepEqual(heard("trouble"), ["The server does not answer."]);
});

test("an act that is refused comes back, with the reason and how the document stands", async () => {
  const now = { grade: 2 };
  serve(() => json({ results: [{ client_id: "one", refused: "Too late.", now }] }));
  const outbox = await opened(act("one"));
  const { returned, now: stands } = told.find((news) => news.returned);
  assert.deepEqual([returned.client_id, returned.refused, stands], ["one", "Too late.", now]);
  assert.deepEqual((await store.all("returned")).map((each) => each.refused), ["Too late."]);
  assert.equal(outbox.size, 0);
});

test("where judging has ended, what was not saved comes back, the last first", async () => {
  for (const id of ["one", "two", "three"]) await store.put("acts", act(id, { place: PLACE }));
  serve(() => problem({ detail: "The topic was closed.", saved: ["one"] }, 409));
  await opened();
  assert.deepEqual(heard("ended"), ["The topic was closed."]);
  assert.deepEqual(heard("returned").map((each) => each.client_id), ["three", "two"]);
  assert.deepEqual(heard("saved").map((each) => each.client_id), ["one"]);
});

test("a refusal that does not say what was saved is not the last word", async () => {
  for (const none of [problem({ detail: "Sign in." }, 401), sentence("Not from here.", 403)]) {
    const asked = serve(() => none.clone());
    const before = (await store.all("acts")).length;
    await opened(act(String(before)));
    assert.equal(heard("trouble").at(-1), before ? "Not from here." : "Sign in.");
    assert.equal((await store.all("acts")).length, before + 1);
    assert.ok(asked.length);
  }
});

test("how the assignment stands is told with each answer", async () => {
  const stands = { few: true, size: 7, changes: [3, 4] };
  serve((body) => json({ results: [{ client_id: JSON.parse(body)[0].client_id }], ...stands }));
  await opened(act("one"));
  assert.deepEqual(heard("told"), [stands]);
});

test("an act can be taken out only while it was never sent", async () => {
  serve(unreachable);
  const outbox = outboxOf();
  await outbox.add(act("one"));
  await outbox.cancel(outbox.unsent("one"));
  assert.equal(outbox.size, 0);
  assert.deepEqual(await store.all("acts"), []);
  await outbox.add(act("two"));
  outbox.release();
  assert.equal(outbox.unsent("two"), undefined, "it is on its way");
  await settle();
  assert.equal(outbox.unsent("two"), undefined, "it may have arrived");
});

test("what an earlier page left may have arrived, so it is not taken out", async () => {
  await store.put("acts", act("one", { place: PLACE }));
  const outbox = outboxOf();
  await outbox.load();
  assert.equal(outbox.size, 1);
  assert.equal(outbox.unsent("one"), undefined);
});

test("what has arrived is not taken out while its answer is being worked through", async () => {
  serve(taken);
  const outbox = outboxOf();
  await outbox.add(act("one"));
  await outbox.add(act("two"));
  store.drop = () => new Promise(() => {});
  outbox.release();
  await settle();
  assert.equal(outbox.size, 1);
  assert.equal(outbox.unsent("two"), undefined);
});

test("an act is not sent before it is kept, nor is what was given after it", async () => {
  const asked = serve(taken);
  const outbox = await opened();
  const put = store.put.bind(store);
  let keep;
  store.put = (...kept) => new Promise((resolve) => { keep = () => resolve(put(...kept)); });
  outbox.add(act("one"));
  store.put = put;
  await outbox.add(act("two"));
  await settle();
  assert.deepEqual(sent(asked), []);
  keep();
  await settle();
  assert.deepEqual(sent(asked), [["one", "two"]]);
});

test("an act that this browser cannot keep is none", async () => {
  const asked = serve(taken);
  const outbox = await opened();
  store.isFull = true;
  await assert.rejects(outbox.add(act("one")), { name: "QuotaExceededError" });
  assert.equal(outbox.size, 0);
  assert.equal(asked.length, 0);
});
