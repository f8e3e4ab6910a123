import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { inWords, nameOf, Sending } from "../../static/js/sending.js";
import { freshWindow, happen, json, later, serve, settle } from "./fakes.js";

const MB = 1024 * 1024;
const PLACE = "/api/uploads/1f0c/";

function store() {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
  return kept;
}

// A server that has so many bytes of one upload; `odd` may answer in its place.
function server(odd = () => undefined) {
  const has = { n: 0, places: 0, sizes: [] };
  has.asked = serve((body, address, { method, headers, signal }) => {
    signal.throwIfAborted();
    const answer = odd({ method, body, has, headers });
    if (answer) return answer;
    if (method === "POST") has.places++;
    if (method === "POST") has.n = 0;
    if (method === "PATCH") {
      assert.equal(headers["Upload-Offset"], String(has.n));
      has.n += body.size;
      has.sizes.push(body.size);
    }
    return new Response(null, {
      status: method === "POST" ? 201 : 204,
      headers: { Location: PLACE, "Upload-Offset": String(has.n) },
    });
  });
  return has;
}

function begin(size, name = "bm25.txt") {
  const told = [];
  const file = new File([new Uint8Array(size)], name, { lastModified: 5 });
  const sending = new Sending(file, {
    address: "/api/uploads/", token: "a-token", hear: (each) => told.push(each),
  });
  return { told, sending, file, whole: sending.whole() };
}

function fresh() {
  freshWindow();
  return store();
}

test("a file is sent in pieces that grow, and is named in the end", async () => {
  const kept = fresh();
  const has = server();
  const { whole, told, file } = begin(9 * MB, "bm25 – é.txt");
  assert.equal(await whole, "1f0c");
  assert.deepEqual(has.sizes, [MB, 2 * MB, 4 * MB, 2 * MB]);
  const [{ headers, method }] = has.asked;
  assert.deepEqual([method, headers["Upload-Length"]], ["POST", String(9 * MB)]);
  assert.deepEqual([headers["Tus-Resumable"], headers["X-CSRFToken"]], ["1.0.0", "a-token"]);
  const name = headers["Upload-Metadata"].split(" ")[1];
  assert.equal(Buffer.from(name, "base64").toString(), "bm25 – é.txt");
  assert.deepEqual(told.map(({ n }) => n / MB), [0, 1, 3, 7, 9]);
  assert.equal(kept.get(nameOf("/api/uploads/", file)), PLACE);
});

test("a file that is chosen again goes on where it was", async () => {
  const kept = fresh();
  const has = server();
  const { file } = begin(0);
  await settle();
  kept.set(nameOf("/api/uploads/", file).replace(" 0 ", ` ${3 * MB} `), PLACE);
  [has.n, has.places] = [2 * MB, 0];
  assert.equal(await begin(3 * MB).whole, "1f0c");
  assert.deepEqual([has.places, has.sizes], [0, [MB]]);
});

test("an upload that is gone is begun anew", async () => {
  const kept = fresh();
  for (const status of [404, 410]) {
    let isGone = true;
    const has = server(({ method }) => {
      if (method !== "HEAD" || !isGone) return undefined;
      isGone = false;
      return json({ detail: "Gone." }, status);
    });
    const { file } = begin(MB);
    await settle();
    kept.set(nameOf("/api/uploads/", file), PLACE);
    has.places = 0;
    isGone = true;
    assert.equal(await begin(MB).whole, "1f0c");
    assert.equal(has.places, 1);
  }
});

test("a network that is lost is waited for, and what has arrived is not sent again", async () => {
  fresh();
  let isAway = true;
  const has = server(({ method, has: its }) => {
    if (method !== "PATCH" || !isAway) return undefined;
    its.n = 300_000; // before it was cut
    throw new TypeError("fetch failed");
  });
  const { whole, told } = begin(MB);
  await settle();
  assert.equal(told.at(-1).waits, "The server cannot be reached.");
  await later(999);
  assert.equal(has.asked.length, 2);
  await later(1);
  await later(1999);
  assert.equal(has.asked.length, 4);
  isAway = false;
  happen("online");
  assert.equal(await whole, "1f0c");
  assert.deepEqual(has.sizes, [MB - 300_000]);
});

test("what the server cannot do now is tried again, and says why", async () => {
  fresh();
  const late = [503, 429, 423, 460].map((status) => [status, ""]);
  for (const [status, type] of [...late, [409, "/help/#upload"]]) {
    let n = 0;
    server(({ method }) => {
      if (method !== "PATCH" || n++) return undefined;
      return json({ detail: "Not now.", type }, status);
    });
    const { whole, told } = begin(MB, `${status}.txt`);
    await settle();
    assert.equal(told.at(-1).waits, "Not now.");
    await later(1000);
    assert.equal(await whole, "1f0c");
  }
});

test("what is refused for good says its sentence", async () => {
  fresh();
  for (const [status, type] of [[403, ""], [507, ""], [409, "/help/#refused"], [412, ""]]) {
    server(({ method }) => method === "PATCH" && json({ detail: "Never.", type }, status));
    await assert.rejects(begin(MB, `${status}.txt`).whole, { sentence: "Never." });
  }
  server(() => new Response("<h1>", { status: 400 }));
  const sentence = "The server answered with an error (400).";
  await assert.rejects(begin(MB).whole, { sentence });
});

test("pieces are as small as what is in between wants them", async () => {
  fresh();
  const isLong = ({ method, body }) => method === "PATCH" && body.size > MB / 4;
  let nRefused = 0;
  const has = server((asked) => {
    if (!isLong(asked)) return undefined;
    nRefused++;
    return json({}, 413);
  });
  assert.equal(await begin(2 * MB).whole, "1f0c");
  assert.equal(nRefused, 2); // and never so long again
  assert.deepEqual(new Set(has.sizes), new Set([MB / 4]));
  server(({ method }) => method === "PATCH" && json({ detail: "Too long." }, 413));
  await assert.rejects(begin(MB, "b").whole, { sentence: "Too long." });
});

test("pieces are small where a connection is slow", async () => {
  fresh();
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const has = server(({ method }) => { if (method === "PATCH") mock.timers.tick(7000); });
  const { whole, told } = begin(2 * MB);
  assert.equal(await whole, "1f0c");
  assert.deepEqual(has.sizes.map((n) => n / MB), [1, 0.5, 0.25, 0.25]);
  assert.equal(Math.round(told[1].seconds), 7);
  mock.timers.reset();
});

test("it is paused at once and goes on later", async () => {
  fresh();
  const has = server(({ method, has: its }) => {
    if (method !== "PATCH" || its.sizes.length !== 1) return undefined;
    its.sizes.push(0);
    sending.pause();
    throw new DOMException("", "AbortError");
  });
  const { whole, told, sending } = begin(2 * MB);
  await settle();
  assert.deepEqual([told.at(-1).isPaused, told.at(-1).n], [true, MB]);
  const n = has.asked.length;
  await later(60_000);
  assert.equal(has.asked.length, n);
  sending.goOn();
  assert.equal(await whole, "1f0c");
});

test("a browser that keeps nothing sends all the same", async () => {
  fresh();
  const full = () => { throw new DOMException("", "SecurityError"); };
  globalThis.localStorage = { getItem: full, setItem: full, removeItem: full };
  server();
  assert.equal(await begin(MB).whole, "1f0c");
});

test("it is told in words", () => {
  const told = { n: 43e6, size: 100e6, waits: "", isPaused: false };
  assert.equal(inWords(told), "43%: 43 of 100 MB");
  const left = (seconds) => inWords({ ...told, seconds }).split(", ")[1];
  assert.deepEqual(
    [0.2, 60, 119, 121, 7300].map(left),
    ["about 1 second left", "about 60 seconds left", "about 119 seconds left",
      "about 2 minutes left", "about 2 hours left"],
  );
  assert.equal(
    inWords({ ...told, waits: "No network." }),
    "No network. 43%: 43 of 100 MB have arrived; it goes on by itself.",
  );
  assert.match(inWords({ ...told, isPaused: true }), /^Paused at 43%/);
  assert.equal(inWords({ ...told, n: 0, size: 0 }), "100%: 0 of 0 MB");
});
