// Rings: the levels of a tree below the one that is shown, from the inside out. A ring is a level, a gap is self time.

import { pageStyle, split } from "./frames.js";

const RINGS = 8;

export class Rings {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} list what holds the parts of the frame in the middle, as a list
   * @param {import("./frames.js").Frame} root
   * @param {object} options
   * @param {(node: any, strong?: boolean) => string} options.colour
   * @param {(n: number) => string} options.format
   * @param {(name: string) => boolean} [options.hit]
   * @param {() => boolean} [options.searching]
   * @param {(node: any, event: any) => void} options.tell
   */
  constructor(canvas, list, root, options) {
    this.canvas = canvas;
    this.list = list;
    this.root = root;
    this.options = options;
    this.arcs = [];
    this.levels = 1;
    this.over = null;
    canvas.addEventListener("mousemove", (event) => this.move(event));
    canvas.addEventListener("mouseleave", () => { this.over = null; options.tell(null, null); this.draw(); });
    canvas.addEventListener("click", (event) => this.press(event));
    canvas.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.zoom(this.root);
      else if (event.key === "Enter" && this.focus.children.length) this.zoom(this.focus.children[0]);
      else if (event.key === "Backspace") this.zoom(this.focus.parent ?? this.root);
    });
    this.zoom(root);
  }

  zoom(node) {
    this.focus = node;
    this.arcs = [];
    this.levels = 1;
    const place = (at, level, from, width) => {
      this.arcs.push({ node: at, level, from, to: from + width });
      this.levels = Math.max(this.levels, level);
      if (level === RINGS) return;
      let left = from;
      for (const child of at.children) {
        const part = at.total > 0 ? (width * child.total) / at.total : 0;
        if (part > 0.004) place(child, level + 1, left, part);
        left += part;
      }
    };
    place(node, 0, 0, 2 * Math.PI);
    this.drawList();
    this.draw();
  }

  drawList() {
    const { colour, format } = this.options;
    const share = (part) => `${(this.root.total > 0 ? (100 * part) / this.root.total : 0).toFixed(1)}\u202f%`;
    const item = (name, title, dot, total, onclick) => {
      const all = document.createElement("li");
      const first = document.createElement(onclick ? "button" : "span");
      if (dot) {
        const mark = document.createElement("i");
        mark.style.background = dot;
        first.append(mark);
      }
      first.append(name);
      first.title = title;
      const value = document.createElement("span");
      value.textContent = format(total);
      const part = document.createElement("span");
      part.className = "dim";
      part.textContent = share(total);
      all.append(first, value, part);
      if (onclick) first.addEventListener("click", onclick);
      return all;
    };
    const shown = this.focus.children.slice(0, 12).map((child) => item(split(child.name).rest, child.name, colour(child, true), child.total, () => this.zoom(child)));
    if (!this.focus.top) shown.unshift(item("\u2190 back", "", null, this.focus.total, () => this.zoom(this.focus.parent ?? this.root)));
    const self = this.focus.top ? 0 : this.focus.self;
    if (self > 0) shown.push(item("self", "", null, self, null));
    this.list.replaceChildren(...shown);
  }

  radius(level, size) {
    return (size / 2) * (level === 0 ? 0 : 0.22 + (0.78 * (level - 1)) / Math.max(3, this.levels));
  }

  layout() {
    this.draw();
  }

  draw() {
    const size = this.canvas.clientWidth;
    if (size === 0) return;
    const { colour, format, hit } = this.options;
    const searching = this.options.searching?.() ?? false;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = this.canvas.height = Math.round(size * ratio);
    const g = this.canvas.getContext("2d");
    const [ink, mark, card, soft, sans, mono] = ["--ink", "--mark", "--card", "--soft", "--sans", "--mono"].map(pageStyle);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.translate(size / 2, size / 2);
    g.rotate(-Math.PI / 2);
    for (const arc of this.arcs) {
      if (arc.level === 0) continue;
      const found = searching && hit(arc.node.name);
      g.beginPath();
      g.arc(0, 0, this.radius(arc.level + 1, size) - 1, arc.from, arc.to);
      g.arc(0, 0, this.radius(arc.level, size), arc.to, arc.from, true);
      g.closePath();
      g.globalAlpha = searching && !found ? 0.35 : 1;
      g.fillStyle = colour(arc.node, arc.node === this.over);
      g.fill();
      g.globalAlpha = 1;
      g.strokeStyle = found ? mark : card;
      g.lineWidth = 1;
      g.stroke();
    }
    g.rotate(Math.PI / 2);
    const inner = this.radius(1, size);
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillStyle = ink;
    g.font = `600 15px ${sans}`;
    g.fillText(format(this.focus.total), 0, -8);
    g.font = `12px ${sans}`;
    g.fillStyle = soft;
    g.fillText(fitted(g, this.focus.top ? this.focus.name : split(this.focus.name).rest, 2 * inner - 14), 0, 12);
    // Names along wide arcs, upright where there is room.
    g.font = `11px ${mono}`;
    g.fillStyle = ink;
    for (const arc of this.arcs) {
      const middle = (arc.from + arc.to) / 2 - Math.PI / 2;
      const at = (this.radius(arc.level, size) + this.radius(arc.level + 1, size)) / 2;
      if (arc.level === 0 || (arc.to - arc.from) * at < 40) continue;
      const { rest } = split(arc.node.name);
      const room = Math.min((arc.to - arc.from) * at, this.radius(arc.level + 1, size) - this.radius(arc.level, size)) - 4;
      const text = fitted(g, rest.slice(rest.lastIndexOf(".") + 1), room);
      if (text.length > 2) g.fillText(text, Math.cos(middle) * at, Math.sin(middle) * at);
    }
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const size = box.width;
    const x = event.clientX - box.left - size / 2;
    const y = event.clientY - box.top - size / 2;
    const distance = Math.hypot(x, y);
    let angle = Math.atan2(y, x) + Math.PI / 2;
    if (angle < 0) angle += 2 * Math.PI;
    return this.arcs.find((a) => distance >= this.radius(a.level, size) && distance < this.radius(a.level + 1, size) && angle >= a.from && angle < a.to);
  }

  move(event) {
    const node = this.at(event)?.node ?? null;
    if (node !== this.over) {
      this.over = node;
      this.draw();
    }
    this.options.tell(node?.top ? null : node, event);
  }

  press(event) {
    const arc = this.at(event);
    if (arc) this.zoom(arc.level === 0 ? this.focus.parent ?? this.root : arc.node);
  }
}

function fitted(g, text, room) {
  if (g.measureText(text).width <= room) return text;
  let letters = text.length;
  while (letters > 0 && g.measureText(`${text.slice(0, letters)}\u2026`).width > room) letters--;
  return letters > 1 ? `${text.slice(0, letters)}\u2026` : "";
}
