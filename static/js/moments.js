// Beside each moment in a campaign's zone, say it in the reader's own.
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const options = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

function written(moment, timeZone) {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(moment).replace(" at ", ", ");
}

for (const time of document.querySelectorAll("time[data-zone]")) {
  const moment = new Date(time.dateTime);
  if (written(moment, own) === written(moment, time.dataset.zone)) continue;
  const note = document.createElement("span");
  note.className = "quiet";
  note.textContent = ` · ${written(moment, own)} where you are`;
  time.append(note);
}
