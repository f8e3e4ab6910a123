// Of the tabs in which a person has the same topic open, one judges: the one that was there first, unless another takes over.
export function beAlone(name, { onOther, onTaken }) {
  const channel = new BroadcastChannel(name);
  const since = [performance.timeOrigin, Math.random()];
  const isOlder = (other) => other[0] < since[0] || (other[0] === since[0] && other[1] < since[1]);
  let isActive = true;
  channel.onmessage = ({ data }) => {
    if (!isActive) return;
    const isTaken = data.says === "taken";
    if (isTaken || isOlder(data.since)) {
      isActive = false;
      (isTaken ? onTaken : onOther)();
    } else channel.postMessage({ says: "mine", since });
  };
  channel.postMessage({ says: "hello", since });
  return () => channel.postMessage({ says: "taken", since });
}
