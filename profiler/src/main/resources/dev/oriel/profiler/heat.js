// A heat map of events over time: columns of time from left to right, a column's time from top to bottom. A press
// shows a column's time alone. Dragging, or arrow keys with Shift, take several columns; Escape takes none.

const CELL = 9;

/**
 * Sums of weights by column and cell.
 *
 * @param {{column: number, cell: number, weight: number}[]} heat
 * @param {number} cells of a column
 * @returns {number[][]}
 */
export function heatGrid(heat, cells) {
  const columns = heat.reduce((most, { column }) => Math.max(most, column), -1) + 1;
  const grid = Array.from({ length: columns }, () => new Array(cells).fill(0));
  for (const { column, cell, weight } of heat) grid[column][Math.min(cells - 1, cell)] += weight;
  return grid;
}

export class HeatMap {
  /**
   * @param {HTMLElement} box what the map is put into
   * @param {number[][]} grid as `heatGrid` makes it
   * @param {object} options
   * @param {(column: number, sum: number) => string} options.title says what a column is
   * @param {(from: number | null, to: number | null) => void} options.onrange gets the first column and the one after the last; nulls for all
   */
  constructor(box, grid, options) {
    this.options = options;
    const most = grid.reduce((max, column) => Math.max(max, ...column), 1);
    this.columns = grid.map((column, i) => this.button(column, i, most));
    this.dragging = false;
    this.anchor = null;
    this.range = null;
    const map = document.createElement("div");
    map.className = "heat";
    map.setAttribute("role", "group");
    map.setAttribute("aria-label", "Samples over time. Arrow keys move, with Shift they take several columns, Escape shows all.");
    map.style.height = `${(grid[0]?.length ?? 1) * CELL}px`;
    map.append(...this.columns);
    map.addEventListener("pointerdown", (event) => this.begin(event, map));
    map.addEventListener("pointermove", (event) => { if (this.dragging) this.mark(this.anchor, this.at(event)); });
    map.addEventListener("pointerup", (event) => { if (this.dragging) this.end(() => this.take(this.anchor, this.at(event))); });
    map.addEventListener("pointercancel", () => { if (this.dragging) this.end(() => this.mark(...(this.range ? [this.range[0], this.range[1] - 1] : [-1, -1]))); });
    box.replaceChildren(map);
  }

  button(column, i, most) {
    const button = document.createElement("button");
    const sum = column.reduce((a, b) => a + b, 0);
    const title = this.options.title(i, sum);
    button.type = "button";
    button.className = "heat-column";
    button.tabIndex = i === 0 ? 0 : -1;
    button.title = title;
    button.setAttribute("aria-label", title);
    button.setAttribute("aria-pressed", "false");
    for (const weight of column) {
      const cell = document.createElement("i");
      cell.style.opacity = String(weight ? 0.15 + (0.85 * weight) / most : 0);
      button.append(cell);
    }
    button.addEventListener("click", (event) => { if (event.detail === 0) this.take(i, i); }); // by a key
    button.addEventListener("keydown", (event) => this.key(event, i));
    return button;
  }

  begin(event, map) {
    if (event.button !== 0 || !this.columns.length) return;
    map.setPointerCapture(event.pointerId);
    this.dragging = true;
    this.anchor = event.shiftKey && this.range ? this.range[0] : this.at(event);
    this.columns[this.anchor].focus();
    event.preventDefault();
  }

  end(then) {
    this.dragging = false;
    then();
  }

  /** The column under the pointer, or the last one. */
  at(event) {
    const column = this.columns.findIndex((button) => event.clientX < button.getBoundingClientRect().right);
    return column < 0 ? this.columns.length - 1 : column;
  }

  key(event, i) {
    const last = this.columns.length - 1;
    const to = { ArrowRight: Math.min(last, i + 1), ArrowLeft: Math.max(0, i - 1), Home: 0, End: last }[event.key];
    if (event.key === "Escape") this.clear();
    else if (to === undefined) return;
    else {
      if (event.shiftKey) this.take((this.range && this.anchor) ?? i, to);
      this.columns.forEach((button, k) => (button.tabIndex = k === to ? 0 : -1));
      this.columns[to].focus();
    }
    event.preventDefault();
  }

  take(anchor, to) {
    this.mark(anchor, to);
    this.anchor = anchor;
    this.range = [Math.min(anchor, to), Math.max(anchor, to) + 1];
    this.options.onrange(this.range[0], this.range[1]);
  }

  mark(a, b) {
    this.columns.forEach((button, i) => button.setAttribute("aria-pressed", String(i >= Math.min(a, b) && i <= Math.max(a, b))));
  }

  /** Takes no column. */
  clear() {
    this.mark(-1, -1);
    this.anchor = this.range = null;
    this.options.onrange(null, null);
  }
}
