import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { OwnWords } from "../../static/js/judging/ownwords.js";
import {
  FakeStore, freshWindow, json, later, listeners, sentence, serve, settle, unreachable,
} from "./fakes.js";

let store, told;

beforeEach(() => {
  freshWindow();
  [store, told] = [new FakeStore(), []];
});

const none = () => json({ own: [], off: [], not_saved: [] });
const heard = (words = "") => told.push(words);

function wordsOf({ own = [], off = [], most = 30, open = async () => store } = {}) {
  return new OwnWords({ place: "/topic/1/", user: "7", own, off, most, marks: 3, heard, open });
}

const texts = ({ now }) => now.own.map(({ text }) => text);
const sent = (asked) => asked.map(({ body }) => JSON.parse(body.get("changes")));

test("a word is there at once, cleaned, with the mark that the fewest have", async () => {
  const asked = serve(none);
  const mine = wordsOf({ own: [{ text: "tree", mark: 1 }, { text: "street", mark: 2 }] });
  assert.equal(mine.add("  New   York * "), "");
  assert.deepEqual(mine.now.own.at(-1), { text: "New York*", mark: 3, isUnsaved: true });
  await settle();
  assert.deepEqual(sent(asked), [[{ act: "add", text: "New York*", mark: 3 }]]);
});

test("what is no word, too short, known or one too many is not added, and it is said why", () => {
  const asked = serve(none);
  const mine = wordsOf({ own: [{ text: "Été", mark: 1 }], most: 2 });
  assert.equal(mine.add("?!"), "Write a word with at least one letter or digit.");
  assert.equal(mine.add("a*"), "Write at least two letters before the *.");
  assert.equal(mine.add("e\u0301te\u0301"), "été is among your words already.");
  assert.equal(mine.add("one"), "");
  assert.match(mine.add("two"), /There are 2 words of your own/);
  assert.deepEqual(texts(mine), ["Été", "one"]);
  assert.equal(asked.length, 0, "not before it is kept");
});

test("changes hold in their order, before the server has them", () => {
  serve(unreachable);
  const mine = wordsOf({ own: [{ text: "tree", mark: 1 }], off: ["Street"] });
  mine.remove("TREE");
  mine.switch("street", true);
  mine.switch("Road", false);
  assert.deepEqual(texts(mine), []);
  assert.deepEqual([...mine.now.off], ["road"]);
  assert.equal(mine.nUnsaved, 3);
});

test("what the server has kept is what there is", async () => {
  serve(() => json({ own: [{ text: "tree", mark: 2 }], off: ["road"], not_saved: ["No more."] }));
  const mine = wordsOf();
  mine.add("tree");
  await settle();
  assert.equal(mine.nUnsaved, 0);
  assert.deepEqual(mine.now.own, [{ text: "tree", mark: 2 }]);
  assert.deepEqual(told.at(-1), "Not saved. No more.");
  assert.deepEqual(await store.all("words"), []);
});

test("without an answer they stay in this browser, for its next page too", async () => {
  const asked = serve(unreachable);
  const mine = wordsOf();
  mine.add("tree");
  await settle();
  assert.equal(told.at(-1), "The server cannot be reached.");
  await later(2000);
  assert.equal(asked.length, 2);
  listeners.clear();
  const again = serve(none);
  const next = wordsOf();
  await next.load();
  await settle();
  assert.deepEqual(sent(again), [[{ act: "add", text: "tree", mark: 1 }]]);
  assert.equal(next.nUnsaved, 0);
});

test("a word that is there already stays as it is", async () => {
  const changes = [{ act: "add", text: "TREE", mark: 1 }];
  await store.put("words", { place: "/topic/1/", changes });
  serve(unreachable);
  const mine = wordsOf({ own: [{ text: "tree", mark: 2 }] });
  await mine.load();
  assert.deepEqual(mine.now.own, [{ text: "tree", mark: 2 }]);
});

test("what was refused waits for the next change", async () => {
  let asked = serve(() => sentence("The campaign has ended.", 403));
  const mine = wordsOf();
  mine.add("tree");
  await settle();
  await later(60_000);
  assert.equal(asked.length, 1);
  assert.equal(told.at(-1), "The campaign has ended.");
  asked = serve(none);
  mine.add("street");
  await settle();
  assert.deepEqual(sent(asked)[0].map(({ text }) => text), ["tree", "street"]);
});

test("a hundred changes go in a request", async () => {
  const asked = serve(none);
  const mine = wordsOf();
  for (let n = 0; n < 101; n++) mine.switch(`word ${n}`, false);
  await settle();
  await later(0);
  assert.deepEqual(sent(asked).map((each) => each.length), [100, 1]);
});

test("in a browser that keeps nothing, a change is sent all the same", async () => {
  const asked = serve(none);
  const mine = wordsOf({ open: async () => { throw new Error("private"); } });
  await mine.load();
  mine.add("tree");
  await settle();
  assert.equal(asked.length, 1);
});
