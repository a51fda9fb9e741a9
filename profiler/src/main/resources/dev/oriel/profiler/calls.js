// A tree of calls as rows of a table, downwards (callees) or upwards (callers). Rows are made when they are opened.

import { isLine } from "./frames.js";

const HOT = 0.1;

/** Roots that are shown: the others are less than a thousandth each. */
const ROWS_MAX = 200;

/** Callers of methods, with the self time that was spent by way of each. */
function callers(items, parent) {
  const groups = new Map();
  for (const item of items) {
    if (!item.at || item.at.top) continue;
    let group = groups.get(item.at.name);
    if (!group) {
      group = { name: item.at.name, calls: 0, total: 0, self: 0, min: Infinity, max: 0, items: [], children: [], parent };
      groups.set(item.at.name, group);
    }
    group.calls += item.node.calls || 0;
    group.total += item.node.self;
    if (item.node.max > 0) {
      group.min = Math.min(group.min, item.node.min);
      group.max = Math.max(group.max, item.node.max);
    }
    group.items.push({ node: item.node, at: item.at.parent });
    if (!item.at.parent || item.at.parent.top) group.self += item.node.self;
  }
  for (const group of groups.values()) if (group.min === Infinity) group.min = 0;
  return [...groups.values()].sort((a, b) => b.total - a.total);
}

export class CallTree {
  /**
   * @param {HTMLElement} body of a table
   * @param {import("./frames.js").Frame} root
   * @param {object} options
   * @param {(row: HTMLElement, node: any) => void} options.figures adds the cells before the name
   * @param {(cell: HTMLElement, node: any) => void} options.name fills the cell of the name
   */
  constructor(body, root, options) {
    this.body = body;
    this.root = root;
    this.options = options;
    this.upwards = false;
  }

  /** Shows the roots; `expand` opens what most of the time is spent in. */
  show(expand) {
    let roots = this.root.children;
    if (this.upwards) {
      const items = [];
      const open = [this.root];
      while (open.length) {
        const node = open.pop();
        if (!node.top && node.self > 0) items.push({ node, at: isLine(node) ? node.parent : node });
        for (const child of node.children) open.push(child);
      }
      roots = callers(items, null);
    }
    this.body.replaceChildren(...roots.slice(0, ROWS_MAX).map((node) => this.row(node, 0)));
    if (expand && !this.upwards) {
      for (const row of [...this.body.children]) if (/** @type {any} */ (row).node.total >= HOT * this.root.total) this.open(row, true);
    }
  }

  /** Shows another tree in the same direction. */
  showTree(root) {
    this.root = root;
    this.show(true);
  }

  turn(upwards) {
    this.upwards = upwards;
    this.show(true);
  }

  children(node) {
    return this.upwards ? callers(node.items, node) : node.children;
  }

  isOpenable(node) {
    return node.children.length > 0 || Boolean(node.items && node.items.some((item) => item.at && !item.at.top));
  }

  row(node, level) {
    const row = /** @type {any} */ (document.createElement("tr"));
    row.node = node;
    row.level = level;
    this.options.figures(row, node);
    const name = document.createElement("td");
    name.className = "name";
    name.style.paddingLeft = `${6 + Math.min(level, 40) * 15}px`;
    if (this.isOpenable(node)) {
      row.twist = document.createElement("button");
      row.twist.type = "button";
      row.twist.className = "twist";
      row.twist.textContent = "\u25b8";
      row.twist.setAttribute("aria-expanded", "false");
      row.twist.setAttribute("aria-label", `Open or close ${node.name}`);
      row.twist.addEventListener("click", () => (row.open ? this.shut(row) : this.open(row, false)));
      name.append(row.twist);
    } else {
      const room = document.createElement("span");
      room.className = "twist";
      name.append(room);
    }
    this.options.name(name, node);
    name.addEventListener("dblclick", () => row.twist && (row.open ? this.shut(row) : this.open(row, true)));
    row.append(name);
    return row;
  }

  open(row, recursive) {
    if (row.open) return;
    row.open = true;
    if (row.twist) {
      row.twist.textContent = "\u25be";
      row.twist.setAttribute("aria-expanded", "true");
    }
    const children = this.children(row.node);
    let after = row;
    for (const child of children) {
      const next = this.row(child, row.level + 1);
      after.after(next);
      after = next;
      if (recursive && child === children[0] && child.total >= HOT * this.root.total) {
        this.open(next, true);
        after = last(next);
      }
    }
  }

  shut(row) {
    row.open = false;
    row.twist.textContent = "\u25b8";
    row.twist.setAttribute("aria-expanded", "false");
    while (row.nextElementSibling && row.nextElementSibling.level > row.level) row.nextElementSibling.remove();
  }
}

/** The last row below a row. */
function last(row) {
  let at = row;
  while (at.nextElementSibling && at.nextElementSibling.level > row.level) at = at.nextElementSibling;
  return at;
}
