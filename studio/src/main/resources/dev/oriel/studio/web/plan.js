// A plan as a tree, with times and rows if it was run.

import { h } from "./dom.js";
import { post } from "./api.js";
import { bytes, count, percent, time } from "./format.js";

const MISJUDGED = 10;

/** Asks for the plan of `sql` and draws it. */
export async function planTree(sql, analyze) {
  const plan = await post("explain", { sql, analyze });
  const roots = plan.plan ?? plan;
  const whole = plan.operators_ms ?? roots.reduce?.((sum, n) => sum + (n.total_ms ?? 0), 0) ?? 0;
  return h("div.panel.plan", {},
    plan.total_ms === undefined ? null : h("p", {},
      h("strong", {}, time(plan.total_ms)), ` = operators ${time(plan.operators_ms)} + statement ${time(plan.statement_ms)} + commit ${time(plan.commit_ms)}; measuring took about ${time(plan.measuring_ms)}`),
    h("ul", { role: "tree", "aria-label": "Plan" }, roots.map((node) => drawn(node, whole))));
}

function drawn(node, whole) {
  const inputs = node.inputs ?? [];
  return h("li", { role: "treeitem", "aria-expanded": inputs.length ? "true" : null },
    h("div.node", {}, h("div.name", {}, node.operator), h("div.facts", {}, facts(node, whole)),
      whole > 0 && node.self_ms !== undefined ? h("div.share", { title: `own time ${percent(node.self_ms / whole)} of all` }, h("div", { style: { width: `${Math.min(100, (100 * node.self_ms) / whole)}%` } })) : null),
    inputs.length ? h("ul", { role: "group" }, inputs.map((input) => drawn(input, whole))) : null);
}

function facts(node, whole) {
  const all = [];
  if (node.rows !== undefined) {
    const off = Math.max(node.rows, 1) / Math.max(node.rows_estimated ?? node.rows, 1);
    const wrong = off >= MISJUDGED || off <= 1 / MISJUDGED;
    all.push(h("span", { class: wrong ? "mark" : "", title: wrong ? "The planner expected ten times more or fewer rows." : null },
      `${count(node.rows)} rows${node.rows_estimated === undefined ? "" : ` of ~${count(node.rows_estimated)}`}`));
  } else if (node.rows_estimated !== undefined) all.push(h("span", {}, `~${count(node.rows_estimated)} rows`));
  if (node.self_ms !== undefined) all.push(h("span", {}, `own ${time(node.self_ms)}${whole ? ` (${percent(node.self_ms / whole)})` : ""}`), h("span", {}, `with inputs ${time(node.total_ms)}`));
  if (node.loops > 1) all.push(h("span", {}, `${count(node.loops)} loops`));
  if (node.pages) all.push(h("span", {}, `${count(node.pages)} pages`));
  if (node.memory_bytes) all.push(h("span", {}, `${bytes(node.memory_bytes)} held`));
  if (node.spilled_bytes) all.push(h("span.mark", {}, `${bytes(node.spilled_bytes)} put aside`));
  return all;
}
