// A heat map of samples over time: a column is a second, a cell is a part of it. A press on a column shows its second
// alone; arrow keys move between columns.

import { h, fill } from "./dom.js";
import { count } from "./format.js";

const PARTS = 20;
const CELL = 9;

/** Sums of samples by second and part. */
export function heatGrid(heat) {
  const seconds = Math.max(0, ...heat.map((cell) => cell.second)) + 1;
  const grid = Array.from({ length: seconds }, () => new Array(PARTS).fill(0));
  for (const { second, part, samples } of heat) grid[second][Math.min(PARTS - 1, part)] += Number(samples);
  return grid;
}

/**
 * @param {{second: number, part: number, samples: number}[]} heat
 * @param {(from: number | null, to: number | null) => void} onrange called with milliseconds
 */
export function heatMap(heat, onrange) {
  const grid = heatGrid(heat);
  const most = Math.max(1, ...grid.flat());
  const buttons = [];

  function focus(at) {
    const next = Math.min(grid.length - 1, Math.max(0, at));
    buttons.forEach((button, i) => (button.tabIndex = i === next ? 0 : -1));
    buttons[next].focus();
  }

  grid.forEach((column, second) => {
    const sum = column.reduce((a, b) => a + b, 0);
    buttons.push(h("button.heat-column", {
      type: "button", tabindex: second === 0 ? 0 : -1, "aria-label": `Second ${second}: ${count(sum)} samples`, title: `second ${second}: ${count(sum)} samples`,
      onclick: () => {
        buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === second)));
        onrange(1000 * second, 1000 * (second + 1));
      },
      onkeydown: (event) => {
        const to = { ArrowRight: second + 1, ArrowLeft: second - 1, Home: 0, End: grid.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        focus(to);
      },
    }, column.map((n) => h("i", { style: { opacity: String(n ? 0.15 + (0.85 * n) / most : 0) } }))));
  });
  const scale = h("p.dim", {}, `Processor samples, ${grid.length} s from left to right, a second from top to bottom; a press shows that second alone.`);
  return fill(h("div", {}), h("div.heat", { role: "group", "aria-label": "Samples over time", style: { height: `${PARTS * CELL}px` } }, buttons), scale);
}
