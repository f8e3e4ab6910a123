import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";
import { runInThisContext } from "node:vm";
import { freshWindow, happen, later, serve, unreachable } from "./fakes.js";

const FILES = {
  "/js/page.js": 'import { a } from "./queue.js";\nimport {\n  b,\n} from "../keyof.js";\n',
  "/js/queue.js": 'import { c } from "../keyof.js";\nexport { d } from "nowhere";\n',
  "/keyof.js": "",
};
const UNREACHABLE = "The server cannot be reached. Trying again.";
const LATE = "The server does not answer: the page is not ready. Loading it again may help.";
const SCRIPT = readFileSync(new URL("../../static/js/judging/again.js", import.meta.url), "utf8");

// The script on a page that has begun, with a clock that stands.
function begin(readyState = "loading") {
  freshWindow();
  const places = { "not-saved": { hidden: true }, live: {} };
  const page = Object.assign(new EventTarget(), { getElementById: (id) => places[id], readyState });
  globalThis.document = page;
  globalThis.location = { reload: mock.fn() };
  runInThisContext(SCRIPT);
  return { page, told: places["not-saved"], live: places.live, reload: location.reload.mock };
}

const missing = (page, name) =>
  page.dispatchEvent(new CustomEvent("script:missing", { detail: `http://site${name}` }));
const paths = (asked) => asked.map(({ address }) => new URL(address).pathname);
const file = (_body, address) => new Response(FILES[new URL(address).pathname]);

test("a script that is missing is asked for every two seconds, with its imports", async () => {
  const { page, told, live, reload } = begin();
  const asked = serve(unreachable);
  missing(page, "/js/page.js");
  missing(page, "/js/queue.js"); // which it asks for anyway
  assert.deepEqual([told.textContent, told.hidden, live.textContent], [
    UNREACHABLE, false, UNREACHABLE,
  ]);
  assert.equal(asked.length, 0);
  for (const expected of [1, 2]) {
    await later(2000);
    assert.equal(asked.length, expected);
  }
  const again = serve(file);
  await later(1999);
  assert.equal(again.length, 0);
  await later(1);
  assert.deepEqual(paths(again), ["/js/page.js", "/js/queue.js", "/keyof.js"]);
  assert.equal(reload.callCount(), 1);
});

test("the page does not begin anew while one of the imports is not there", async () => {
  const { page, reload } = begin();
  serve((body, address) => (address.endsWith("/keyof.js") ? unreachable() : file(body, address)));
  missing(page, "/js/page.js");
  await later(2000);
  assert.equal(reload.callCount(), 0);
  serve(file);
  await later(2000);
  assert.equal(reload.callCount(), 1);
});

test("a script that is gone is not asked for again, one that failed is", async () => {
  const { page, told, reload } = begin();
  const statuses = [503, 404];
  const asked = serve(() => new Response("", { status: statuses[asked.length - 1] }));
  missing(page, "/js/page.js");
  for (const expected of [UNREACHABLE, "The site has changed: load this page again."]) {
    await later(2000);
    assert.equal(told.textContent, expected);
  }
  await later(60_000);
  assert.deepEqual([asked.length, reload.callCount()], [2, 0]);
});

test("a page whose script is kept waiting says so, until it is there", async () => {
  const { told, live } = begin();
  await later(9999);
  assert.equal(told.textContent, undefined);
  await later(1);
  assert.deepEqual([told.textContent, told.hidden, live.textContent], [LATE, false, LATE]);
  happen("load");
  assert.deepEqual([told.textContent, told.hidden], ["", true]);
});

test("a page that is there, or asks already, says nothing of waiting", async () => {
  for (const readyState of ["complete", "loading"]) {
    const { page, told } = begin(readyState);
    serve(unreachable);
    if (readyState === "loading") missing(page, "/js/page.js");
    const before = told.textContent;
    await later(10_000);
    assert.equal(told.textContent, before);
  }
});
