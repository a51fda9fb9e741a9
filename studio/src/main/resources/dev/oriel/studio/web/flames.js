// Profiles drawn: a flame graph with a search, by thread or by statement, a call tree both ways, and rings. The
// pictures are the profiler's own, which static reports have too.

import { h, fill } from "./dom.js";
import { amount, many, percent } from "./format.js";
import { differenceTree, stackTree } from "./trees.js";
import { changeColour, Colours, searchPattern, split } from "./frames.js";
import { Flame } from "./flame.js";
import { Rings } from "./rings.js";
import { CallTree } from "./calls.js";

/** @typedef {{show: (stacks: any[]) => void, element: HTMLElement}} Shown */

/**
 * The elements made so far, but for those that the collector has taken.
 * @type {WeakRef<HTMLElement>[]}
 */
let elements = [];

/**
 * Draws an element again in another theme. Held by the element alone.
 * @type {WeakMap<HTMLElement, () => void>}
 */
const themed = new WeakMap();

addEventListener("oriel-theme", () => {
  for (const each of elements) {
    const element = each.deref();
    if (element?.isConnected) themed.get(element)?.();
  }
});

/**
 * What of it is shown stays with the page: a person who likes rings has them the next time.
 */
const PICTURES = [["flame", "Flame graph"], ["calls", "Call tree"], ["callers", "Callers"], ["rings", "Rings"]];

/**
 * @param {import("./trees.js").Stack[]} first
 * @param {string} unit of the weights
 * @param {object} [options]
 * @param {(name: string | null) => void} [options.onpick] called with the frame picked
 * @param {import("./trees.js").Stack[]} [options.before] other stacks, to which these are compared
 * @returns {Shown}
 */
export function flames(first, unit, options = {}) {
  let stacks = first;
  const state = { pattern: null, inverted: false, by: "none", folded: true, picture: "flame", drawn: null, root: null, colours: null };
  const format = (n) => (unit === "samples" ? many(n, "sample") : amount(n, unit));
  const facts = h("p.dim.flame-facts", { "aria-live": "polite" }, "\u00a0");
  const crumbs = h("p.dim.crumbs");
  const place = h("div.flame");
  const legend = h("div.legend");
  const search = h("input", { type: "search", placeholder: "name or expression", "aria-label": "Search: a name or a regular expression", oninput: () => {
    state.pattern = search.value.trim() ? searchPattern(search.value.trim()) : null;
    state.drawn?.draw?.();
    facts.textContent = state.pattern && state.drawn instanceof Flame ? `${percent(state.drawn.matched())} is at or below a match` : "\u00a0";
  } });
  const invert = toggle("Invert", (on) => { state.inverted = on; draw(); });
  const launchers = toggle("Launcher frames", (on) => { state.folded = !on; draw(); });
  launchers.title = "Frames of threads, pools, reflection and test runners that only start the program's own";
  const by = h("select", { "aria-label": "Grouped", onchange: () => { state.by = by.value; draw(); } });
  const pictures = options.before ? [] : PICTURES.map(([kind, title]) => h("button", { type: "button", "aria-pressed": String(kind === state.picture), onclick: () => {
    state.picture = kind;
    pictures.forEach((button, i) => button.setAttribute("aria-pressed", String(PICTURES[i][0] === kind)));
    draw();
  } }, title));
  const element = h("div.flames", {}, h("div.bar.flat", {}, h("span.choices", { role: "group", "aria-label": "Picture" }, pictures), search, invert, launchers, by), facts, crumbs, place, legend);

  function groups() {
    const all = [["none", "all together"]];
    if (stacks.some((s) => s.thread)) all.push(["thread", "by thread"]);
    if (stacks.some((s) => s.statement)) all.push(["statement", "by statement"]);
    by.hidden = all.length === 1;
    fill(by, all.map(([value, text]) => h("option", { value, selected: value === state.by }, text)));
  }

  /** Trees of the present stacks, by their kind: to go back to one costs nothing. */
  let trees = new Map();

  function tree() {
    const inverted = state.inverted && state.picture === "flame";
    const kind = `${inverted} ${state.by} ${state.folded}`;
    if (!trees.has(kind)) {
      const how = { inverted, by: state.by, folded: state.folded };
      trees.set(kind, options.before ? differenceTree(options.before, stacks, how) : stackTree(stacks, how));
    }
    return trees.get(kind);
  }

  function renew() {
    trees = new Map();
    state.colours = Colours.ofStacks(stacks);
    draw();
  }

  const colour = (node, strong) => (options.before ? changeColour(node, state.root.total, state.root.before) : state.colours.colour(node.name, strong));
  const shared = { colour, hit: (name) => Boolean(state.pattern?.test(name)), searching: () => state.pattern !== null, tell, format };

  function tell(node) {
    const change = node && options.before && !node.top ? `, before ${percent(state.root.before ? node.before / state.root.before : 0)}` : "";
    facts.textContent = node ? `${node.name}: ${format(node.total)}, ${percent(state.root.total ? node.total / state.root.total : 0)} of all${change}, own ${percent(state.root.total ? node.self / state.root.total : 0)}` : "\u00a0";
  }

  function draw() {
    const { picture } = state;
    const root = state.root = tree();
    place.className = picture === "flame" ? "flame" : "";
    crumbs.hidden = picture !== "flame";
    invert.hidden = picture !== "flame";
    if (!root.children.length) {
      state.drawn = null;
      fill(place, h("p.dim", {}, "No samples fell into it."));
    } else if (picture === "flame") state.drawn = new Flame(place, root, { ...shared, onzoom: (node) => drawCrumbs(node) });
    else if (picture === "rings") drawRings();
    else drawCalls(picture === "callers");
    drawLegend();
  }

  function drawCrumbs(node) {
    const path = [];
    for (let at = node; at; at = at.parent) path.unshift(at);
    fill(crumbs, path.slice(-5).map((step, i) => [i ? " \u203a " : "", step === node ? h("span", {}, step.top ? step.name : split(step.name).rest)
      : h("button.plain.code", { type: "button", onclick: () => state.drawn.zoom(step) }, step.top ? step.name : split(step.name).rest)]), ` ${format(node.total)}`);
    options.onpick?.(node.top ? null : node.name);
  }

  function drawRings() {
    const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "Rings of the call tree. Enter goes in, Backspace out. The call tree holds the same figures." });
    const list = h("ol");
    fill(place, h("div.rings", {}, canvas, list));
    state.drawn = new Rings(canvas, list, state.root, shared);
    // Rings show few levels: they begin where the calls part, which is far from the thread's first frame.
    let start = state.root;
    while (start.children[0]?.children.length && start.children[0].total >= 0.97 * state.root.total) start = start.children[0];
    state.drawn.zoom(start);
  }

  function drawCalls(upwards) {
    const body = h("tbody");
    fill(place, h("div.wide-table", { tabindex: 0, role: "region", "aria-label": upwards ? "Callers" : "Call tree" }, h("table.figures.calls", {}, h("thead", {}, h("tr", {}, (upwards ? ["Self", "Share"] : ["Total", "Share", "Self", "Share"]).map((t) => h("th.number", {}, t)), h("th", {}, "Method"))), body)));
    const share = (n) => percent(state.root.total ? n / state.root.total : 0);
    const calls = new CallTree(body, state.root, {
      figures: (row, node) => row.append(...(upwards ? [format(node.total), share(node.total)] : [format(node.total), share(node.total), format(node.self), share(node.self)]).map((t) => h("td.number", {}, t))),
      name: (cell, node) => cell.append(h("i.swatch", { style: { background: colour(node, true) } }), h("code", { title: node.name }, node.name)),
    });
    state.drawn = null;
    if (upwards) calls.turn(true);
    else calls.show(true);
  }

  function drawLegend() {
    fill(legend, options.before ? [["hsl(8 85% 70%)", "a larger share than before"], ["hsl(214 85% 70%)", "a smaller share"]].map(([shade, text]) => entry(shade, text))
      : state.colours.legend().map(([layer, shade]) => entry(shade, layer)));
  }

  function entry(shade, text) {
    return h("span.entry", {}, h("span.swatch", { style: { background: shade } }), text);
  }

  new ResizeObserver(() => state.drawn?.layout?.()).observe(element);
  themed.set(element, () => {
    if (state.root) {
      state.drawn?.draw?.();
      state.drawn?.drawList?.();
      drawLegend();
    }
  });
  elements = [...elements.filter((each) => each.deref()), new WeakRef(element)];
  groups();
  renew();
  return { element, show(others) { stacks = others; renew(); } };
}

function toggle(text, onchange) {
  const button = h("button", { type: "button", "aria-pressed": "false", onclick: () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    onchange(on);
  } }, text);
  return button;
}
