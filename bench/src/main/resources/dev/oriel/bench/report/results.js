// The page of benchmarks: ratios at a glance, percentiles of durations, growth with the number of records. Chips choose
// which cases are shown, by verdict.

import { drawDot, drawRatio, drawSpan, drawTickNames, drawTicks, LogAxis, ratioOf } from "./axes.js";

/** Ticks that fit on a phone. */
const TICKS_MAX = 6;

const all = (selector, within = document) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
const digits = (value) => String(Number(value.toPrecision(3)));
const unitNames = ["ns", "us", "ms", "s"];

function timeName(nanos) {
  const unit = Math.max(0, Math.min(unitNames.length - 1, Math.floor(Math.log10(nanos * 1.0005) / 3)));
  return `${digits(nanos / 1000 ** unit)} ${unitNames[unit]}`;
}

/** How many times better Oriel is: an axis for each workload. */
function drawGlance() {
  for (const head of all(".glance > [data-group]")) {
    const rows = all(`[data-in="${CSS.escape(head.dataset.group)}"] .t`);
    const axis = LogAxis.ofRatios(rows.map((track) => Number(track.dataset.value)));
    const ticks = axis.ticks(TICKS_MAX);
    drawTickNames(head.querySelector(".t"), axis, ticks, (tick) => `${digits(tick)}\u00d7`);
    for (const track of rows) {
      drawTicks(track, axis, ticks);
      drawRatio(track, axis, ratioOf(/** @type {any} */ (track.dataset)), `v-${/** @type {HTMLElement} */ (track.closest("[data-is]")).dataset.is}`);
    }
  }
}

/** Percentiles of each subject of a case on one axis of time. */
function drawLatency(table) {
  const rows = all("td.track", table).map((cell) => ({ track: cell.querySelector(".t"), points: JSON.parse(cell.querySelector("script").textContent) }));
  const times = rows.flatMap(({ points }) => points.map(([, nanos]) => nanos));
  const axis = LogAxis.around(Math.min(...times), Math.max(...times));
  drawTickNames(table.querySelector(".axis .t"), axis, axis.powers(), timeName);
  for (const { track, points } of rows) {
    drawTicks(track, axis, axis.powers());
    const own = points.map(([, nanos]) => nanos);
    drawSpan(track, axis, Math.min(...own), Math.max(...own));
    for (const [metric, nanos, tip] of points) drawDot(track, axis, nanos, { p50: "p0", max: "pm" }[metric] ?? "", tip);
  }
}

const [left, right, top, bottom, gap] = [52, 312, 10, 214, 12.5];

function shape(name, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, typeof value === "number" ? value.toFixed(1) : value);
  element.textContent = text;
  return element;
}

/** The heights of names at the ends of lines, moved apart if they would overlap. */
function apart(ends) {
  let floor = top;
  const places = ends.map((end) => {
    const place = Math.max(floor, end);
    floor = place + gap;
    return place;
  });
  let ceiling = bottom + 4;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i], ceiling);
    ceiling = places[i] - gap;
  }
  return places;
}

/** Time of an operation by the number of records. */
function drawGrowth(figure) {
  const { counts, lines } = JSON.parse(figure.querySelector("script").textContent);
  const costs = lines.flatMap((line) => line.points.map(([, nanos]) => nanos));
  const x = new LogAxis(counts[0][0], counts.at(-1)[0]);
  const y = LogAxis.around(Math.min(...costs), Math.max(...costs));
  const across = (count) => left + x.at(count) * (right - left);
  const down = (nanos) => bottom - y.at(nanos) * (bottom - top);
  const svg = shape("svg", { viewBox: "0 0 400 240", role: "img", "aria-label": figure.querySelector("figcaption").textContent });
  for (const tick of y.ticks(TICKS_MAX)) {
    svg.append(shape("line", { class: "grid", x1: left, y1: down(tick), x2: right, y2: down(tick) }), shape("text", { x: left - 6, y: down(tick) + 3.5, "text-anchor": "end" }, timeName(tick)));
  }
  for (const [count, name] of counts) {
    svg.append(shape("line", { class: "grid", x1: across(count), y1: top, x2: across(count), y2: bottom }), shape("text", { x: across(count), y: bottom + 16, "text-anchor": "middle" }, name));
  }
  const colour = (line) => (line.ours ? "var(--accent)" : `var(--s${line.colour})`);
  for (const line of lines) {
    svg.append(shape("path", { class: line.ours ? "line ours" : "line", d: line.points.map(([count, nanos], i) => `${i ? "L" : "M"}${across(count).toFixed(1)},${down(nanos).toFixed(1)}`).join(""), stroke: colour(line) }));
    for (const [count, nanos, tip] of line.points) {
      const dot = shape("circle", { cx: across(count), cy: down(nanos), r: line.ours ? 4 : 2.6, fill: colour(line) });
      dot.append(shape("title", {}, tip));
      svg.append(dot);
    }
  }
  const ends = lines.map((line) => ({ line, x: across(line.points.at(-1)[0]) + 5, y: down(line.points.at(-1)[1]) })).sort((a, b) => a.y - b.y);
  apart(ends.map((end) => end.y)).forEach((place, i) => {
    const { line, x: from, y: end } = ends[i];
    svg.append(shape("path", { class: "lead", d: `M${from.toFixed(1)},${end.toFixed(1)}L${right + 13},${place.toFixed(1)}`, stroke: colour(line) }));
    svg.append(shape("text", { class: line.ours ? "end ours" : "end", x: right + 16, y: place + 3.5, style: `fill: ${colour(line)}` }, line.name));
  });
  figure.append(svg);
}

function listen() {
  const chips = all("button[data-verdict]");
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      const on = chip.getAttribute("aria-pressed") !== "true";
      for (const other of chips) other.setAttribute("aria-pressed", String(on && other === chip));
      for (const part of all("[data-is]")) part.hidden = on && part.dataset.is !== chip.dataset.verdict;
      for (const group of all("[data-group]")) group.hidden = all(`[data-in="${CSS.escape(group.dataset.group)}"]`).every((part) => part.hidden);
    });
  }
  // A row of the glance leads to a case that the chips may hide.
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) target.hidden = false;
  });
}

drawGlance();
all(".latency table").forEach(drawLatency);
all("figure.growth").forEach(drawGrowth);
listen();
