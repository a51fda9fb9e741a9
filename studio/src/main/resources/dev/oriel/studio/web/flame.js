// A flame graph on a canvas, from stacks "a;b;c" with weights. A press on a frame zooms; arrow keys move,
// Enter zooms, Escape shows all again.

import { h } from "./dom.js";
import { count, percent } from "./format.js";

const HEIGHT = 18;
const HUES = new Map();

function hue(name) {
  const layer = name.split(".").slice(0, 3).join(".").replace(/^([A-Z]\w*).*/, "$1");
  if (!HUES.has(layer)) {
    let hash = 0;
    for (const c of layer) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
    HUES.set(layer, hash % 360);
  }
  return HUES.get(layer);
}

function node(name, above) {
  return { name, above, total: 0, self: 0, children: new Map() };
}

/** The stacks as a tree: name, total, self, the node above and children by name. */
export function stackTree(stacks, inverted = false) {
  const root = node("all", null);
  for (const { stack, weight } of stacks) {
    const frames = stack.split(";");
    if (inverted) frames.reverse();
    root.total += Number(weight);
    let at = root;
    for (const frame of frames) {
      let child = at.children.get(frame);
      if (!child) at.children.set(frame, child = node(frame, at));
      child.total += Number(weight);
      at = child;
    }
    at.self += Number(weight);
  }
  return root;
}

function largestFirst(parent) {
  return [...parent.children.values()].sort((a, b) => b.total - a.total);
}

/**
 * The element has a method `show(stacks)`, which draws others.
 *
 * @param {{stack: string, weight: number}[]} stacks
 * @param {string} unit of the weights
 * @param {{onpick?: (name: string | null) => void}} [options] `onpick` is called with the frame picked
 */
export function flame(stacks, unit, options = {}) {
  const state = { stacks, root: null, zoom: null, focus: null, pattern: null, inverted: false, boxes: [] };
  const canvas = h("canvas.flame", { tabindex: 0, role: "application", "aria-roledescription": "flame graph", "aria-label": "Flame graph. Arrow keys move between frames, Enter zooms, Escape shows all.", onclick: press, onmousemove: hover, onkeydown: key });
  const facts = h("p.dim.flame-facts", { "aria-live": "polite" }, "\u00a0");
  const search = h("input", { placeholder: "search, a regular expression", "aria-label": "Search", oninput: () => {
    try {
      state.pattern = search.value ? new RegExp(search.value, "i") : null;
      search.setCustomValidity("");
    } catch {
      search.setCustomValidity("not a regular expression");
    }
    draw();
  } });
  const invert = h("button", { type: "button", "aria-pressed": "false", onclick: () => {
    state.inverted = !state.inverted;
    invert.setAttribute("aria-pressed", String(state.inverted));
    rebuild();
  } }, "Invert");
  const whole = h("button", { type: "button", onclick: () => zoomTo(state.root) }, "Whole");
  const element = h("div", {}, h("div.bar.flat", {}, search, invert, whole), facts, canvas);
  new ResizeObserver(draw).observe(element);

  function rebuild() {
    state.root = stackTree(state.stacks, state.inverted);
    zoomTo(state.root);
  }

  function zoomTo(to) {
    state.zoom = to;
    state.focus = to;
    options.onpick?.(to === state.root ? null : to.name);
    draw();
  }

  function depth(of, level = 1) {
    let most = level;
    for (const child of of.children.values()) {
      if (child.total / state.zoom.total > 0.0005) most = Math.max(most, depth(child, level + 1));
    }
    return most;
  }

  function draw() {
    if (!state.zoom) return;
    const width = element.clientWidth || 800;
    const height = state.root.total ? depth(state.zoom) * HEIGHT + 2 : 0;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = `${height}px`;
    const paper = canvas.getContext("2d");
    paper.scale(ratio, ratio);
    paper.font = "11px system-ui, sans-serif";
    paper.textBaseline = "middle";
    const dark = document.documentElement.dataset.theme === "dark";
    state.boxes = [];
    let found = 0;
    const box = (of, x, y, w, inside) => {
      if (w < 0.4) return;
      const match = state.pattern?.test(of.name) ?? false;
      if (match && !inside) found += of.total;
      paper.fillStyle = match ? "#b3246f" : of === state.root ? (dark ? "#444" : "#ddd") : `hsl(${hue(of.name)} 45% ${dark ? 30 : 78}%)`;
      paper.fillRect(x, y, Math.max(0.5, w - 0.6), HEIGHT - 1);
      state.boxes.push({ node: of, x, y, w });
      if (w > 34) {
        paper.fillStyle = match ? "#fff" : dark ? "#f2f2f2" : "#1b1b1b";
        const text = of.name.replace(/^.*\.([^.]+\.[^.]+)$/, "$1");
        paper.save();
        paper.beginPath();
        paper.rect(x, y, w - 3, HEIGHT);
        paper.clip();
        paper.fillText(text, x + 3, y + HEIGHT / 2);
        paper.restore();
      }
      let at = x;
      for (const child of largestFirst(of)) {
        const part = (w * child.total) / of.total;
        box(child, at, y + HEIGHT, part, inside || match);
        at += part;
      }
    };
    box(state.zoom, 0, 0, width, false);
    outline(paper, dark);
    if (state.pattern) facts.textContent = `${percent(found / Math.max(1, state.zoom.total))} match`;
  }

  function outline(paper, dark) {
    const here = state.boxes.find((b) => b.node === state.focus);
    if (!here || document.activeElement !== canvas) return;
    paper.strokeStyle = dark ? "#fff" : "#000";
    paper.lineWidth = 2;
    paper.strokeRect(here.x + 1, here.y + 1, Math.max(2, here.w - 2.6), HEIGHT - 3);
  }

  function at(event) {
    return state.boxes.find((b) => event.offsetX >= b.x && event.offsetX < b.x + b.w && event.offsetY >= b.y && event.offsetY < b.y + HEIGHT)?.node;
  }

  function press(event) {
    const here = at(event);
    if (here) zoomTo(here);
  }

  function tell(here) {
    facts.textContent = here ? `${here.name}: ${count(here.total)} ${unit}, ${percent(here.total / state.root.total)} of all, own ${percent(here.self / state.root.total)}` : "\u00a0";
    canvas.title = here?.name ?? "";
  }

  function hover(event) {
    tell(at(event));
  }

  function key(event) {
    const from = state.focus;
    const beside = from.above ? largestFirst(from.above) : [from];
    const place = beside.indexOf(from);
    const to = { ArrowDown: largestFirst(from)[0], ArrowUp: from.above, ArrowRight: beside[place + 1], ArrowLeft: beside[place - 1] }[event.key];
    if (event.key === "Enter") zoomTo(from);
    else if (event.key === "Escape") zoomTo(state.root);
    else if (event.key.startsWith("Arrow")) {
      if (to) {
        state.focus = to;
        if (!state.boxes.some((b) => b.node === to)) state.zoom = to;
      }
      tell(state.focus);
      draw();
    } else return;
    event.preventDefault();
  }

  canvas.addEventListener("focus", draw);
  canvas.addEventListener("blur", draw);
  const themed = () => (element.isConnected ? draw() : removeEventListener("oriel-theme", themed));
  addEventListener("oriel-theme", themed);
  element.show = (others) => {
    state.stacks = others;
    rebuild();
  };
  rebuild();
  return element;
}
