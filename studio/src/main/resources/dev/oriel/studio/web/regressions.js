// Statements whose time per call has risen against their own past.

import { h } from "./dom.js";
import { post } from "./api.js";

const WINDOW = 5;
const RECENT = 6;
const PAST_MIN = 6;
const LOOK_EVERY = 10;

/** Looks at the steps from time to time; the database's statistics judge. */
export class Regressions {
  constructor(steps) {
    this.steps = steps;
    this.found = new Map();
    this.looked = 0;
  }

  /** Milliseconds per call of each statement, by windows of some seconds. */
  windows() {
    const all = new Map();
    for (let i = WINDOW; i < this.steps.length; i += WINDOW) {
      const before = new Map(this.steps[i - WINDOW].statements.map((s) => [s.fingerprint, s]));
      for (const s of this.steps[i].statements) {
        const from = before.get(s.fingerprint);
        const calls = from ? Number(s.calls) - Number(from.calls) : 0;
        const spent = from ? s.total_ms - from.total_ms : 0;
        if (calls > 0 && spent > 0) {
          if (!all.has(s.fingerprint)) all.set(s.fingerprint, []);
          all.get(s.fingerprint).push(spent / calls);
        }
      }
    }
    return all;
  }

  async look() {
    if (++this.looked % LOOK_EVERY) return;
    const pairs = [...this.windows()].filter(([, values]) => values.length >= RECENT + PAST_MIN);
    if (!pairs.length) return;
    const { changes } = await post("compare", { series: pairs.map(([, values]) => ({ a: values.slice(0, -RECENT), b: values.slice(-RECENT) })) });
    this.found = new Map();
    pairs.forEach(([fingerprint], i) => {
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
