// Figures as people read them: thin groups of thousands, units, three digits.

const groups = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function count(value) {
  return value === null || value === undefined ? "" : groups.format(Number(value));
}

/** A number with its word, which ends in s if it is not one. */
export function many(value, one, several = `${one}s`) {
  return `${count(value)} ${Number(value) === 1 ? one : several}`;
}

/** A number of rows with its word. */
export function rowCount(value) {
  return many(value, "row");
}

function digits(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A time in milliseconds, in the unit that a person would use. */
export function time(ms) {
  if (ms === null || ms === undefined) return "";
  const value = Number(ms);
  if (value >= 2 * 86_400_000) return `${digits(value / 86_400_000)} days`;
  if (value >= 90 * 60_000) return `${digits(value / 3_600_000)} h`;
  if (value >= 60_000) return `${digits(value / 60_000)} min`;
  if (value >= 1000) return `${digits(value / 1000)} s`;
  if (value >= 1) return `${digits(value)} ms`;
  return `${digits(value * 1000)} \u00b5s`;
}

export function bytes(value) {
  if (value === null || value === undefined) return "";
  let size = Number(value);
  for (const unit of ["B", "KB", "MB", "GB"]) {
    if (size < 1024) return `${unit === "B" ? size : digits(size)} ${unit}`;
    size /= 1024;
  }
  return `${digits(size)} TB`;
}

export function percent(share) {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** An amount in the unit of a clock: ns, B or bytes, %, samples. */
export function amount(value, unit) {
  if (value === null || value === undefined) return "";
  if (unit === "ns") return time(Number(value) / 1e6);
  if (unit === "B" || unit === "bytes") return bytes(Math.round(Number(value)));
  return unit === "%" ? `${Number(value).toFixed(1)} %` : count(value);
}

/** A value of a row, as text. */
export function cellText(value) {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "object") {
    if ("cut" in value) return `${value.cut}\u2026`;
    if ("hex" in value) return `\\x${value.hex}${value.bytes > value.hex.length / 2 ? "\u2026" : ""}`;
    return JSON.stringify(value);
  }
  return String(value);
}

const NUMBERS = /^(TINYINT|SMALLINT|INTEGER|BIGINT|DECIMAL|NUMERIC|REAL|DOUBLE|FLOAT)/;

export function isNumber(type) {
  return NUMBERS.test(type);
}
