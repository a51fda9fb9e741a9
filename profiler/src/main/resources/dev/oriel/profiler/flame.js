// A flame graph on a canvas, its root on top. A press zooms; arrow keys move between frames, Enter zooms, Escape
// shows all again.

import { pageStyle, split } from "./frames.js";

const ROW = 21;

export class Flame {
  /**
   * @param {HTMLElement} box what the canvas is put into
   * @param {import("./frames.js").Frame} root
   * @param {object} options
   * @param {(node: any, strong?: boolean) => string} options.colour
   * @param {(name: string) => boolean} [options.hit] whether a name is searched for
   * @param {() => boolean} [options.searching] whether anything is searched for
   * @param {(node: any, event: any) => void} options.tell says what a frame is; without one, that none is pointed at
   * @param {(node: any) => void} [options.onzoom]
   */
  constructor(box, root, options) {
    this.box = box;
    this.options = options;
    this.cells = [];
    this.over = null;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "flame graph");
    this.canvas.setAttribute("aria-label", "Flame graph. Arrow keys move between frames, Enter zooms, Escape shows all. The tables below hold the same figures.");
    box.replaceChildren(this.canvas);
    this.canvas.addEventListener("mousemove", (event) => this.move(event));
    this.canvas.addEventListener("mouseleave", () => { this.over = null; options.tell(null, null); this.draw(); });
    this.canvas.addEventListener("click", (event) => this.zoom(this.at(event)?.node ?? this.root));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("focus", () => this.draw());
    this.canvas.addEventListener("blur", () => this.draw());
    this.show(root);
  }

  show(root) {
    this.root = root;
    this.zoom(root);
  }

  zoom(node) {
    this.focus = node;
    this.chosen = node;
    this.options.onzoom?.(node);
    this.layout();
  }

  /** The frames from the root to the one that is shown whole. */
  path() {
    const path = [];
    for (let at = this.focus; at; at = at.parent) path.unshift(at);
    return path;
  }

  layout() {
    const width = this.box.clientWidth;
    if (width === 0) return;
    this.width = width;
    this.cells = [];
    for (let at = this.focus.parent; at; at = at.parent) {
      this.cells.push({ node: at, x: 0, y: at.depth * ROW, w: width, faded: true });
    }
    let deepest = this.focus.depth;
    const open = [[this.focus, 0, width]];
    while (open.length) {
      const [node, x, w] = open.pop();
      this.cells.push({ node, x, y: node.depth * ROW, w, faded: false });
      deepest = Math.max(deepest, node.depth);
      let left = x;
      for (const child of node.children) {
        const part = node.total > 0 ? (w * child.total) / node.total : 0;
        if (part < 0.5) break; // they come from the heaviest on
        open.push([child, left, part]);
        left += part;
      }
    }
    this.height = (deepest + 1) * ROW;
    this.ratio = Math.min(devicePixelRatio || 1, 16000 / this.height);
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.canvas.style.height = `${this.height}px`;
    this.draw();
  }

  draw() {
    if (!this.width) return;
    const { colour, hit } = this.options;
    const searching = this.options.searching?.() ?? false;
    const g = this.canvas.getContext("2d");
    const [ink, mark, chip] = ["--ink", "--mark", "--chip"].map(pageStyle);
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    g.font = `12px ${pageStyle("--mono")}`;
    g.textBaseline = "middle";
    const letter = g.measureText("m").width;
    const focused = document.activeElement === this.canvas ? this.chosen : null;
    for (const { node, x, y, w, faded } of this.cells) {
      const found = searching && !node.top && hit(node.name);
      g.globalAlpha = faded ? 0.5 : searching && !found && !node.top ? 0.38 : 1;
      g.fillStyle = node.top ? chip : colour(node);
      const gap = w > 3 ? 1 : 0;
      g.beginPath();
      if (w > 6) g.roundRect(x, y, w - gap, ROW - 1, 2.5);
      else g.rect(x, y, Math.max(w - gap, 0.4), ROW - 1);
      g.fill();
      if (found || this.over === node || focused === node) {
        g.globalAlpha = 1;
        g.strokeStyle = found ? mark : ink;
        g.lineWidth = found ? 1.2 : focused === node ? 2.4 : 1.6;
        g.stroke();
      }
      const letters = Math.floor((w - 10) / letter);
      if (letters >= 3) {
        g.fillStyle = ink;
        g.fillText(label(node, letters), x + 5, y + ROW / 2);
      }
    }
    g.globalAlpha = 1;
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    return this.cells.find((c) => x >= c.x && x < c.x + c.w && y >= c.y && y < c.y + ROW - 1);
  }

  move(event) {
    const node = this.at(event)?.node ?? null;
    if (node !== this.over) {
      this.over = node;
      this.draw();
    }
    this.options.tell(node, event);
  }

  key(event) {
    const beside = this.chosen.parent ? this.chosen.parent.children : [this.chosen];
    const place = beside.indexOf(this.chosen);
    const to = { ArrowDown: this.chosen.children[0], ArrowUp: this.chosen.parent, ArrowRight: beside[place + 1], ArrowLeft: beside[place - 1] }[event.key];
    if (event.key === "Enter" || event.key === " ") this.zoom(this.chosen);
    else if (event.key === "Escape") this.zoom(this.root);
    else if (event.key.startsWith("Arrow")) this.choose(to);
    else return;
    event.preventDefault();
  }

  /** Moves to a frame, and shows it whole if it is too small or above the one that is. */
  choose(to) {
    if (to) {
      this.chosen = to;
      if (!this.cells.some((cell) => cell.node === to && !cell.faded)) {
        this.focus = to;
        this.layout();
      }
    }
    this.options.tell(this.chosen, null);
    this.draw();
  }

  /** The share of the whole that is at or below a frame that is searched for. */
  matched() {
    const { hit } = this.options;
    const known = new Map();
    const isHit = (name) => {
      if (!known.has(name)) known.set(name, hit(name));
      return known.get(name);
    };
    let sum = 0;
    const open = [this.root];
    while (open.length) {
      const node = open.pop();
      if (!node.top && isHit(node.name)) sum += node.total;
      else for (const child of node.children) open.push(child);
    }
    return this.root.total > 0 ? sum / this.root.total : 0;
  }
}

/** As much of a frame's name as fits. */
function label(node, letters) {
  const rest = node.top ? node.name : split(node.name).rest;
  const method = rest.slice(rest.lastIndexOf(".") + 1);
  return [node.name, rest, method].find((text) => text.length <= letters) || `${method.slice(0, letters - 1)}\u2026`;
}
