import assert from "node:assert/strict";
import { mock, test } from "node:test";

globalThis.document = new EventTarget();
await import("../../static/js/patience.js");

const element = (headers) => ({ getAttribute: () => headers });
const happen = (name, detail) =>
  document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));

// The seconds at which an element that ticks each second asks.
function asks(elt, seconds, status) {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const asked = [];
  for (let second = 1; second <= seconds; second++) {
    mock.timers.setTime(second * 1000);
    if (!happen("htmx:beforeRequest", { elt, requestConfig: {} })) continue;
    asked.push(second);
    happen("htmx:afterRequest", { elt, xhr: { status: status(second) } });
  }
  mock.timers.reset();
  return asked;
}

test("what waits asks more and more seldom while nothing has changed or nobody answers", () => {
  const expected = [1, 3, 7, 15, 30, 45, 60];
  for (const status of [204, 0, 503])
    assert.deepEqual(asks(element('{"Shown": "a"}'), 60, () => status), expected);
});

test("what is no waiting asks each second, and whoever asks is not kept waiting", () => {
  assert.deepEqual(asks(element(null), 4, () => 204), [1, 2, 3, 4]);
  const elt = element('{"Shown": "a"}');
  asks(elt, 2, () => 204);
  mock.timers.enable({ apis: ["Date"], now: 1000 });
  assert.ok(happen("htmx:beforeRequest", { elt, requestConfig: { triggeringEvent: {} } }));
  assert.ok(!happen("htmx:beforeRequest", { elt, requestConfig: {} }));
  mock.timers.reset();
});
