// A plan as a tree, with times and rows if it was run.

import { h } from "./dom.js";
import { bytes, count, many, percent, time, rowCount } from "./format.js";

const MISJUDGED = 10;

/** Operators in the order of the plan's text, each with its depth and the number of the one above. */
export function operators(plan) {
  const all = [];
  const walk = (node, depth, above, limited) => {
    const at = all.length;
    all.push({ node, depth, above, at, limited });
    for (const input of node.inputs ?? []) walk(input, depth + 1, at, limited || node.operator.startsWith("Limit ("));
  };
  for (const root of plan.plan ?? []) walk(root, 0, -1, false);
  return all;
}

/** Whether ten times more rows came than the planner expected, or ten times fewer though no LIMIT ended them. */
export function isMisjudged({ node, limited }) {
  if (node.rows === undefined || node.rows_estimated === undefined) return false;
  const off = Math.max(node.rows / Math.max(1, node.loops ?? 1), 1) / Math.max(node.rows_estimated, 1);
  return off >= MISJUDGED || (!limited && off <= 1 / MISJUDGED);
}

/**
 * Draws a plan. Arrow keys move between operators; Enter or a press picks one.
 *
 * @param {any} plan
 * @param {(at: number) => void} [onpick] called with the number of the operator, or -1 for none
 */
export function planTree(plan, onpick) {
  const all = operators(plan);
  const whole = plan.operators_ms ?? 0;
  const items = all.map((operator) => item(operator, whole));
  const rows = items.map((one) => one.row);
  let picked = -1;
  const lists = new Map();

  function pick(at) {
    picked = picked === at ? -1 : at;
    items.forEach((one, i) => {
      one.row.classList.toggle("picked", i === picked);
      one.element.setAttribute("aria-selected", String(i === picked));
    });
    onpick?.(picked);
  }

  function focus(at) {
    const next = Math.min(items.length - 1, Math.max(0, at));
    items.forEach((one, i) => (one.element.tabIndex = i === next ? 0 : -1));
    items[next].element.focus();
  }

  const root = h("ul", { role: "tree", "aria-label": "Plan" });
  items.forEach((one, at) => {
    const { above } = all[at];
    let list = above < 0 ? root : lists.get(above);
    if (!list) {
      list = h("ul", { role: "group" });
      lists.set(above, list);
      items[above].element.appendChild(list);
    }
    list.appendChild(one.element);
    one.element.tabIndex = at === 0 ? 0 : -1;
    one.row.addEventListener("click", () => { focus(at); if (onpick) pick(at); });
    one.element.addEventListener("keydown", (event) => {
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowLeft: above, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key];
      if (to !== undefined) focus(to);
      else if ((event.key === "Enter" || event.key === " ") && onpick) pick(at);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  });
  return {
    element: h("div.plan", {}, root),
    all,
    /** Says beside each operator which share of something falls on it; null takes that away. */
    mark(shares) {
      items.forEach((one, i) => {
        const share = shares?.get(i) ?? 0;
        one.badge.textContent = share > 0 ? percent(share) : "";
        one.row.classList.toggle("marked", share > 0);
      });
    },
    scrollTo: (at) => rows[at]?.scrollIntoView({ block: "nearest" }),
  };
}

function item(operator, whole) {
  const { node, at } = operator;
  const badge = h("span.badge");
  const row = h("div.node", {}, h("div.name", {}, node.operator, " ", badge), h("div.facts", {}, facts(operator, whole)),
    whole > 0 && node.self_ms !== undefined ? h("div.share", { title: `own time ${percent(node.self_ms / whole)} of all` }, h("div", { style: { width: `${Math.min(100, (100 * node.self_ms) / whole)}%` } })) : null);
  return { row, badge, element: h("li", { role: "treeitem", "data-at": at, "aria-expanded": node.inputs?.length ? "true" : null }, row) };
}

function facts(operator, whole) {
  const { node } = operator;
  const all = [];
  if (node.rows !== undefined) {
    const wrong = isMisjudged(operator);
    all.push(h("span", { class: wrong ? "mark" : "", title: wrong ? "The planner expected a tenth of these rows, or ten times as many." : null },
      `${rowCount(node.rows)}${node.rows_estimated === undefined ? "" : ` of ~${count(node.rows_estimated)}`}${wrong ? " (misjudged)" : ""}`));
  } else if (node.rows_estimated !== undefined) all.push(h("span", {}, `~${rowCount(node.rows_estimated)}`));
  if (node.self_ms !== undefined) all.push(h("span", {}, `own ${time(node.self_ms)}${whole ? ` (${percent(node.self_ms / whole)})` : ""}`), h("span", {}, `with inputs ${time(node.total_ms)}`));
  if (node.loops > 1) all.push(h("span", {}, `${count(node.loops)} loops`));
  if (node.pages) all.push(h("span", {}, `${many(node.pages, "page")} read`));
  if (node.memory_bytes) all.push(h("span", {}, `${bytes(node.memory_bytes)} held`));
  if (node.put_aside_bytes) all.push(h("span.mark", {}, `${bytes(node.put_aside_bytes)} spilled to files`));
  return all;
}

/** The sentence above a plan that was run. */
export function totals(plan) {
  return plan.total_ms === undefined ? null : h("p", {},
    h("strong", {}, time(plan.total_ms)), ` for ${rowCount(plan.rows)} = operators ${time(plan.operators_ms)} + statement ${time(plan.statement_ms)} + commit ${time(plan.commit_ms)}; measuring took about ${time(plan.measuring_ms)} of it`);
}
