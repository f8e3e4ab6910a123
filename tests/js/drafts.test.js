import assert from "node:assert/strict";
import { test } from "node:test";
import { Drafts } from "../../static/js/judging/store.js";
import { FakeStore } from "./fakes.js";

test("a comment that was being written comes back with its document", async () => {
  const store = new FakeStore();
  const drafts = await Drafts.open(store, "/topic/1/");
  await drafts.keep(3, "", "half a sen");
  const later = await Drafts.open(store, "/topic/1/");
  assert.equal(later.of(3, ""), "half a sen");
  assert.ok(later.has(3));
  assert.equal(later.of(4, "another's"), "another's");
});

test("below a comment that was saved elsewhere since, the draft is kept", async () => {
  const drafts = await Drafts.open(new FakeStore(), "/topic/1/");
  await drafts.keep(3, "as it was", "as it was, and more");
  assert.equal(drafts.of(3, "as it is"), "as it is\nas it was, and more");
  assert.equal(drafts.of(3, "as it was, and more"), "as it was, and more");
});

test("the same number of another topic is another document", async () => {
  const store = new FakeStore();
  await (await Drafts.open(store, "/topic/1/")).keep(3, "", "one");
  assert.equal((await Drafts.open(store, "/topic/11/")).of(3, ""), "");
});

test("what was saved is no draft any more", async () => {
  const store = new FakeStore();
  const drafts = await Drafts.open(store, "/topic/1/");
  await drafts.keep(3, "", "one");
  await drafts.drop(3);
  assert.equal(drafts.of(3, ""), "");
  assert.deepEqual(await store.all("drafts"), []);
  assert.equal(drafts.drop(3), undefined);
});
