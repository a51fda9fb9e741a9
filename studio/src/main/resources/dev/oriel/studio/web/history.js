// What was typed before, kept by the browser; and parameters as they are typed.

import { ApiError } from "./api.js";

const KEY = "oriel.history";
const MOST = 200;

/** Entries, the last one first: language, text, at. */
export function past() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // another program's entry under our name
  }
}

export function remember(language, text) {
  const kept = past().filter((entry) => entry.text !== text || entry.language !== language);
  kept.unshift({ language, text, at: Date.now() });
  localStorage.setItem(KEY, JSON.stringify(kept.slice(0, MOST)));
}

/** Puts a statement into the editor of the next view: "ask/sql", "ask/gremlin" or "why/run". */
export function take(where, text) {
  remember(where.endsWith("gremlin") ? "gremlin" : "sql", text);
  location.hash = `#/${where}`;
}

/** JSON values with commas between; undefined if there is none. */
export function parameterValues(text) {
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(`[${text}]`);
  } catch {
    throw new ApiError({ message: 'Parameters are JSON values with commas between, such as 1, "x", null.' });
  }
}
