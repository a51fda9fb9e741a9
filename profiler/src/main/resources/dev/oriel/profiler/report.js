"use strict";
(() => {
const data = JSON.parse(document.getElementById("profile").textContent);
const names = data.names;
const dark = matchMedia("(prefers-color-scheme: dark)");
const $ = (id) => document.getElementById(id);

// Figures

const scale = (value, step, units) => {
  let unit = 0;
  while (unit < units.length - 1 && value >= step - 0.5) { value /= step; unit++; }
  const digits = unit === 0 || value >= 99.95 ? 0 : value < 9.995 ? 2 : 1;
  return value.toFixed(digits) + "\u202f" + units[unit];
};
const time = (nanos) => scale(nanos, 1000, ["ns", "µs", "ms", "s"]);
const bytes = (n) => scale(n, 1000, ["B", "kB", "MB", "GB", "TB"]);
const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const percent = (part, whole) => (whole > 0 ? (100 * part / whole) : 0).toFixed(1) + "\u202f%";
const weight = (unit) => unit === "ns" ? time : unit === "bytes" ? bytes : count;

// Elements: text is only ever set as text

const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

// Trees: nodes as objects, with the path to the root

const more = (raw) => ({ net: raw[0], p99: raw[1], errors: raw[2], allocated: raw[3], untimed: raw[4] });
const callNode = (raw, parent) => {
  const node = {
    name: names[raw[0]], calls: raw[1], total: raw[2], self: raw[3], min: raw[4], max: raw[5],
    parent, depth: parent ? parent.depth + 1 : 0, children: [], ...more(raw[7]),
  };
  node.children = raw[6].map((child) => callNode(child, node));
  return node;
};
const sampleNode = (raw, parent) => {
  const node = {
    name: names[raw[0]], total: raw[1], self: raw[2],
    parent, depth: parent ? parent.depth + 1 : 0, children: [],
  };
  node.children = raw[3].map((child) => sampleNode(child, node));
  return node;
};
const rooted = (title, raws, build) => {
  const root = { name: title, calls: 0, total: 0, self: 0, min: 0, max: 0, parent: null, depth: 0, top: true };
  root.children = raws.map((raw) => build(raw, root));
  for (const child of root.children) { root.total += child.total; root.calls += child.calls || 0; }
  return root;
};
const exact = rooted("all calls", data.tree, callNode);
const timed = (node) => Math.max(0, node.calls - (node.untimed || 0));
const counted = (node) => node.untimed > 0 && node.untimed >= Math.floor(node.calls / 2);
const mean = (node) => timed(node) ? Math.floor(node.total / timed(node)) : 0;
const tooShort = (node) => timed(node) > 0 && mean(node) < 3 * data.pairNanos && !counted(node);
const meanText = (node) => counted(node) ? "counted" : timed(node) ? time(mean(node)) : "–";

// Layers: a package is a layer, the greatest ones have colours of their own

const split = (name) => {
  const line = name.lastIndexOf(":");
  const plain = line > 0 && /^\d+$/.test(name.slice(line + 1)) ? name.slice(0, line) : name;
  const method = plain.lastIndexOf(".");
  const owner = plain.lastIndexOf(".", method - 1);
  return owner > 0
      ? { layer: name.slice(0, owner), rest: name.slice(owner + 1) }
      : { layer: method > 0 ? name.slice(0, method) : "", rest: name };
};
const layerOf = (() => {
  const known = new Map();
  return (name) => {
    let layer = known.get(name);
    if (layer === undefined) {
      layer = split(name).layer;
      if (/^(java|javax|jdk|sun|com\.sun)(\.|$)/.test(layer)) layer = "JDK";
      known.set(name, layer);
    }
    return layer;
  };
})();
const HUES = [212, 158, 32, 268, 350, 96, 186, 300, 54, 236, 12, 122, 198, 318, 70, 252, 172, 338, 44, 284, 108, 224, 20, 142];
/// From this one on they are darker, so that near hues can be told apart.
const DARKER = 10;
const layers = (() => {
  const weights = new Map();
  const add = (node, whole) => {
    if (!node.top && whole > 0) {
      const layer = layerOf(node.name);
      weights.set(layer, (weights.get(layer) || 0) + node.self / whole + 1e-9);
    }
    node.children.forEach((child) => add(child, whole));
  };
  add(exact, exact.total);
  for (const kind of data.samples) {
    kind.root = rooted("all " + kind.unit, kind.tree, sampleNode);
    add(kind.root, kind.root.total);
  }
  const order = [...weights.keys()].filter((layer) => layer !== "JDK" && layer !== "");
  order.sort((a, b) => weights.get(b) - weights.get(a));
  const hues = new Map(order.slice(0, HUES.length).map((layer, i) => [layer, { hue: HUES[i], dark: i < DARKER ? 0 : 9 }]));
  return { hues, order, jdk: weights.has("JDK") };
})();
const wobble = (name) => {
  let hash = 7;
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) | 0;
  return (hash >>> 4) % 7 - 3;
};
const colour = (name, strong) => {
  const known = layers.hues.get(layerOf(name));
  const shade = (strong ? 0 : wobble(name)) - (known ? known.dark : 0);
  if (known === undefined) return dark.matches ? `hsl(215 8% ${31 + shade}%)` : `hsl(215 10% ${84 + shade / 2}%)`;
  return dark.matches
      ? `hsl(${known.hue} 30% ${(strong ? 52 : 33) + shade}%)`
      : `hsl(${known.hue} ${strong ? 45 : 52}% ${(strong ? 62 : 79) + shade / 2}%)`;
};
const legend = () => {
  const list = $("legend");
  list.replaceChildren();
  const add = (layer, name) => {
    const item = make("li");
    const dot = make("i");
    dot.style.background = colour(name, true);
    item.append(dot, layer);
    list.append(item);
  };
  for (const layer of layers.hues.keys()) add(layer, layer + ".x.y");
  if (layers.jdk) add("JDK", "java.x.y");
  if (layers.order.length > HUES.length) add("other", "");
};

// The tooltip

const tip = $("tip");
const hideTip = () => { tip.hidden = true; };
const showTip = (x, y, title, rows, remark) => {
  const list = make("dl");
  for (const [key, value] of rows) list.append(make("dt", "", key), make("dd", "", value));
  tip.replaceChildren(make("strong", "", title), list);
  if (remark) tip.append(make("p", "", remark));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(6, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
  tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(6, y - box.height - 12) : y + 18) + "px";
};
const callRows = (node, whole) => [
  ["calls", count(node.calls)],
  ["total", time(node.total) + "  (" + percent(node.total, whole) + ")"],
  ["self", time(node.self) + "  (" + percent(node.self, whole) + ")"],
  ["mean", meanText(node)],
  ["net self", time(node.net)],
  ["min", time(node.min)], ["max", time(node.max)],
  ...(node.p99 ? [["99 of 100 within", time(node.p99)]] : []),
  ...(node.errors ? [["ended by an exception", count(node.errors)]] : []),
  ...(node.allocated ? [["allocated here", bytes(node.allocated)]] : []),
  ...(node.untimed ? [["counted without a time", count(node.untimed)]] : []),
];
const SHORT = "Too short to time: the count is exact, the time is mostly that of recording the calls.";

// Search

let wanted = "";
let pattern = null;
/// A regular expression, if it is one and more than a name; a name may hold dots and dollar signs.
const patternOf = (text) => {
  const literal = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
  if (/^[\w.$<>:-]*$/.test(text)) return literal;
  try { return new RegExp(text, "i"); } catch (invalid) { return literal; }
};
const hit = (name) => wanted !== "" && pattern.test(name);

// Names in tables

const nameCell = (cell, name) => {
  const dot = make("i");
  dot.style.background = colour(name, true);
  const { layer, rest } = split(name);
  const prefix = rest === name ? "" : layer + ".";
  cell.append(dot);
  if (prefix) cell.append(make("span", "pkg", prefix));
  cell.append(make(hit(name) ? "span" : "b", hit(name) ? "hit" : "", rest));
  cell.title = name;
};
const share = (part, whole, className) => {
  const cell = make("td", "n share " + (className || ""), percent(part, whole));
  cell.style.backgroundSize = `${whole > 0 ? Math.min(100, 100 * part / whole) : 0}% 17px`;
  return cell;
};
// A flame graph, its root on top, on a canvas

class Flame {
  constructor(box, crumbs, root, describe, format) {
    Object.assign(this, { box, crumbs, root, describe, format, focus: root, cells: [], over: null });
    this.canvas = make("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Flame graph of " + root.name + "; the tables below hold the same figures");
    box.replaceChildren(this.canvas);
    this.canvas.addEventListener("mousemove", (e) => this.move(e));
    this.canvas.addEventListener("mouseleave", () => { this.over = null; hideTip(); this.draw(); });
    this.canvas.addEventListener("click", (e) => { const cell = this.at(e); this.zoom(cell ? cell.node : this.root); });
    this.canvas.addEventListener("keydown", (e) => {
      if (e.key === "Escape") this.zoom(this.root);
      if (e.key === "ArrowUp" && this.focus.parent) { e.preventDefault(); this.zoom(this.focus.parent); }
      if (e.key === "ArrowDown" && this.focus.children.length) { e.preventDefault(); this.zoom(this.focus.children[0]); }
    });
    this.zoom(root);
  }
  zoom(node) {
    this.focus = node;
    const path = [];
    for (let at = node; at; at = at.parent) path.unshift(at);
    this.crumbs.replaceChildren();
    path.slice(Math.max(0, path.length - 5)).forEach((step, i, shown) => {
      if (i > 0) this.crumbs.append(" › ");
      if (i === 0 && shown[0] !== this.root) {
        const home = make("a", "", this.root.name);
        home.addEventListener("click", () => this.zoom(this.root));
        this.crumbs.append(home, " › … › ");
      }
      const link = make(step === node ? "span" : "a", "", step.top ? step.name : split(step.name).rest);
      if (step !== node) link.addEventListener("click", () => this.zoom(step));
      this.crumbs.append(link);
    });
    this.crumbs.append(make("span", "dim", "   " + this.format(node.total) + ", " + percent(node.total, this.root.total)));
    this.layout();
  }
  layout() {
    const width = this.box.clientWidth;
    if (width === 0) return;
    this.width = width;
    this.cells = [];
    const row = 21;
    for (let at = this.focus.parent; at; at = at.parent) {
      this.cells.push({ node: at, x: 0, y: at.depth * row, w: width, faded: true });
    }
    let deepest = this.focus.depth;
    const place = (node, x, w) => {
      this.cells.push({ node, x, y: node.depth * row, w, faded: false });
      deepest = Math.max(deepest, node.depth);
      let left = x;
      for (const child of node.children) {
        const part = node.total > 0 ? w * child.total / node.total : 0;
        if (part >= 0.5) place(child, left, part);
        left += part;
      }
    };
    place(this.focus, 0, width);
    this.height = (deepest + 1) * row;
    const ratio = Math.min(devicePixelRatio || 1, 16000 / this.height);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.height = this.height + "px";
    this.ratio = ratio;
    this.draw();
  }
  draw() {
    const g = this.canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    g.font = "12px " + style.getPropertyValue("--mono");
    g.textBaseline = "middle";
    const letter = g.measureText("m").width;
    const ink = style.getPropertyValue("--ink");
    const mark = style.getPropertyValue("--mark");
    for (const cell of this.cells) {
      const { node, x, y, w } = cell;
      const found = hit(node.name);
      g.globalAlpha = cell.faded ? 0.5 : wanted !== "" && !found && !node.top ? 0.38 : 1;
      g.fillStyle = node.top ? style.getPropertyValue("--chip") : colour(node.name);
      const gap = w > 3 ? 1 : 0;
      g.beginPath();
      if (w > 6) g.roundRect(x, y, w - gap, 20, 2.5); else g.rect(x, y, Math.max(w - gap, 0.4), 20);
      g.fill();
      if (found || this.over === node) {
        g.globalAlpha = 1;
        g.strokeStyle = found ? mark : ink;
        g.lineWidth = this.over === node ? 1.6 : 1.2;
        g.stroke();
      }
      const letters = Math.floor((w - 10) / letter);
      if (letters >= 3) {
        const rest = node.top ? node.name : split(node.name).rest;
        const method = rest.slice(rest.lastIndexOf(".") + 1);
        const text = [node.name, rest, method].find((t) => t.length <= letters) || method.slice(0, letters - 1) + "…";
        g.fillStyle = ink;
        g.fillText(text, x + 5, y + 10.5);
      }
    }
    g.globalAlpha = 1;
  }
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    return this.cells.find((c) => x >= c.x && x < c.x + c.w && y >= c.y && y < c.y + 20);
  }
  move(event) {
    const cell = this.at(event);
    const node = cell ? cell.node : null;
    if (node !== this.over) { this.over = node; this.draw(); }
    if (node) this.describe(event, node, this.root.total); else hideTip();
  }
  /// The share of the whole that is at or below a match.
  matched() {
    const sum = (node) => hit(node.name) && !node.top ? node.total : node.children.reduce((s, c) => s + sum(c), 0);
    return percent(sum(this.root), this.root.total);
  }
}

const flames = [];
if (exact.children.length) {
  flames.push(new Flame($("exact-flame"), $("exact-crumbs"), exact, (e, node, whole) => {
    if (node.top) showTip(e.clientX, e.clientY, node.name, [["calls", count(node.calls)], ["total", time(node.total)]]);
    else showTip(e.clientX, e.clientY, node.name, callRows(node, whole), tooShort(node) ? SHORT : "");
  }, time));
}
let sampled = null;
/// The tree of the tables below: of exact calls, or else of the samples that are shown.
const onlySamples = !exact.children.length && data.samples.length > 0;
let shown = exact;
let inUnit = time;
let showTables = () => {};
if (data.samples.length) {
  const threadsOf = (kind) => {
    const list = $("thread-body");
    const all = { name: "all threads", root: kind.root };
    const threads = [all, ...kind.threads.map((thread) => {
      thread.root = thread.root || rooted("all " + kind.unit, thread.tree, sampleNode);
      return thread;
    })];
    $("threads").hidden = threads.length < 3;
    list.replaceChildren(...threads.map((thread) => {
      const row = make("tr");
      row.thread = thread;
      row.append(make("td", "n", weight(kind.unit)(thread.root.total)), share(thread.root.total, kind.root.total));
      const cell = make("td", "name");
      const button = make("button", "link", thread.name);
      button.addEventListener("click", () => show(kind, thread));
      cell.append(button);
      row.append(cell);
      return row;
    }));
    return all;
  };
  const show = (kind, given) => {
    const format = weight(kind.unit);
    const thread = given || threadsOf(kind);
    const root = thread.root;
    for (const button of $("kinds").children) button.setAttribute("aria-pressed", String(button.kind === kind));
    for (const row of $("thread-body").children) row.querySelector("button").setAttribute("aria-pressed", String(row.thread === thread));
    $("kind-note").textContent = kind.note + (root === kind.root ? "" : " Thread " + thread.name + " alone.");
    const flame = new Flame($("sample-flame"), $("sample-crumbs"), root, (e, node, whole) => {
      const unit = kind.unit === "samples" ? " samples" : "";
      showTip(e.clientX, e.clientY, node.name, [
        ["total", format(node.total) + unit + "  (" + percent(node.total, whole) + ")"],
        ["self", format(node.self) + unit + "  (" + percent(node.self, whole) + ")"],
      ]);
    }, (n) => format(n) + (kind.unit === "samples" ? " samples" : ""));
    if (sampled) flames.splice(flames.indexOf(sampled), 1);
    sampled = flame;
    flames.push(flame);
    if (onlySamples) {
      shown = root;
      inUnit = format;
      showTables();
    }
  };
  for (const kind of data.samples) {
    const button = make("button", "", kind.title);
    button.kind = kind;
    button.addEventListener("click", () => show(kind));
    $("kinds").append(button);
  }
  show(data.samples[0]);
}

// Rings: the levels of the tree below the focus, from the inside out

const RINGS = 8;
const rings = (root, format) => {
  const canvas = $("rings-canvas"), list = $("rings-list");
  let focus = root, arcs = [], over = null, levels = 1;
  const layout = () => {
    arcs = [];
    levels = 1;
    const place = (node, level, from, width) => {
      arcs.push({ node, level, from, to: from + width });
      levels = Math.max(levels, level);
      if (level === RINGS) return;
      let at = from;
      for (const child of node.children) {
        const part = node.total > 0 ? width * child.total / node.total : 0;
        if (part > 0.004) place(child, level + 1, at, part);
        at += part;
      }
    };
    place(focus, 0, 0, 2 * Math.PI);
    const shown = focus.children.slice(0, 12).map((child) => {
      const item = make("li");
      const name = make("span");
      const dot = make("i");
      dot.style.background = colour(child.name, true);
      name.append(dot, split(child.name).rest);
      name.title = child.name;
      item.append(name, make("span", "", format(child.total)), make("span", "dim", percent(child.total, root.total)));
      item.addEventListener("click", () => zoom(child));
      return item;
    });
    const self = focus.top ? 0 : focus.self;
    if (self > 0) {
      const item = make("li");
      item.append(make("span", "dim", "self"), make("span", "", format(self)), make("span", "dim", percent(self, root.total)));
      shown.push(item);
    }
    list.replaceChildren(...shown);
    draw();
  };
  const radius = (level, size) => size / 2 * (level === 0 ? 0 : 0.22 + 0.78 * (level - 1) / Math.max(3, levels));
  const draw = () => {
    const size = canvas.clientWidth;
    if (size === 0) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = canvas.height = Math.round(size * ratio);
    const g = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.translate(size / 2, size / 2);
    g.rotate(-Math.PI / 2);
    for (const arc of arcs) {
      if (arc.level === 0) continue;
      g.beginPath();
      g.arc(0, 0, radius(arc.level + 1, size) - 1, arc.from, arc.to);
      g.arc(0, 0, radius(arc.level, size), arc.to, arc.from, true);
      g.closePath();
      g.globalAlpha = wanted !== "" && !hit(arc.node.name) ? 0.35 : 1;
      g.fillStyle = colour(arc.node.name, arc.node === over);
      g.fill();
      g.globalAlpha = 1;
      g.strokeStyle = hit(arc.node.name) ? style.getPropertyValue("--mark") : style.getPropertyValue("--card");
      g.lineWidth = 1;
      g.stroke();
    }
    g.rotate(Math.PI / 2);
    const inner = radius(1, size);
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillStyle = style.getPropertyValue("--ink");
    g.font = "600 15px " + style.getPropertyValue("--sans");
    g.fillText(format(focus.total), 0, -8);
    g.font = "12px " + style.getPropertyValue("--sans");
    g.fillStyle = style.getPropertyValue("--soft");
    g.fillText(fitted(g, focus.top ? focus.name : split(focus.name).rest, 2 * inner - 14), 0, 12);
    // Names along wide arcs, upright where there is room.
    g.font = "11px " + style.getPropertyValue("--mono");
    g.fillStyle = style.getPropertyValue("--ink");
    for (const arc of arcs) {
      const middle = (arc.from + arc.to) / 2 - Math.PI / 2;
      const at = (radius(arc.level, size) + radius(arc.level + 1, size)) / 2;
      if (arc.level === 0 || (arc.to - arc.from) * at < 40) continue;
      const rest = split(arc.node.name).rest;
      const room = Math.min((arc.to - arc.from) * at, radius(arc.level + 1, size) - radius(arc.level, size)) - 4;
      const method = rest.slice(rest.lastIndexOf(".") + 1);
      const text = fitted(g, method, room);
      if (text.length > 2) g.fillText(text, Math.cos(middle) * at, Math.sin(middle) * at);
    }
  };
  const fitted = (g, text, room) => {
    if (g.measureText(text).width <= room) return text;
    let letters = text.length;
    while (letters > 0 && g.measureText(text.slice(0, letters) + "…").width > room) letters--;
    return letters > 1 ? text.slice(0, letters) + "…" : "";
  };
  const zoom = (node) => { focus = node; layout(); };
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const size = box.width;
    const x = event.clientX - box.left - size / 2, y = event.clientY - box.top - size / 2;
    const distance = Math.hypot(x, y);
    let angle = Math.atan2(y, x) + Math.PI / 2;
    if (angle < 0) angle += 2 * Math.PI;
    return arcs.find((a) => distance >= radius(a.level, size) && distance < radius(a.level + 1, size) && angle >= a.from && angle < a.to);
  };
  canvas.addEventListener("mousemove", (e) => {
    const arc = at(e);
    const node = arc ? arc.node : null;
    if (node !== over) { over = node; draw(); }
    if (node && !node.top) showTip(e.clientX, e.clientY, node.name, node.calls === undefined
        ? [["total", format(node.total) + "  (" + percent(node.total, root.total) + ")"]] : callRows(node, root.total));
    else hideTip();
  });
  canvas.addEventListener("mouseleave", () => { over = null; hideTip(); draw(); });
  canvas.addEventListener("click", (e) => {
    const arc = at(e);
    if (!arc) return;
    zoom(arc.level === 0 ? focus.parent || root : arc.node);
  });
  canvas.addEventListener("keydown", (e) => { if (e.key === "Escape") zoom(root); });
  flames.push({ root: null, draw, layout: draw, matched: () => "" });
  $("rings-fold").addEventListener("toggle", layout);
  layout();
};
if (exact.children.length) rings(exact, time);
else if (data.samples.length) {
  $("rings-note").textContent = "The first kind of samples from the inside out: a ring is a level. Click to zoom, click the middle to go back.";
  rings(data.samples[0].root, weight(data.samples[0].unit));
} else $("rings").hidden = true;
if (onlySamples) {
  $("exact").hidden = true;
  for (const id of ["tree", "methods"]) $(id).classList.add("sampled");
} else if (!exact.children.length) for (const id of ["tree", "methods"]) $(id).hidden = true;
if (!data.samples.length) $("samples").hidden = true;

const figures = (row, node, whole) => {
  if (node.items) {
    row.append(make("td", "n", inUnit(node.total)), share(node.total, whole));
    if (!onlySamples) row.append(make("td", "n", count(node.calls)));
    return;
  }
  const short = tooShort(node);
  row.append(
      make("td", "n", inUnit(node.total)), share(node.total, whole),
      make("td", "n", inUnit(node.self)), share(node.self, whole, "wide"));
  if (onlySamples) return;
  row.append(make("td", "n", (node.untimed ? "#" : "") + count(node.calls)));
  const cell = make("td", "n" + (short ? " dim" : ""), (short ? "~" : "") + meanText(node));
  if (short) cell.title = SHORT;
  row.append(cell, make("td", "n wide", time(node.min)), make("td", "n wide", time(node.max)));
  if (node.flat) row.append(make("td", "n wide", node.p99 ? time(node.p99) : "–"), make("td", "n wide", time(node.net)));
};

// The call tree, downwards (callees) or upwards (callers); rows are made when they are opened

/// Whether a node is the line of the method above it.
const isLine = (node) => node.parent && !node.parent.top && node.name.startsWith(node.parent.name + ":");
const body = $("tree-body");
let upwards = false;
const opened = (row) => row.node.children.length > 0 || (row.node.items && row.node.items.some((item) => item.at && !item.at.top));
const callers = (items, parent) => {
  const groups = new Map();
  for (const item of items) {
    if (!item.at || item.at.top) continue;
    let group = groups.get(item.at.name);
    if (!group) {
      group = { name: item.at.name, calls: 0, total: 0, self: 0, min: Infinity, max: 0, items: [], children: [], parent };
      groups.set(item.at.name, group);
    }
    group.calls += item.node.calls || 0; group.total += item.node.self;
    if (item.node.max > 0) { group.min = Math.min(group.min, item.node.min); group.max = Math.max(group.max, item.node.max); }
    group.items.push({ node: item.node, at: item.at.parent });
    if (!item.at.parent || item.at.parent.top) group.self += item.node.self;
  }
  for (const group of groups.values()) if (group.min === Infinity) group.min = 0;
  return [...groups.values()].sort((a, b) => b.total - a.total);
};
const invertedRoots = () => {
  const items = [];
  const walk = (node) => {
    if (!node.top && node.self > 0) items.push({ node, at: isLine(node) ? node.parent : node });
    node.children.forEach(walk);
  };
  walk(shown);
  return callers(items, null);
};
const open = (row, recursive) => {
  if (row.open) return;
  row.open = true;
  if (row.twist) { row.twist.textContent = "▾"; row.twist.setAttribute("aria-expanded", "true"); }
  const children = upwards ? callers(row.node.items, row.node) : row.node.children;
  let after = row;
  const hot = children[0];
  for (const child of children) {
    const next = treeRow(child, row.level + 1);
    after.after(next);
    after = next;
    if (recursive && child === hot && child.total >= 0.1 * shown.total) { open(next, true); after = lastOf(next); }
  }
};
const lastOf = (row) => {
  let last = row;
  while (last.nextElementSibling && last.nextElementSibling.level > row.level) last = last.nextElementSibling;
  return last;
};
const shut = (row) => {
  row.open = false;
  row.twist.textContent = "▸";
  row.twist.setAttribute("aria-expanded", "false");
  while (row.nextElementSibling && row.nextElementSibling.level > row.level) row.nextElementSibling.remove();
};
const treeRow = (node, level) => {
  const row = make("tr");
  row.node = node;
  row.level = level;
  figures(row, node, shown.total);
  const name = make("td", "name");
  name.style.paddingLeft = 6 + Math.min(level, 40) * 15 + "px";
  if (opened(row)) {
    row.twist = make("button", "twist", "▸");
    row.twist.setAttribute("aria-expanded", "false");
    row.twist.setAttribute("aria-label", "Open or close " + node.name);
    row.twist.addEventListener("click", () => row.open ? shut(row) : open(row, false));
    name.append(row.twist);
  } else {
    name.append(make("span", "twist", ""));
  }
  nameCell(name, node.name);
  name.addEventListener("dblclick", () => row.twist && (row.open ? shut(row) : open(row, true)));
  row.append(name);
  return row;
};
const tree = (expand) => {
  if (!body) return;
  const roots = upwards ? invertedRoots() : shown.children;
  body.replaceChildren(...roots.map((node) => treeRow(node, 0)));
  if (expand && !upwards) {
    [...body.children].forEach((row) => { if (row.node.total >= 0.1 * shown.total) open(row, true); });
  }
};
if (body) {
  $("hot").addEventListener("click", () => tree(true));
  $("shut").addEventListener("click", () => tree(false));
  const direction = (up) => {
    upwards = up;
    $("down").setAttribute("aria-pressed", String(!up));
    $("up").setAttribute("aria-pressed", String(up));
    $("hot").disabled = up;
    $("tree-note").textContent = up
        ? "Each method's own " + (onlySamples ? "weight" : "time") + ", and below it the callers by way of which it was spent."
        : "What is a method's own adds up to the total.";
    $("tree-total").textContent = up ? "Self" : "Total";
    $("tree-total").closest("table").classList.toggle("up", up);
    tree(true);
  };
  $("down").addEventListener("click", () => direction(false));
  $("up").addEventListener("click", () => direction(true));
}

// The methods

/// Self and total weights over all stacks; of a method inside itself, the total counts the outermost.
const sampledMethods = () => {
  const byName = new Map();
  const walk = (node, within) => {
    const name = isLine(node) ? node.parent.name : node.name;
    let method = byName.get(name);
    if (!method) byName.set(name, method = { name, total: 0, self: 0, flat: true });
    method.self += node.self;
    const outermost = !within.has(name);
    if (outermost) { method.total += node.total; within.add(name); }
    node.children.forEach((child) => walk(child, within));
    if (outermost) within.delete(name);
  };
  shown.children.forEach((child) => walk(child, new Set()));
  return [...byName.values()];
};
let methods = data.methods.map((raw) => {
  const method = {
    name: names[raw[0]], calls: raw[1], total: raw[2], self: raw[3], min: raw[4], max: raw[5],
    flat: true, ...more(raw[6]),
  };
  return { ...method, mean: mean(method) };
});
let sort = { key: "self", down: true };
let all = false;
const ROWS = 40;
const methodTable = () => {
  const list = $("method-body");
  if (!list) return;
  const rows = methods.filter((m) => wanted === "" || hit(m.name));
  rows.sort((a, b) => {
    const order = sort.key === "name" ? (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) : a[sort.key] - b[sort.key];
    return sort.down ? -order : order;
  });
  list.replaceChildren(...rows.slice(0, all ? rows.length : ROWS).map((method) => {
    const row = make("tr");
    figures(row, method, shown.total);
    const name = make("td", "name");
    nameCell(name, method.name);
    row.append(name);
    return row;
  }));
  $("more").hidden = all || rows.length <= ROWS;
  $("more").textContent = "Show all " + count(rows.length);
  for (const head of document.querySelectorAll("#methods th[data-sort]")) {
    if (head.dataset.sort === sort.key) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
};
for (const head of document.querySelectorAll("#methods th[data-sort]")) {
  head.tabIndex = 0;
  const choose = () => {
    const key = head.dataset.sort;
    sort = { key, down: sort.key === key ? !sort.down : key !== "name" };
    methodTable();
  };
  head.addEventListener("click", choose);
  head.addEventListener("keydown", (e) => { if (e.key === "Enter") choose(); });
}
if ($("more")) $("more").addEventListener("click", () => { all = true; methodTable(); });

// Everything together

const search = $("search");
search.addEventListener("input", () => {
  wanted = search.value.trim();
  pattern = patternOf(wanted);
  flames.forEach((flame) => flame.draw());
  const first = flames.filter((flame) => flame.root).map((flame) => flame.matched() + (flame.root === exact ? " of the calls' time" : " of the samples"));
  $("found").textContent = wanted === "" ? "" : "At or below a match: " + first.join(", ");
  methodTable();
  for (const row of body ? body.children : []) {
    const name = row.lastElementChild;
    const text = name.lastElementChild;
    const replacement = make(hit(row.node.name) ? "span" : "b", hit(row.node.name) ? "hit" : "", text.textContent);
    text.replaceWith(replacement);
  }
});
addEventListener("keydown", (e) => {
  if (e.key === "/" && document.activeElement !== search) { e.preventDefault(); search.focus(); }
});
let pending = 0;
addEventListener("resize", () => {
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(() => flames.forEach((flame) => flame.layout()));
});
dark.addEventListener("change", () => { legend(); flames.forEach((flame) => flame.draw()); tree(true); methodTable(); });
legend();
showTables = () => {
  if (onlySamples) methods = sampledMethods();
  tree(true);
  methodTable();
};
showTables();
})();
