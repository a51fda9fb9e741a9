// A table of any number of rows, of which only those in sight are elements.

import { h, fill, refill } from "./dom.js";
import { cellText, isNumber } from "./format.js";

const ROW = 24;
const SPARE = 12;

/** Browsers draw elements up to some 17 million pixels; a longer table scrolls by more than it is moved. */
const HEIGHT_MAX = 8_000_000;

/** Columns of a table from which on only those in sight are elements. */
const WIDE = 60;

/** Columns beyond the edges that are drawn too, so that scrolling by one draws nothing. */
const SPARE_COLUMNS = 6;

/**
 * Where the rows of a table are, if its height is bounded.
 *
 * @param {number} count rows
 * @param {number} view height in sight
 * @param {number} scrolled pixels
 */
export function placement(count, view, scrolled) {
  const whole = count * ROW;
  const height = Math.min(whole, HEIGHT_MAX);
  const room = Math.max(1, height - view);
  const top = whole > HEIGHT_MAX ? (Math.min(scrolled, room) / room) * (whole - view) : scrolled;
  return { height, top, shift: scrolled - top };
}

/**
 * The columns in sight, and the pixels before the first and behind the last of them.
 *
 * @param {number[]} pixels width of each column
 * @param {number} view width in sight
 * @param {number} scrolled pixels
 */
export function columnsInSight(pixels, view, scrolled) {
  if (pixels.length <= WIDE) return { from: 0, to: pixels.length, before: 0, behind: 0 };
  let first = 0;
  let edge = 0;
  while (first < pixels.length - 1 && edge + pixels[first] <= scrolled) edge += pixels[first++];
  let last = first;
  while (last < pixels.length && edge < scrolled + view) edge += pixels[last++];
  // Whole steps, so that a scroll by a few pixels changes nothing.
  const from = Math.max(0, Math.floor(first / SPARE_COLUMNS - 1) * SPARE_COLUMNS);
  const to = Math.min(pixels.length, Math.ceil(last / SPARE_COLUMNS + 1) * SPARE_COLUMNS);
  const sum = (some) => some.reduce((all, one) => all + one, 0);
  return { from, to, before: sum(pixels.slice(0, from)), behind: sum(pixels.slice(to)) };
}

/** How far to scroll so that the row at `top` pixels of the whole is the first in sight. */
export function scrollFor(count, view, top) {
  const whole = count * ROW;
  return whole > HEIGHT_MAX ? (top / Math.max(1, whole - view)) * (HEIGHT_MAX - view) : top;
}

/**
 * @param {object} options
 * @param {{name: string, type: string}[]} options.columns
 * @param {() => void} [options.onend] called when the last rows come into sight
 * @param {(row: any[], index: number) => void} [options.onpick] called with a row that was picked
 * @param {(column: string) => void} [options.onhead] called with the head that was pressed
 * @param {{column: string, descending: boolean}} [options.order]
 */
export function grid(options) {
  const { columns } = options;
  const rows = [];
  let picked = -1;
  let shownFrom = -1;
  let shownTo = -1;
  let shift = 0;
  let sight = { from: 0, to: columns.length, before: 0, behind: 0 };
  let template = "";
  const widths = columns.map((c) => Math.min(34, Math.max(c.name.length + 3, c.type.length - 2, 7)));
  const head = h("div.head", { role: "row" });
  const body = h("div.rows", { role: "rowgroup" });
  const element = h("div.grid", { role: "grid", tabindex: 0, "aria-label": "Rows" }, head, body);

  /** Whether other columns have come into sight. */
  function look() {
    const pixels = widths.map((w) => w * 8.2 + 22);
    const now = columnsInSight(pixels, element.clientWidth || 1200, element.scrollLeft);
    const next = [now.before, ...pixels.slice(now.from, now.to), now.behind].map((w) => `${w}px`).join(" ");
    const changed = next !== template;
    sight = now;
    template = next;
    return changed;
  }

  /** Cells between two that stand for the columns out of sight. */
  function spaced(cells) {
    return [h("span"), cells, h("span")];
  }

  function drawHead() {
    head.style.gridTemplateColumns = template;
    refill(head, spaced(columns.slice(sight.from, sight.to).map((column, i) => {
      const order = options.order?.column === column.name ? options.order : null;
      const arrow = order ? (order.descending ? " \u2193" : " \u2191") : "";
      const text = [column.name + arrow, h("small", {}, column.type)];
      return h("div", {
        role: "columnheader", "aria-colindex": sight.from + i + 1, title: `${column.name} ${column.type}`,
        "aria-sort": order ? (order.descending ? "descending" : "ascending") : null,
      }, options.onhead ? h("button", { type: "button", "data-key": String(sight.from + i), onclick: () => options.onhead(column.name) }, text) : text);
    })));
  }

  function cell(value, at) {
    const column = columns[at];
    const kind = value === null ? "null" : isNumber(column.type) ? "number" : "";
    return h("div.cell", { class: kind, role: "gridcell", "aria-colindex": at + 1, title: cellText(value) }, cellText(value).replaceAll("\n", "\u21b5"));
  }

  function drawRow(index) {
    return h("div.row", {
      class: index === picked ? "selected" : "", role: "row", "aria-rowindex": index + 2,
      "aria-selected": index === picked ? "true" : null,
      style: { top: `${index * ROW + shift}px`, gridTemplateColumns: template },
      onclick: () => pick(index),
    }, spaced(rows[index].slice(sight.from, sight.to).map((value, i) => cell(value, sight.from + i))));
  }

  function draw(force = false) {
    if (look()) {
      drawHead();
      force = true;
    }
    const view = element.clientHeight;
    const place = placement(rows.length, view, element.scrollTop);
    const from = Math.max(0, Math.floor(place.top / ROW) - SPARE);
    const to = Math.min(rows.length, Math.ceil((place.top + view) / ROW) + SPARE);
    if (force || from !== shownFrom || to !== shownTo || place.shift !== shift) {
      shift = place.shift;
      shownFrom = from;
      shownTo = to;
      const elements = [];
      for (let i = from; i < to; i++) elements.push(drawRow(i));
      fill(body, elements);
    }
    if (to >= rows.length - SPARE) options.onend?.();
  }

  function pick(index) {
    picked = index;
    draw(true);
    options.onpick?.(rows[index], index);
  }

  function widen(from) {
    for (let i = from; i < Math.min(rows.length, from + 50); i++) {
      rows[i].forEach((value, c) => {
        const wanted = Math.min(42, cellText(value).length + 2);
        if (wanted > widths[c]) widths[c] = wanted;
      });
    }
  }

  element.addEventListener("scroll", () => draw());
  element.addEventListener("keydown", (event) => {
    const to = { ArrowDown: picked + 1, ArrowUp: picked - 1, PageDown: picked + 20, PageUp: picked - 20, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || !rows.length || event.target !== element) return;
    event.preventDefault();
    const view = element.clientHeight;
    picked = Math.min(rows.length - 1, Math.max(0, to));
    const { top } = placement(rows.length, view, element.scrollTop);
    const wanted = picked * ROW;
    if (wanted < top) element.scrollTop = scrollFor(rows.length, view, wanted);
    else if (wanted + 3 * ROW > top + view) element.scrollTop = scrollFor(rows.length, view, wanted + 3 * ROW - view);
    pick(picked);
  });
  new ResizeObserver(() => draw(true)).observe(element);
  element.setAttribute("aria-colcount", String(columns.length));
  look();
  drawHead();

  return {
    element,
    rows,
    /** Adds rows behind the last one. */
    add(more) {
      const from = rows.length;
      for (const row of more) rows.push(row);
      widen(from);
      body.style.height = `${placement(rows.length, element.clientHeight, 0).height}px`;
      element.setAttribute("aria-rowcount", String(rows.length + 1));
      draw(true);
    },
    pick,
    /** Draws a row again whose values have changed. */
    refresh: () => draw(true),
  };
}
