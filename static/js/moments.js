// Beside each moment in a campaign's zone, say it in the reader's own.
import { left, written } from "./clock.js";
import { element } from "./element.js";

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

function inOwnZone() {
  for (const time of document.querySelectorAll("time[data-zone]:not([data-said])")) {
    const moment = new Date(time.dateTime);
    time.dataset.said = "";
    if (written(moment, own) === written(moment, time.dataset.zone)) continue;
    time.append(element("span", { class: "quiet" }, ` · ${written(moment, own)} where you are`));
  }
}
inOwnZone();
document.addEventListener("htmx:afterSettle", inOwnZone);

// Counts down to a date; once it has passed, says so and sends `past`.
const MINUTE = 60_000;

function count() {
  let hasPassed = false;
  for (const time of document.querySelectorAll("time[data-past]:has([data-left])")) {
    const minutes = (Date.parse(time.dateTime) - Date.now()) / MINUTE;
    if (minutes > 0) time.querySelector("[data-left]").textContent = left(minutes);
    else {
      time.textContent = time.dataset.past;
      hasPassed = true;
    }
  }
  if (hasPassed) document.body.dispatchEvent(new Event("past"));
}
setInterval(count, MINUTE / 6);
