// Statements whose time per call has risen against their own past.

import { h } from "./dom.js";
import { post } from "./api.js";
import { figureOf } from "./session.js";

const WINDOW_MS = 5000;
const RECENT = 6;
const PAST_MIN = 6;
const LOOK_EVERY = 10;

/**
 * Milliseconds per call of each statement, by windows of five seconds or more.
 *
 * @param {import("./session.js").Step[]} steps
 */
export function windows(steps) {
  const all = new Map();
  let from = steps[0];
  for (const to of steps) {
    if (to.at - from.at < WINDOW_MS - 500) continue;
    for (const fingerprint of to.layout.names) {
      const begun = figureOf(from, fingerprint, "calls");
      const calls = begun === undefined ? 0 : figureOf(to, fingerprint, "calls") - begun;
      const spent = begun === undefined ? 0 : figureOf(to, fingerprint, "total_ms") - figureOf(from, fingerprint, "total_ms");
      if (calls > 0 && spent > 0) {
        if (!all.has(fingerprint)) all.set(fingerprint, []);
        all.get(fingerprint).push(spent / calls);
      }
    }
    from = to;
  }
  return all;
}

/** Statements with enough windows to be judged, and their past and recent times. */
export function judged(steps) {
  return [...windows(steps)].filter(([, values]) => values.length >= RECENT + PAST_MIN)
    .map(([fingerprint, values]) => ({ fingerprint, a: values.slice(0, -RECENT), b: values.slice(-RECENT) }));
}

/** Looks at a session from time to time; the database's statistics judge. */
export class Regressions {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.found = new Map();
    this.looked = 0;
  }

  async look() {
    if (++this.looked % LOOK_EVERY) return;
    const pairs = judged(this.session.steps);
    if (!pairs.length) return;
    const { changes } = await post("compare", { series: pairs.map(({ a, b }) => ({ a, b })) });
    this.found = new Map();
    pairs.forEach(({ fingerprint }, i) => {
      if (changes[i].verdict === "slower") this.found.set(fingerprint, changes[i]);
    });
  }

  /** The mark of a statement that has become slower, or null. */
  mark(fingerprint) {
    const change = this.found.get(fingerprint);
    return change ? h("span.mark", { title: "Time per call in the last 30 seconds against the time before, with its 95 % interval" },
      ` slower: ${change.ratio.toFixed(2)}\u00d7 [${change.low.toFixed(2)}, ${change.high.toFixed(2)}]`) : null;
  }
}
