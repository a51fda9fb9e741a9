// A chart of a result: the first column across, the columns of numbers upwards.

import uPlot from "uplot";
import { h } from "./dom.js";
import { cellText, isNumber } from "./format.js";
import { moment } from "./moment.js";
import { untilGone } from "./upkeep.js";

const COLOURS = ["#17655f", "#b4541a", "#5a4fa3", "#9a2a5b", "#4c6b1f", "#1f5f9a"];

/** The shortest time that a series is drawn over: one step alone has no length. */
const SERIES_SECONDS_MIN = 10;

/** Draws in `place`, in the colours of the theme. */
function plot(options, data, place) {
  const drawn = new uPlot(options, data, place);
  const again = () => drawn.redraw(false);
  addEventListener("oriel-theme", again);
  untilGone(place, () => {
    removeEventListener("oriel-theme", again);
    drawn.destroy();
  });
}

/** A number that can be drawn, or null. */
function finite(value) {
  const number = value === null ? NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** @returns an element */
export function chart(columns, rows) {
  const across = columns[0];
  const upwards = columns.map((c, i) => ({ ...c, i })).filter((c) => isNumber(c.type) && (c.i > 0 || columns.length === 1)).slice(0, COLOURS.length);
  if (!upwards.length || !rows.length) {
    return h("div.empty", {}, "A chart needs a column of numbers behind the first column.");
  }
  const dates = /^(DATE|TIMESTAMP)/.test(across.type);
  const numbers = isNumber(across.type) && columns.length > 1;
  const names = rows.map((row) => cellText(row[0]));
  const xs = rows.map((row, i) => (numbers ? finite(row[0]) : dates ? moment(row[0]) : i));
  const sorted = xs.map((_, i) => i).filter((i) => xs[i] !== null && Number.isFinite(xs[i])).sort((a, b) => xs[a] - xs[b]);
  if (!sorted.length) return h("div.empty", {}, `${across.name} has no value that can be drawn.`);
  const place = h("div", { style: { padding: "10px" } });
  const bars = !numbers && !dates;
  plot({
    width: Math.max(320, Math.min(1100, document.body.clientWidth - 80)), height: 340,
    tzDate: (seconds) => uPlot.tzDate(new Date(1000 * seconds), "Etc/UTC"),
    scales: { x: { time: dates, range: bars ? (_, least, most) => [least - 0.6, most + 0.6] : undefined }, y: { range: bars ? (_, least, most) => [Math.min(0, least), Math.max(0, most) * 1.05] : undefined } },
    axes: [
      { stroke: () => ink(), grid: { stroke: () => line() }, values: bars ? (_, at) => at.map((x) => (Number.isInteger(x) ? (names[x] ?? "").slice(0, 14) : "")) : undefined },
      { stroke: () => ink(), grid: { stroke: () => line() }, size: 70 },
    ],
    series: [
      { label: across.name, value: bars ? (_, x) => names[x] ?? "" : undefined },
      ...upwards.map((c, k) => ({ label: c.name, stroke: COLOURS[k], width: 2, fill: bars ? `${COLOURS[k]}66` : undefined, paths: bars ? uPlot.paths.bars({ size: [0.7, 60] }) : undefined })),
    ],
  }, [sorted.map((i) => xs[i]), ...upwards.map((c) => sorted.map((i) => finite(rows[i][c.i])))], place);
  return place;
}

function ink() {
  return getComputedStyle(document.body).color;
}

function line() {
  return getComputedStyle(document.documentElement).getPropertyValue("--line");
}

/** A line over time with axes; points are [seconds, value or null]. */
export function series(label, points) {
  const place = h("div.series");
  plot({
    width: Math.max(280, Math.min(900, document.body.clientWidth - 90)), height: 130, legend: { show: false }, cursor: { show: false },
    scales: {
      x: { range: () => [Math.min(points[0]?.[0] ?? 0, (points.at(-1)?.[0] ?? 0) - SERIES_SECONDS_MIN), points.at(-1)?.[0] ?? 0] },
      y: { range: (_, least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [{ stroke: () => ink(), grid: { stroke: () => line() } }, { stroke: () => ink(), grid: { stroke: () => line() }, size: 64 }],
    series: [{}, { label, stroke: COLOURS[0], width: 2, spanGaps: true }],
  }, [points.map((p) => p[0]), points.map((p) => p[1])], place);
  return h("figure", { role: "img", "aria-label": `${label} over time` }, h("figcaption.dim", {}, label), place);
}

/** A small line without axes; `values` from old to new. */
export function sparkline(values, label) {
  const width = 160;
  const height = 30;
  const most = Math.max(1e-9, ...values);
  const points = values.map((v, i) => `${((i * width) / Math.max(1, values.length - 1)).toFixed(1)},${(height - 1 - (v / most) * (height - 3)).toFixed(1)}`).join(" ");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", "100%");
  svg.setAttribute("height", String(height));
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  shape.setAttribute("points", points);
  shape.setAttribute("fill", "none");
  shape.setAttribute("stroke", "var(--accent)");
  shape.setAttribute("stroke-width", "1.5");
  svg.appendChild(shape);
  return svg;
}
