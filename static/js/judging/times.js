// How long a document has been in view, and how long its page was not, in milliseconds.
const clock = { active: 0, away: 0, since: performance.now(), visible: !document.hidden };

function tick() {
  const now = performance.now();
  clock[clock.visible ? "active" : "away"] += now - clock.since;
  clock.since = now;
  clock.visible = !document.hidden;
}

document.addEventListener("visibilitychange", tick);

export function restart() {
  Object.assign(clock, { active: 0, away: 0, since: performance.now(), visible: !document.hidden });
}

export function spent() {
  tick();
  return { active_ms: Math.round(clock.active), away_ms: Math.round(clock.away) };
}
