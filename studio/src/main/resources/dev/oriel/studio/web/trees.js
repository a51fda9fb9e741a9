// Stacks "a;b;c" with weights as trees.

/**
 * @typedef {{stack: string, weight: number, thread?: string, statement?: string}} Stack
 */

/** A node whose children are sorted when they are first asked for: a picture shows few of a large tree. */
class Node {
  #children = new Map();
  /** @type {Node[] | null} */
  #sorted = null;

  /** @param {string} name @param {Node | null} parent */
  constructor(name, parent) {
    this.name = name;
    this.parent = parent;
    /** @type {number} */
    this.depth = parent ? parent.depth + 1 : 0;
    this.top = parent === null;
    this.total = 0;
    this.self = 0;
    this.before = 0;
  }

  child(name) {
    let child = this.#children.get(name);
    if (!child) this.#children.set(name, child = new Node(name, this));
    return child;
  }

  /** @returns {any[]} from the heaviest on */
  get children() {
    this.#sorted ??= [...this.#children.values()].sort((a, b) => b.total - a.total || b.before - a.before);
    return this.#sorted;
  }
}

function add(root, all, weight, field) {
  let at = root;
  root[field] += weight;
  for (const frame of all) {
    at = at.child(frame);
    at[field] += weight;
  }
  if (field === "total") at.self += weight;
}

/** @type {Record<string, (stack: Stack) => string[]>} what is put below the root, before the frames of a stack */
const GROUPS = {
  none: () => [],
  thread: (s) => [s.thread || "(no thread)"],
  statement: (s) => [s.statement || "(no statement)"],
};

/**
 * The stacks as a tree, as the profiler's flame graphs, rings and call trees draw it.
 *
 * @param {Stack[]} stacks
 * @param {{inverted?: boolean, by?: string, title?: string}} [options]
 */
export function stackTree(stacks, { inverted = false, by = "none", title = "all" } = {}) {
  const root = new Node(title, null);
  for (const stack of stacks) add(root, frames(stack, inverted, by), Number(stack.weight), "total");
  return root;
}

function frames(stack, inverted, by) {
  const own = stack.stack.split(";");
  if (inverted) own.reverse();
  return [...GROUPS[by](stack), ...own];
}

/** The stacks of `after` as a tree whose nodes know their weight in `before` too. */
export function differenceTree(before, after, { inverted = false, by = "none" } = {}) {
  const root = new Node("all", null);
  for (const stack of after) add(root, frames(stack, inverted, by), Number(stack.weight), "total");
  for (const stack of before) add(root, frames(stack, inverted, by), Number(stack.weight), "before");
  return root;
}

/** Own and total weights by method; of calls inside each other the total counts the outermost. */
export function methodSums(stacks) {
  const sums = new Map();
  let whole = 0;
  for (const { stack, weight } of stacks) {
    const all = stack.split(";");
    for (const frame of new Set(all)) {
      if (!sums.has(frame)) sums.set(frame, { self: 0, total: 0 });
      sums.get(frame).total += Number(weight);
    }
    sums.get(all.at(-1)).self += Number(weight);
    whole += Number(weight);
  }
  return { sums, whole };
}
