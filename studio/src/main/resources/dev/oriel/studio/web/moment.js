// Moments as a chart draws them.

/** The wall clock of a date or a time as text, as seconds of a clock without zones; NaN if it is none. */
export function moment(text) {
  const parts = /^(-?)(\d{4,})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?.*?( BC)?$/.exec(String(text));
  if (!parts) return NaN;
  const [, minus, year, month, day, hour = "0", minute = "0", second = "0", bc] = parts;
  const date = new Date(0);
  date.setUTCFullYear(minus ? -Number(year) : bc ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  return date.getTime() / 1000 + 3600 * Number(hour) + 60 * Number(minute) + Number(second);
}
