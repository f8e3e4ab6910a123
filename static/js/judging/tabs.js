// Of a person's tabs with the same topic one judges: the one that was there first, unless another takes over.
export const ANSWER_MS = 200;

// Whether a tab judges there now.
export function isJudged(name) {
  if (!window.BroadcastChannel) return Promise.resolve(false);
  const channel = new BroadcastChannel(name);
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => { if (data.says === "mine") resolve(true); };
    channel.postMessage({ says: "hello", since: [Infinity, 0] });
    setTimeout(() => resolve(false), ANSWER_MS);
  }).finally(() => channel.close());
}

// Calls `leave` once another tab judges, and returns what takes the topic over from it.
export function beAlone(name, leave) {
  if (!window.BroadcastChannel) return () => {};
  const channel = new BroadcastChannel(name);
  const since = [performance.timeOrigin, Math.random()];
  const isOlder = (other) => other[0] < since[0] || (other[0] === since[0] && other[1] < since[1]);
  let isActive = true;
  channel.onmessage = ({ data }) => {
    if (!isActive) return;
    if (data.says === "taken" || isOlder(data.since)) {
      isActive = false;
      leave();
    } else channel.postMessage({ says: "mine", since });
  };
  channel.postMessage({ says: "hello", since });
  return () => channel.postMessage({ says: "taken", since });
}
