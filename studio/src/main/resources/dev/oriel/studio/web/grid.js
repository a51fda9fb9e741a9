// A table of any number of rows, of which only those in sight are elements.

import { h, fill } from "./dom.js";
import { cellText, isNumber } from "./format.js";

const ROW = 24;
const SPARE = 12;

/** Browsers draw elements up to some 17 million pixels; a longer table scrolls by more than it is moved. */
const HEIGHT_MAX = 8_000_000;

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
  const widths = columns.map((c) => Math.min(34, Math.max(c.name.length + 3, c.type.length - 2, 7)));
  const head = h("div.head", { role: "row" });
  const body = h("div.rows", { role: "rowgroup" });
  const element = h("div.grid", { role: "grid", tabindex: 0, "aria-label": "Rows" }, head, body);

  function template() {
    return widths.map((w) => `${w * 8.2 + 22}px`).join(" ");
  }

  function drawHead() {
    head.style.gridTemplateColumns = template();
    fill(head, columns.map((column) => {
      const order = options.order?.column === column.name ? options.order : null;
      const arrow = order ? (order.descending ? " \u2193" : " \u2191") : "";
      const text = [column.name + arrow, h("small", {}, column.type)];
      return h("div", {
        role: "columnheader", title: `${column.name} ${column.type}`,
        "aria-sort": order ? (order.descending ? "descending" : "ascending") : null,
      }, options.onhead ? h("button", { type: "button", onclick: () => options.onhead(column.name) }, text) : text);
    }));
  }

  function cell(value, column) {
    const kind = value === null ? "null" : isNumber(column.type) ? "number" : "";
    return h("div.cell", { class: kind, role: "gridcell", title: cellText(value) }, cellText(value).replaceAll("\n", "\u21b5"));
  }

  function drawRow(index) {
    return h("div.row", {
      class: index === picked ? "selected" : "", role: "row", "aria-rowindex": index + 2,
      "aria-selected": index === picked ? "true" : null,
      style: { top: `${index * ROW + shift}px`, gridTemplateColumns: template() },
      onclick: () => pick(index),
    }, rows[index].map((value, i) => cell(value, columns[i])));
  }

  function draw(force = false) {
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
    let changed = false;
    for (let i = from; i < Math.min(rows.length, from + 50); i++) {
      rows[i].forEach((value, c) => {
        const wanted = Math.min(42, cellText(value).length + 2);
        if (wanted > widths[c]) {
          widths[c] = wanted;
          changed = true;
        }
      });
    }
    if (changed) drawHead();
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
    /** Draws a row again whose values have changed. */
    refresh: () => draw(true),
  };
}
