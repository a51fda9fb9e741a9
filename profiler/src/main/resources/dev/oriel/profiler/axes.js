// Logarithmic axes, and ratios with their intervals on them: how many times as much, and how sure that is.

const POWERS = [1];

/** Steps of a power of ten that ticks may have, from the finest on. */
const SERIES = [[1, 1.1, 1.2, 1.3, 1.5, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1.2, 1.5, 2, 3, 5, 8], [1, 2, 5], [1, 3], POWERS];

/** Room beyond the outermost values: a share of the axis, and a factor at least. */
const ROOM = 0.04;
const ROOM_MIN = 1.05;

export class LogAxis {
  /**
   * @param {number} low the value at 0
   * @param {number} high the value at 1
   */
  constructor(low, high) {
    this.low = low;
    this.high = high;
  }

  /** An axis that holds the values with some room. */
  static around(low, high) {
    const room = Math.max(ROOM_MIN, (high / low) ** ROOM);
    return new LogAxis(low / room, high * room);
  }

  /** An axis that holds all ratios and the near side of 1; an interval beyond the ratios is cut off. */
  static ofRatios(ratios) {
    const sound = ratios.filter((ratio) => Number.isFinite(ratio) && ratio > 0);
    return LogAxis.around(Math.min(0.8, ...sound), Math.max(1.25, ...sound));
  }

  /** The place of a value, from 0 to 1; values outside are at the ends. */
  at(value) {
    return Math.max(0, Math.min(1, Math.log(value / this.low) / Math.log(this.high / this.low)));
  }

  /** Round values, as many as there may be; powers of ten if even these are more. */
  ticks(most) {
    return SERIES.map((steps) => this.inSteps(steps)).find((ticks, i) => ticks.length <= most || i === SERIES.length - 1);
  }

  powers() {
    return this.inSteps(POWERS);
  }

  inSteps(steps) {
    const all = [];
    for (let power = Math.floor(Math.log10(this.low)); power <= Math.floor(Math.log10(this.high)); power++) {
      for (const step of steps) all.push(power < 0 ? step / 10 ** -power : step * 10 ** power);
    }
    return all.filter((tick) => tick >= this.low && tick <= this.high);
  }
}

function put(track, name, kind, share) {
  const element = document.createElement(name);
  element.className = kind;
  element.style.left = `${(100 * share).toFixed(2)}%`;
  track.append(element);
  return element;
}

/** Lines at the ticks of an axis, the one at 1 stronger. */
export function drawTicks(track, axis, ticks) {
  for (const tick of ticks) put(track, "i", tick === 1 ? "tick one" : "tick", axis.at(tick));
}

/** The names of the ticks. */
export function drawTickNames(track, axis, ticks, name) {
  for (const tick of ticks) put(track, "b", "", axis.at(tick)).textContent = name(tick);
}

/** A line from one value to another. */
export function drawSpan(track, axis, low, high, kind = "") {
  const from = axis.at(low);
  put(track, "i", `span ${kind}`, from).style.width = `${(100 * (axis.at(high) - from)).toFixed(2)}%`;
}

/** A dot at a value. */
export function drawDot(track, axis, value, kind = "", title = "") {
  put(track, "i", `dot ${kind}`, axis.at(value)).title = title;
}

/**
 * A ratio as a dot, with its interval if it has one.
 *
 * @param {HTMLElement} track
 * @param {LogAxis} axis
 * @param {{value: number, low?: number | null, high?: number | null}} ratio
 * @param {string} kind class that gives the colour
 */
export function drawRatio(track, axis, { value, low, high }, kind) {
  if (!Number.isFinite(value) || value <= 0) return;
  if (Number.isFinite(low) && Number.isFinite(high) && low > 0) drawSpan(track, axis, low, high, kind);
  drawDot(track, axis, value, kind);
}

/** The ratio that an element's data hold as text: `value`, and `low` and `high` if it has an interval. */
export function ratioOf({ value, low, high }) {
  return { value: Number(value), low: low ? Number(low) : null, high: high ? Number(high) : null };
}
