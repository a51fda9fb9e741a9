// Trees of weighted stacks: of stacks "a;b;c", as the studio gets them, and of events at numbered places, as reports
// hold them. Shared by both.

import { isLauncherFrame, isOwnFrame, launcherFrames } from "./frames.js";

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
 * @param {{inverted?: boolean, by?: string, folded?: boolean}} [how] `folded` leaves out launcher frames
 */
export function stackTree(stacks, how = {}) {
  const root = new Node("all", null);
  for (const stack of stacks) add(root, framesOf(stack, how), Number(stack.weight), "total");
  return root;
}

function framesOf(stack, { inverted = false, by = "none", folded = false }) {
  const all = stack.stack.split(";");
  const own = folded ? all.slice(launcherFrames(all)) : all;
  if (inverted) own.reverse();
  return [...GROUPS[by](stack), ...own];
}

/** The stacks of `after` as a tree whose nodes know their weight in `before` too. */
export function differenceTree(before, after, how = {}) {
  const root = new Node("all", null);
  for (const stack of after) add(root, framesOf(stack, how), Number(stack.weight), "total");
  for (const stack of before) add(root, framesOf(stack, how), Number(stack.weight), "before");
  return root;
}

/**
 * Events at places. A place is a frame below another place.
 *
 * @typedef {object} Placed
 * @property {number[]} places pairs of the place above, -1 for none, and the index of a name; each after the one above it
 * @property {number[]} events sixes of place, cell of time, thread, detail, holder and weight
 */

const FIELDS = 6;

/**
 * Calls `each` with each event, an object that the next call has again.
 *
 * @param {Placed} placed
 * @param {(event: {place: number, cell: number, thread: number, detail: number, holder: number, weight: number}) => void} each
 */
export function forEvents({ events }, each) {
  const event = { place: 0, cell: 0, thread: 0, detail: 0, holder: 0, weight: 0 };
  for (let i = 0; i < events.length; i += FIELDS) {
    [event.place, event.cell, event.thread, event.detail, event.holder, event.weight] = events.slice(i, i + FIELDS);
    each(event);
  }
}

/**
 * The events as a tree.
 *
 * @param {Placed} placed
 * @param {string[]} names
 * @param {{title?: string, folded?: boolean, keep?: (event: any) => boolean}} [options]
 */
export function eventTree(placed, names, { title = "all", folded = false, keep = () => true } = {}) {
  const { places } = placed;
  const root = new Node(title, null);
  const [launchers, owns] = [new Map(), new Map()];
  const nameAt = (place) => names[places[2 * place + 1]];
  const remembered = (known, place, value) => {
    if (!known.has(place)) known.set(place, value(places[2 * place]));
    return known.get(place);
  };
  const isLauncher = (place) => remembered(launchers, place, (above) => isLauncherFrame(nameAt(place)) && (above < 0 || isLauncher(above)));
  /** Whether the place or one above it is the program's own. */
  const isOwn = (place) => place >= 0 && remembered(owns, place, (above) => isOwnFrame(nameAt(place)) || isOwn(above));
  const nodes = new Map();
  const whole = new Map();
  const node = (place, cut) => {
    if (place < 0 || (cut && isLauncher(place))) return root;
    const known = cut ? nodes : whole;
    if (!known.has(place)) known.set(place, node(places[2 * place], cut).child(nameAt(place)));
    return known.get(place);
  };
  forEvents(placed, (event) => {
    if (!keep(event)) return;
    const leaf = node(event.place, folded && isOwn(event.place));
    leaf.self += event.weight;
    for (let at = leaf; at; at = at.parent) at.total += event.weight;
  });
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
