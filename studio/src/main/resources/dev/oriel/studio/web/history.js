// What was typed before, kept by the browser; and parameters as they are typed.

import { ApiError } from "./api.js";

const KEY = "oriel.history";
const MOST = 200;

/** A browser keeps some five million characters of a site. */
const CHARACTERS_MAX = 500_000;

/** Keeps a text in the browser; a browser that keeps nothing has none the next time. */
export function keepLocally(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch (error) {
    if (error.name !== "QuotaExceededError" && error.name !== "SecurityError") throw error;
  }
}

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
  if (text.length > CHARACTERS_MAX) return;
  const kept = past().filter((entry) => entry.text !== text || entry.language !== language);
  kept.unshift({ language, text, at: Date.now() });
  let characters = 0;
  const last = kept.findIndex((entry, i) => i === MOST || (characters += entry.text.length) > 2 * CHARACTERS_MAX);
  keepLocally(KEY, JSON.stringify(last < 0 ? kept : kept.slice(0, last)));
}

/** @type {{language: string, text: string} | null} */
let taken = null;

/** Puts a statement into the editor of the next view: "ask/sql", "ask/gremlin" or "why/run". */
export function take(where, text) {
  const language = where.endsWith("gremlin") ? "gremlin" : "sql";
  remember(language, text);
  taken = { language, text };
  location.hash = `#/${where}`;
}

/** The text that was taken for the next view, once. */
export function takenText(language) {
  const text = taken?.language === language ? taken.text : null;
  taken = null;
  return text;
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
