// Results as files: CSV and JSON.

import { cellText } from "./format.js";

/** A value as text, whole if it came whole. */
function whole(value) {
  return value !== null && typeof value === "object" && "hex" in value && value.hex.length === 2 * value.bytes ? `\\x${value.hex}` : cellText(value);
}

/** Whether a value was cut: a long text, or bytes. */
export function isCut(value) {
  return value !== null && typeof value === "object" && ("cut" in value || ("hex" in value && value.hex.length < 2 * value.bytes));
}

/** CSV by RFC 4180; NULL is an empty field, an empty text is `""`. */
export function csv(columns, rows) {
  const field = (value) => {
    if (value === null) return "";
    const text = whole(value);
    return /[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map((c) => field(c.name)), ...rows.map((row) => row.map(field))].map((fields) => fields.join(",")).join("\r\n") + "\r\n";
}

/** Names of columns, each another: the second `a` is `a_2`. */
export function distinctNames(columns) {
  const taken = new Set(columns.map((c) => c.name));
  const seen = new Set();
  return columns.map(({ name }) => {
    let own = name;
    for (let n = 2; seen.has(own) || (own !== name && taken.has(own)); n++) own = `${name}_${n}`;
    seen.add(own);
    return own;
  });
}

/** An array of objects, a field for each column. */
export function json(columns, rows) {
  const names = distinctNames(columns);
  const value = (v) => (v !== null && typeof v === "object" ? whole(v) : v);
  return JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name, i) => [name, value(row[i])]))), null, 1);
}
