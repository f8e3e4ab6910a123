import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { standing } from "../../static/js/judging/queue.js";
import { ask, freshId, post } from "../../static/js/judging/requests.js";
import { json, problem, sentence, serve, settle, unreachable } from "./fakes.js";

const html = (status) =>
  new Response("<h1>", { status, headers: { "Content-Type": "text/html" } });

test("a form is saved, refused for good, or to be sent again", async () => {
  const answered = async (answer) => { serve(answer); return post("/x/", "7", { a: 1 }); };
  assert.deepEqual(await answered(() => json({ id: 1 })), { saved: { id: 1 } });
  const gone = { detail: "Gone.", saved: ["one"] };
  assert.deepEqual(await answered(() => problem(gone, 404)), gone);
  const refused = { refused: "No.", now: 2 };
  assert.deepEqual(await answered(() => json(refused, 409)), refused);
  assert.deepEqual(await answered(() => sentence("Never.", 403)), { refused: "Never." });
  assert.deepEqual(await answered(() => sentence("Sign in.", 401)), { trouble: "Sign in." });
  const headers = { "Content-Type": "application/json" };
  const brokenOff = () => new Response("{\"id\":", { headers });
  for (const none of [unreachable, brokenOff])
    assert.deepEqual(await answered(none), { trouble: "The server cannot be reached." });
  const failed = await answered(() => html(500));
  assert.deepEqual(failed, { trouble: "The server answered with an error (500)." });
});

test("what is asked for comes with its headers", async () => {
  const asked = serve(() => new Response("<p>", { headers: { "Document-Version": "3" } }));
  const { headers, text } = await ask("/x/", "7");
  assert.deepEqual([headers.get("Document-Version"), text], ["3", "<p>"]);
  assert.equal(asked[0].headers["Judging-Reader"], "7");
});

test("once the server's clock is known each request says by it when it was sent", async () => {
  mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const asked = serve(() => {
    mock.timers.setTime(Date.now() + (asked.length === 2 ? 5000 : 200));
    return json({}, 200, { "Judging-Clock": String(2_000_000 + 1000 * asked.length) });
  });
  for (const each of ["/a/", "/b/", "/c/"]) await post(each, "7", "[]");
  const sent = asked.map(({ headers }) => headers["Judging-Sent"]);
  // The second answer took too long to tell.
  assert.deepEqual(sent, [undefined, 1_000_200 + 1_000_900, 1_005_200 + 1_000_900]);
  mock.timers.reset();
});

test("what cannot be had says why", async () => {
  serve(() => sentence("It was withdrawn.", 404));
  await assert.rejects(ask("/x/", "7"), { sentence: "It was withdrawn." });
  serve(unreachable);
  await assert.rejects(ask("/x/", "7"), { sentence: "The server cannot be reached." });
});

test("what hangs is given up after 20 seconds and asked for again", async () => {
  const limit = mock.method(AbortSignal, "timeout", () => AbortSignal.abort());
  mock.timers.enable({ apis: ["setTimeout"] });
  const asked = serve((_body, _address, { signal }) => {
    if (asked.length === 1) signal.throwIfAborted();
    return json({ entries: [] });
  });
  const said = [];
  const stands = standing({ place: "/topic/", user: "7", say: (words) => said.push(words) });
  await settle();
  assert.deepEqual(said, ["The server cannot be reached."]);
  assert.equal(limit.mock.calls[0].arguments[0], 20_000);
  mock.timers.tick(2000);
  assert.deepEqual(await stands, { entries: [] });
  assert.deepEqual(asked.map(({ address }) => address), ["/topic/queue/", "/topic/queue/"]);
  assert.deepEqual(said.at(-1), "");
  mock.reset();
  mock.timers.reset();
});

test("ids are UUIDs of version 4 where the browser has no function for them too", () => {
  const whole = crypto.randomUUID;
  const FORM = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  assert.match(freshId(), FORM);
  crypto.randomUUID = undefined;
  const ids = new Set(Array.from({ length: 100 }, freshId));
  crypto.randomUUID = whole;
  for (const id of ids) assert.match(id, FORM);
  assert.equal(ids.size, 100);
});
