// A flame graph on a canvas, from stacks "a;b;c" with weights. Press a frame to zoom.

import { h, fill } from "./dom.js";
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

/** The stacks as a tree: name, total, self and children by name. */
export function stackTree(stacks, inverted = false) {
  const root = { name: "all", total: 0, self: 0, children: new Map() };
  for (const { stack, weight } of stacks) {
    const frames = stack.split(";");
    if (inverted) frames.reverse();
    root.total += Number(weight);
    let node = root;
    for (const frame of frames) {
      let child = node.children.get(frame);
      if (!child) node.children.set(frame, child = { name: frame, total: 0, self: 0, children: new Map() });
      child.total += Number(weight);
      node = child;
    }
    node.self += Number(weight);
  }
  return root;
}

/**
 * @param {{stack: string, weight: number}[]} stacks
 * @param {string} unit of the weights
 */
export function flame(stacks, unit) {
  const state = { root: null, zoom: null, pattern: null, inverted: false, boxes: [] };
  const canvas = h("canvas.flame", { tabindex: 0, role: "img", "aria-label": "Flame graph", onclick: press, onmousemove: hover, onkeydown: (e) => { if (e.key === "Escape") zoomTo(state.root); } });
  const facts = h("p.dim", { "aria-live": "polite" }, "\u00a0");
  const search = h("input", { placeholder: "search, a regular expression", "aria-label": "Search", oninput: () => {
    try {
      state.pattern = search.value ? new RegExp(search.value, "i") : null;
      search.setCustomValidity("");
    } catch {
      search.setCustomValidity("not a regular expression");
    }
    draw();
  } });
  const invert = h("button", { type: "button", onclick: () => { state.inverted = !state.inverted; rebuild(); } }, "Invert");
  const whole = h("button", { type: "button", onclick: () => zoomTo(state.root) }, "Whole");
  const element = h("div", {}, h("div.bar", { style: { padding: "0 0 8px", border: "0" } }, search, invert, whole), facts, canvas);
  new ResizeObserver(draw).observe(element);

  function rebuild() {
    state.root = stackTree(stacks, state.inverted);
    zoomTo(state.root);
  }

  function zoomTo(node) {
    state.zoom = node;
    draw();
  }

  function depth(node, level = 1) {
    let most = level;
    for (const child of node.children.values()) {
      if (child.total / state.zoom.total > 0.0005) most = Math.max(most, depth(child, level + 1));
    }
    return most;
  }

  function draw() {
    if (!state.zoom) return;
    const width = element.clientWidth || 800;
    const height = depth(state.zoom) * HEIGHT + 2;
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
    const box = (node, x, y, w, inside) => {
      if (w < 0.4) return;
      const match = state.pattern?.test(node.name) ?? false;
      if (match && !inside) found += node.total;
      paper.fillStyle = match ? "#d4388f" : node === state.root ? (dark ? "#444" : "#ddd") : `hsl(${hue(node.name)} 45% ${dark ? 34 : 76}%)`;
      paper.fillRect(x, y, Math.max(0.5, w - 0.6), HEIGHT - 1);
      state.boxes.push({ node, x, y, w });
      if (w > 34) {
        paper.fillStyle = match ? "#fff" : dark ? "#eee" : "#1b1b1b";
        const text = node.name.replace(/^.*\.([^.]+\.[^.]+)$/, "$1");
        paper.save();
        paper.beginPath();
        paper.rect(x, y, w - 3, HEIGHT);
        paper.clip();
        paper.fillText(text, x + 3, y + HEIGHT / 2);
        paper.restore();
      }
      let at = x;
      for (const child of [...node.children.values()].sort((a, b) => b.total - a.total)) {
        const part = (w * child.total) / node.total;
        box(child, at, y + HEIGHT, part, inside || match);
        at += part;
      }
    };
    box(state.zoom, 0, 0, width, false);
    if (state.pattern) facts.textContent = `${percent(found / state.zoom.total)} match`;
  }

  function at(event) {
    return state.boxes.find((b) => event.offsetX >= b.x && event.offsetX < b.x + b.w && event.offsetY >= b.y && event.offsetY < b.y + HEIGHT)?.node;
  }

  function press(event) {
    const node = at(event);
    if (node) zoomTo(node);
  }

  function hover(event) {
    const node = at(event);
    facts.textContent = node ? `${node.name}: ${count(node.total)} ${unit}, ${percent(node.total / state.root.total)} of all, own ${percent(node.self / state.root.total)}` : "\u00a0";
    canvas.title = node?.name ?? "";
  }

  rebuild();
  if (!stacks.length) return fill(h("div.empty"), "No samples were taken.");
  return element;
}
