// What was observed since the page was opened, in bounded memory: the last minutes second by second, older times in
// coarser steps. A step keeps numbers alone; texts are those of the newest one.

/** Up to which age, in seconds, steps of which length are kept. */
const TIERS = [{ age: 300, seconds: 0 }, { age: 3900, seconds: 10 }, { age: 43_200, seconds: 60 }];
const COLUMNS = ["calls", "total_ms", "log_bytes", "lock_waits", "rows", "restarts"];

/** @typedef {{at: number, store: Record<string, number>, share: number, conflicts: number, plans: Record<string, number>, transactions: number, layout: Layout, figures: Float64Array}} Step */

/** The statements of a step, in the order of their figures. Steps with the same statements share it. */
class Layout {
  /** @param {string[]} names fingerprints */
  constructor(names) {
    this.names = names;
    this.index = new Map(names.map((name, i) => [name, i]));
  }

  /** @param {any[]} statements @param {Layout} [before] */
  static of(statements, before) {
    if (before && before.names.length === statements.length && statements.every((s) => before.index.has(s.fingerprint))) return before;
    const known = (name) => before?.names[before.index.get(name) ?? -1] ?? name; // one text for all steps
    return new Layout([...new Set(statements.map((s) => known(s.fingerprint)))]);
  }
}

/** A conflict is an execution that ran again or failed since another transaction had changed the same. */
function conflictsOf(statement) {
  const failed = [...String(statement.errors_by_state ?? "").matchAll(/\b40\w{3}: (\d+)/g)].reduce((sum, m) => sum + Number(m[1]), 0);
  return Number(statement.restarts ?? 0) + failed;
}

function numbers(rows) {
  return Object.fromEntries(rows.map((row) => [row.name, Number(row.value)]));
}

function figuresOf(statements, layout) {
  const figures = new Float64Array(layout.names.length * COLUMNS.length);
  for (const s of statements) {
    const from = layout.index.get(s.fingerprint) * COLUMNS.length;
    COLUMNS.forEach((column, i) => { figures[from + i] = Number(s[column] ?? 0); });
  }
  return figures;
}

/**
 * @param {any} answer
 * @param {Step} [before]
 * @returns {Step}
 */
export function compact(answer, before) {
  const layout = Layout.of(answer.statements, before?.layout);
  return {
    at: answer.at,
    store: numbers(answer.store),
    plans: numbers(answer.plans ?? []),
    transactions: (answer.transactions ?? []).length,
    share: Number(answer.overhead.find((row) => row.name === "share")?.value ?? 0),
    conflicts: answer.statements.reduce((sum, s) => sum + conflictsOf(s), 0),
    layout,
    figures: figuresOf(answer.statements, layout),
  };
}

/** A figure of a statement in a step; undefined if it was not there yet. */
export function figureOf(step, fingerprint, column) {
  const at = step.layout.index.get(fingerprint);
  return at === undefined ? undefined : step.figures[at * COLUMNS.length + COLUMNS.indexOf(column)];
}

/** The sum of a column over all statements of a step. */
export function sumOf(step, column) {
  let sum = 0;
  for (let at = COLUMNS.indexOf(column); at < step.figures.length; at += COLUMNS.length) sum += step.figures[at];
  return sum;
}

export class Session {
  constructor(tiers = TIERS) {
    this.tiers = tiers;
    /** @type {Step[]} from the oldest on */
    this.steps = [];
    /** The newest answer, whole. */
    this.now = null;
  }

  add(answer) {
    this.now = answer;
    this.steps.push(compact(answer, this.steps.at(-1)));
    this.thin();
  }

  /** Drops steps that are too old, and those that are not the first of the stretch of time that their age allows. */
  thin() {
    const now = this.steps.at(-1).at;
    this.steps = this.steps.filter(({ at }, i) => {
      const tier = this.tiers.find(({ age }) => now - at < 1000 * age);
      if (!tier) return false;
      const length = 1000 * tier.seconds;
      return length === 0 || i === 0 || Math.floor(at / length) !== Math.floor(this.steps[i - 1].at / length);
    });
  }

  /** The step some seconds before the last one, or the first. */
  before(seconds) {
    const until = this.steps.at(-1).at - 1000 * seconds;
    for (let i = this.steps.length - 1; i >= 0; i--) if (this.steps[i].at <= until) return this.steps[i];
    return this.steps[0];
  }

  /** All steps as JSON, statements by fingerprint, with the texts of the last one. */
  json() {
    return JSON.stringify({
      columns: COLUMNS,
      texts: Object.fromEntries((this.now?.statements ?? []).map((s) => [s.fingerprint, s.statement])),
      steps: this.steps.map(({ layout, figures, ...step }) => ({ ...step, statements: Object.fromEntries(layout.names.map((name, i) => [name, [...figures.slice(i * COLUMNS.length, (i + 1) * COLUMNS.length)]])) })),
      last: this.now,
    });
  }
}
