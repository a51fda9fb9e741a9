// The page of a comparison: ratios with their intervals, and a differential flame graph of each measure. The page holds each tree as JSON, of nodes
// {n: name, a: cost of A, b: cost of B, v: verdict, r: ratio or null, t: what to say, c: children}.

import { isDark, isLauncherFrame, searchPattern } from "./frames.js";
import { Flame } from "./flame.js";
import { drawRatio, drawTicks, LogAxis, ratioOf } from "./axes.js";

const WIDTHS = { both: (raw) => Math.max(raw.a, raw.b), a: (raw) => raw.a, b: (raw) => raw.b };
const WORSE = ["slower", "new"];
const BETTER = ["faster", "gone"];

/** Red costs more, blue less, the stronger the further from 1; grey does not stand out. */
function verdictColour(node) {
  const dark = isDark();
  const worse = WORSE.includes(node.raw.v);
  if (!worse && !BETTER.includes(node.raw.v)) return dark ? "hsl(215 8% 31%)" : "hsl(215 10% 86%)";
  const { r } = node.raw;
  const far = r === null || r === 0 ? 1 : Math.min(1, Math.abs(Math.log2(r)));
  return `hsl(${worse ? 8 : 210} ${worse ? 75 : 70}% ${dark ? 34 + 12 * far : 84 - 24 * far}%)`;
}

/** Nodes, with what they start in place of launcher frames that do not stand out. */
function withoutLaunchers(raws) {
  return raws.flatMap((raw) => (isLauncherFrame(raw.n) && !standsOut(raw) && raw.c.length ? withoutLaunchers(raw.c) : [raw]));
}

function standsOut(raw) {
  return WORSE.includes(raw.v) || BETTER.includes(raw.v);
}

/** A tree as flame graphs take it. Children may be wider together than the greater cost of their parent. */
function tree(raw, by, parent = null) {
  const node = { name: raw.n || "operation", raw, parent, top: parent === null, depth: parent ? parent.depth + 1 : 0, total: WIDTHS[by](raw), self: 0, children: [] };
  node.children = (parent || launchers.checked ? raw.c : withoutLaunchers(raw.c)).map((child) => tree(child, by, node)).filter((child) => child.total > 0).sort((a, b) => b.total - a.total);
  node.total = Math.max(node.total, node.children.reduce((sum, child) => sum + child.total, 0));
  return node;
}

const flames = [];
const search = /** @type {HTMLInputElement} */ (document.getElementById("search"));
const launchers = /** @type {HTMLInputElement} */ (document.getElementById("launchers"));
let pattern = null;

for (const section of document.querySelectorAll("section.difference")) {
  const raw = JSON.parse(section.querySelector("script").textContent);
  const detail = section.querySelector(".detail");
  const buttons = [...section.querySelectorAll("[data-by]")];
  let by = "both";
  const show = () => flame.show(tree(raw, by));
  const flame = new Flame(section.querySelector(".flame"), tree(raw, "both"), {
    colour: verdictColour,
    hit: (name) => Boolean(pattern && pattern.test(name)),
    searching: () => pattern !== null,
    tell: (node) => { detail.textContent = node ? `${node.name}: ${node.raw.t}` : "\u00a0"; },
  });
  for (const button of buttons) {
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      by = button.dataset.by;
      show();
    });
  }
  launchers.addEventListener("change", show);
  flames.push(flame);
}

/** The ratios of a table on one axis. */
for (const table of document.querySelectorAll("table.compared")) {
  const tracks = /** @type {HTMLElement[]} */ ([...table.querySelectorAll(".t")]);
  const axis = LogAxis.ofRatios(tracks.map((track) => Number(track.dataset.value)));
  for (const track of tracks) {
    track.parentElement.className = "ratio";
    drawTicks(track, axis, [1]);
    drawRatio(track, axis, ratioOf(/** @type {any} */ (track.dataset)), track.dataset.kind);
  }
}

search.addEventListener("input", () => {
  pattern = search.value.trim() ? searchPattern(search.value.trim()) : null;
  flames.forEach((flame) => flame.draw());
});
let pending = 0;
addEventListener("resize", () => {
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(() => flames.forEach((flame) => flame.layout()));
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => flames.forEach((flame) => flame.draw()));
