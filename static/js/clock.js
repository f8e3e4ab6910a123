// Moments and spans of time in words.
/** @type {Intl.DateTimeFormatOptions} */
const FORM = {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

export function written(moment, timeZone) {
  return new Intl.DateTimeFormat("en-GB", { ...FORM, timeZone })
    .format(moment)
    .replace(" at ", ", ");
}

// How much is left, in the words of campaigns/dates.py.
export function left(minutes) {
  if (minutes < 1) return "less than a minute";
  if (minutes >= 2 * 24 * 60) return counted(Math.floor(minutes / (24 * 60)), "day");
  return minutes >= 60
    ? counted(Math.floor(minutes / 60), "hour")
    : counted(Math.floor(minutes), "minute");
}
