// Stacks "a;b;c" with weights as trees.

/**
 * @typedef {{stack: string, weight: number, thread?: string, statement?: string}} Stack
 */

function node(name, parent) {
  return { name, parent, depth: parent ? parent.depth + 1 : 0, total: 0, self: 0, before: 0, children: new Map(), top: parent === null };
}

function add(root, frames, weight, field) {
  let at = root;
  root[field] += weight;
  for (const frame of frames) {
    let child = at.children.get(frame);
    if (!child) at.children.set(frame, child = node(frame, at));
    child[field] += weight;
    at = child;
  }
  if (field === "total") at.self += weight;
}

/** Children as arrays, from the heaviest on. */
function sorted(root) {
  const open = [root];
  while (open.length) {
    const at = open.pop();
    at.children = [...at.children.values()].sort((a, b) => b.total - a.total || b.before - a.before);
    open.push(...at.children);
  }
  return root;
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
  const root = node(title, null);
  for (const stack of stacks) add(root, frames(stack, inverted, by), Number(stack.weight), "total");
  return sorted(root);
}

function frames(stack, inverted, by) {
  const own = stack.stack.split(";");
  if (inverted) own.reverse();
  return [...GROUPS[by](stack), ...own];
}

/** The stacks of `after` as a tree whose nodes know their weight in `before` too. */
export function differenceTree(before, after, { inverted = false, by = "none" } = {}) {
  const root = node("all", null);
  for (const stack of after) add(root, frames(stack, inverted, by), Number(stack.weight), "total");
  for (const stack of before) add(root, frames(stack, inverted, by), Number(stack.weight), "before");
  return sorted(root);
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
