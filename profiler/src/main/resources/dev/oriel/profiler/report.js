// The page of a report: draws the JSON that the page holds. HtmlReport puts the modules and this into one script.

import { Colours, isLine, searchPattern, split } from "./frames.js";
import { eventTree, forEvents } from "./trees.js";
import { Flame } from "./flame.js";
import { HeatMap, heatGrid } from "./heat.js";
import { Rings } from "./rings.js";
import { CallTree } from "./calls.js";

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
  node.children = raw[6].map((child) => callNode(child, node)).sort((a, b) => b.total - a.total);
  return node;
};
const exact = { name: "all calls", calls: 0, total: 0, self: 0, min: 0, max: 0, parent: null, depth: 0, top: true, children: [] };
exact.children = data.tree.map((raw) => callNode(raw, exact)).sort((a, b) => b.total - a.total);
for (const child of exact.children) { exact.total += child.total; exact.calls += child.calls; }
const timed = (node) => Math.max(0, node.calls - (node.untimed || 0));
const counted = (node) => node.untimed > 0 && node.untimed >= Math.floor(node.calls / 2);
const mean = (node) => timed(node) ? Math.floor(node.total / timed(node)) : 0;
const tooShort = (node) => timed(node) > 0 && mean(node) < 3 * data.pairNanos && !counted(node);
const meanText = (node) => counted(node) ? "counted" : timed(node) ? time(mean(node)) : "–";

// Colours of layers, over all trees

for (const kind of data.samples) kind.root = eventTree(kind, names, { title: `all ${kind.unit}` });
const colours = Colours.ofTrees([exact, ...data.samples.map((kind) => kind.root)]);
const colour = (name, strong) => colours.colour(name, strong);
const coloured = (node, strong) => colours.colour(node.name, strong);
const legend = () => {
  $("legend").replaceChildren(...colours.legend().map(([layer, shade]) => {
    const item = make("li");
    const dot = make("i");
    dot.style.background = shade;
    item.append(dot, layer);
    return item;
  }));
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
let pattern = searchPattern(wanted);
const hit = (name) => wanted !== "" && pattern.test(name);

// Flame graphs and rings

const shared = { colour: coloured, hit, searching: () => wanted !== "" };
const pictures = [];

const graph = (box, crumbs, root, describe, format) => {
  let flame = null;
  const drawCrumbs = (node) => {
    const path = [];
    for (let at = node; at; at = at.parent) path.unshift(at);
    crumbs.replaceChildren();
    path.slice(Math.max(0, path.length - 5)).forEach((step, i, shown) => {
      if (i > 0) crumbs.append(" › ");
      if (i === 0 && shown[0] !== root) {
        const home = make("a", "", root.name);
        home.addEventListener("click", () => flame.zoom(root));
        crumbs.append(home, " › … › ");
      }
      const link = make(step === node ? "span" : "a", "", step.top ? step.name : split(step.name).rest);
      if (step !== node) link.addEventListener("click", () => flame.zoom(step));
      crumbs.append(link);
    });
    crumbs.append(make("span", "dim", "   " + format(node.total) + ", " + percent(node.total, root.total)));
  };
  flame = new Flame(box, root, { ...shared,
    tell: (node, event) => (node && event ? describe(event, node, root.total) : node ? showTip(...corner(box), ...plain(node, format, root)) : hideTip()),
    onzoom: drawCrumbs });
  return flame;
};
const corner = (box) => {
  const { left, top } = box.getBoundingClientRect();
  return [left, Math.max(0, top - 40)];
};
const plain = (node, format, root) => [node.name, [["total", format(node.total) + "  (" + percent(node.total, root.total) + ")"]]];

if (exact.children.length) {
  pictures.push(graph($("exact-flame"), $("exact-crumbs"), exact, (e, node, whole) => {
    if (node.top) showTip(e.clientX, e.clientY, node.name, [["calls", count(node.calls)], ["total", time(node.total)]]);
    else showTip(e.clientX, e.clientY, node.name, callRows(node, whole), tooShort(node) ? SHORT : "");
  }, time));
}
// Samples: of one kind, of a range of time, of a thread, of an object

const onlySamples = !exact.children.length && data.samples.length > 0;
/** The tree of the tables below: of exact calls, or else of the samples that are shown. */
let shown = exact;
let inUnit = time;
let sampled = null;
/** The samples that are shown: null stands for all. Of `columns` the last is not included. */
const chosen = { kind: null, columns: null, thread: null, detail: null, holder: null, launchers: false };
const GROUPINGS = ["thread", "detail", "holder"];
const GROUP_ROWS = 50;

const isChosen = (event, but) => GROUPINGS.every((field) => field === but || chosen[field] === null || event[field] === chosen[field]) && inColumns(event.cell);
const inColumns = (cell) => {
  const column = Math.floor(cell / chosen.kind.cells);
  return !chosen.columns || (column >= chosen.columns[0] && column < chosen.columns[1]);
};
/** A table of threads, objects or holders, by the samples that the other choices leave. */
const groupTable = (body, field, texts) => {
  const weights = new Map(chosen[field] === null ? [] : [[chosen[field], 0]]);
  let whole = 0;
  forEvents(chosen.kind, (event) => {
    if (!isChosen(event, field)) return;
    weights.set(event[field], (weights.get(event[field]) || 0) + event.weight);
    whole += event.weight;
  });
  const groups = [...weights.keys()].sort((a, b) => weights.get(b) - weights.get(a));
  const shownGroups = groups.filter((group, i) => i < GROUP_ROWS || group === chosen[field]);
  const focused = body.contains(document.activeElement) ? document.activeElement.group : null;
  body.replaceChildren(...shownGroups.map((group) => {
    const row = make("tr");
    row.append(make("td", "n", weight(chosen.kind.unit)(weights.get(group))), share(weights.get(group), whole));
    const cell = make("td", "name");
    const button = make("button", "link", texts[group]);
    button.group = group;
    button.setAttribute("aria-pressed", String(chosen[field] === group));
    button.addEventListener("click", () => { chosen[field] = chosen[field] === group ? null : group; showSamples(); });
    cell.append(button);
    row.append(cell);
    return row;
  }));
  if (groups.length > shownGroups.length) {
    const row = make("tr");
    const cell = make("td", "dim", `and ${groups.length - shownGroups.length} more`);
    cell.colSpan = 3;
    row.append(cell);
    body.append(row);
  }
  if (focused !== null) [...body.querySelectorAll("button")].find((button) => button.group === focused)?.focus();
};
const showGroups = () => {
  const { kind } = chosen;
  $("threads").hidden = kind.threads.length < 2;
  $("objects").hidden = kind.objects === "" || kind.details.every((text) => text === "(unknown)");
  $("holders").hidden = kind.holders.every((text) => text === "(unknown)");
  $("groups").hidden = $("threads").hidden && $("objects").hidden;
  $("objects-title").textContent = kind.objects.charAt(0).toUpperCase() + kind.objects.slice(1);
  groupTable($("thread-body"), "thread", kind.threads);
  groupTable($("object-body"), "detail", kind.details);
  groupTable($("holder-body"), "holder", kind.holders);
};
const showHeat = () => {
  const { kind } = chosen;
  $("heat").replaceChildren();
  if (!kind.columnNanos) return;
  const heat = [];
  forEvents(kind, (event) => heat.push({ column: Math.floor(event.cell / kind.cells), cell: event.cell % kind.cells, weight: event.weight }));
  const grid = heatGrid(heat, kind.cells);
  if (grid.length < 2) return;
  kind.map = new HeatMap($("heat"), grid, {
    title: (column, sum) => `from ${time(column * kind.columnNanos)} to ${time((column + 1) * kind.columnNanos)}: ${inKind(sum)}`,
    onrange: (from, to) => { chosen.columns = from === null ? null : [from, to]; showSamples(); },
  });
};
const inKind = (n) => weight(chosen.kind.unit)(n) + (chosen.kind.unit === "samples" ? " samples" : "");
const showKind = (kind) => {
  Object.assign(chosen, { kind, columns: null, thread: null, detail: null, holder: null });
  for (const button of $("kinds").children) button.setAttribute("aria-pressed", String(button.kind === kind));
  $("kind-note").textContent = kind.note;
  showHeat();
  showSamples();
};
const showChosen = () => {
  const { kind, columns, thread, detail, holder } = chosen;
  const parts = [];
  if (columns) parts.push(`from ${time(columns[0] * kind.columnNanos)} to ${time(columns[1] * kind.columnNanos)}`);
  if (thread !== null) parts.push("of the thread " + kind.threads[thread]);
  if (detail !== null) parts.push("of " + kind.details[detail]);
  if (holder !== null) parts.push("held by " + kind.holders[holder]);
  $("chosen").replaceChildren(parts.length ? `Samples ${parts.join(", ")} alone. ` : kind.map && kind.columnNanos ? "Drag over the map to see a range of time alone." : "");
  if (!parts.length) return;
  const all = make("button", "", "All samples");
  all.addEventListener("click", () => { for (const field of GROUPINGS) chosen[field] = null; if (chosen.columns) kind.map.clear(); else showSamples(); });
  $("chosen").append(all);
};
const showSamples = () => {
  const { kind } = chosen;
  const root = eventTree(kind, names, { title: `all ${kind.unit}`, folded: !chosen.launchers, keep: (event) => isChosen(event) });
  showGroups();
  showChosen();
  const flame = graph($("sample-flame"), $("sample-crumbs"), root, (e, node, whole) => {
    showTip(e.clientX, e.clientY, node.name, [
      ["total", inKind(node.total) + "  (" + percent(node.total, whole) + ")"],
      ["self", inKind(node.self) + "  (" + percent(node.self, whole) + ")"],
    ]);
  }, inKind);
  if (sampled) pictures.splice(pictures.indexOf(sampled), 1);
  sampled = flame;
  pictures.push(flame);
  if (onlySamples) {
    shown = root;
    inUnit = weight(kind.unit);
    showTables();
  }
  tellFound();
};
$("launchers").addEventListener("change", () => { chosen.launchers = $("launchers").checked; showSamples(); });
for (const kind of data.samples) {
  const button = make("button", "", kind.title);
  button.kind = kind;
  button.addEventListener("click", () => showKind(kind));
  $("kinds").append(button);
}

const rings = (root, format) => {
  const picture = new Rings($("rings-canvas"), $("rings-list"), root, { ...shared, format,
    tell: (node, event) => {
      if (!node) hideTip();
      else showTip(event.clientX, event.clientY, node.name, node.calls === undefined
          ? [["total", format(node.total) + "  (" + percent(node.total, root.total) + ")"]] : callRows(node, root.total));
    } });
  $("rings-fold").addEventListener("toggle", () => picture.layout());
  pictures.push(picture);
};
if (exact.children.length) rings(exact, time);
else if (data.samples.length) {
  $("rings-note").textContent = "The first kind of samples from the inside out: a ring is a level. Click to zoom, click the middle to go back.";
  rings(eventTree(data.samples[0], names, { title: "all", folded: true }), weight(data.samples[0].unit));
} else $("rings").hidden = true;
if (onlySamples) {
  $("exact").hidden = true;
  for (const id of ["tree", "methods"]) $(id).classList.add("sampled");
} else if (!exact.children.length) for (const id of ["tree", "methods"]) $(id).hidden = true;
if (!data.samples.length) $("samples").hidden = true;

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

// The call tree

const body = $("tree-body");
const calls = new CallTree(body, shown, { figures: (row, node) => figures(row, node, shown.total), name: (cell, node) => nameCell(cell, node.name) });
const tree = (expand) => calls.show(expand);
$("hot").addEventListener("click", () => tree(true));
$("shut").addEventListener("click", () => tree(false));
const direction = (up) => {
  $("down").setAttribute("aria-pressed", String(!up));
  $("up").setAttribute("aria-pressed", String(up));
  $("hot").disabled = up;
  $("tree-note").textContent = up
      ? "Each method's own " + (onlySamples ? "weight" : "time") + ", and below it the callers by way of which it was spent."
      : "What is a method's own adds up to the total.";
  $("tree-total").textContent = up ? "Self" : "Total";
  $("tree-total").closest("table").classList.toggle("up", up);
  calls.turn(up);
};
$("down").addEventListener("click", () => direction(false));
$("up").addEventListener("click", () => direction(true));

// The methods

/** Self and total weights over all stacks; of a method inside itself, the total counts the outermost. */
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

const showTables = () => {
  if (onlySamples) methods = sampledMethods();
  calls.showTree(shown);
  methodTable();
};
const tellFound = () => {
  const first = pictures.filter((picture) => picture instanceof Flame).map((flame) => percent(flame.matched(), 1) + (flame.root === exact ? " of the calls' time" : " of the samples"));
  $("found").textContent = wanted === "" ? "" : "At or below a match: " + first.join(", ");
};
const search = $("search");
search.addEventListener("input", () => {
  wanted = search.value.trim();
  pattern = searchPattern(wanted);
  pictures.forEach((picture) => picture.draw());
  tellFound();
  methodTable();
  for (const row of body.children) {
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
  pending = requestAnimationFrame(() => pictures.forEach((picture) => picture.layout()));
});
dark.addEventListener("change", () => { legend(); pictures.forEach((picture) => picture.draw()); tree(true); methodTable(); });
legend();
if (data.samples.length) showKind(data.samples[0]);
if (!onlySamples) showTables();
