// Beside each moment in a campaign's zone, say it in the reader's own.
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const options = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

function written(moment, timeZone) {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(moment).replace(" at ", ", ");
}

function inOwnZone() {
  for (const time of document.querySelectorAll("time[data-zone]:not([data-said])")) {
    const moment = new Date(time.dateTime);
    time.dataset.said = "";
    if (written(moment, own) === written(moment, time.dataset.zone)) continue;
    const note = document.createElement("span");
    note.className = "quiet";
    note.textContent = ` · ${written(moment, own)} where you are`;
    time.append(note);
  }
}
inOwnZone();
document.addEventListener("htmx:afterSettle", inOwnZone);

// Counts down to a date; once it has passed, says so and sends `past`. The words are those of campaigns/dates.py.
const MINUTE = 60_000;
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

function left(minutes) {
  if (minutes >= 2 * 24 * 60) return counted(Math.floor(minutes / (24 * 60)), "day");
  return minutes >= 60 ? counted(Math.floor(minutes / 60), "hour") : counted(Math.floor(minutes), "minute");
}

function count() {
  let hasPassed = false;
  for (const time of document.querySelectorAll("time[data-past]:has([data-left])")) {
    const minutes = (new Date(time.dateTime) - Date.now()) / MINUTE;
    if (minutes > 0) time.querySelector("[data-left]").textContent = left(minutes);
    else {
      time.textContent = time.dataset.past;
      hasPassed = true;
    }
  }
  if (hasPassed) document.body.dispatchEvent(new Event("past"));
}
setInterval(count, MINUTE / 6);
