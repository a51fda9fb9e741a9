// What SQL and Gremlin answer: tables, charts, files to save, drawings.

import { h, fill, problem, say } from "./dom.js";
import { likelyEnds, neighbourQuery, pairsAsGraph } from "./pairs.js";
import { csv, isCut, json } from "./downloads.js";
import { post, stream } from "./api.js";
import { count, many, rowCount, time } from "./format.js";
import { grid } from "./grid.js";
import { chart } from "./chart.js";
import { graphView } from "./graph.js";
import { parameterValues } from "./history.js";
import { save } from "./export.js";

/** Edges that a picture holds well. */
const DRAWN_MAX = 1_000;

/**
 * Runs SQL and shows what comes of it below each other. Tells whether something may have changed.
 *
 * @param {{drawing: any}} shared the last drawing, to which another result can be added
 */
export async function runSql(sql, from, parameters, shared, id, results, input) {
  let shown = null;
  let waiting = [];
  let drawing = 0;
  let changed = false;
  const draw = () => {
    drawing = 0;
    if (shown && waiting.length) shown.grid.add(waiting.splice(0));
  };
  const values = parameterValues(parameters);
  await stream("query", { sql, id, parameters: values }, (line) => {
    if (line.columns) {
      draw();
      shown = table(line.columns, sql.slice(line.from, line.to), line.parameters, shared);
      results.appendChild(shown.element);
    } else if (line.row) {
      waiting.push(line.row);
      if (!drawing) drawing = setTimeout(draw, 50);
    } else if (line.end) {
      draw();
      shown.end(line.end);
    } else if (line.updated) {
      changed = true;
      results.appendChild(h("div.result", {}, h("div.bar", {}, `${rowCount(line.updated.rows)} changed`, h("span.dim", {}, time(line.updated.ms)))));
    } else if (line.error) {
      draw();
      results.appendChild(h("div.result", {}, problem(line.error)));
      if (line.error.position !== undefined) input.mark(from + line.error.position, line.error.message);
    }
  });
  draw();
  return changed;
}

function table(columns, sql, parameters, shared) {
  const shown = grid({ columns });
  const facts = h("span.dim", {}, "\u2026");
  const place = h("div", {}, shown.element);
  shown.element.style.height = "80px";
  const views = h("span");
  const element = h("div.result", {}, h("div.bar", {}, facts, views), place);
  return {
    element,
    grid: shown,
    end(end) {
      shown.element.style.height = `${Math.min(460, 62 + 24 * shown.rows.length)}px`;
      facts.textContent = `${rowCount(end.rows)}${end.more ? " (the limit; there are more)" : ""} in ${time(end.ms)}`;
      fill(views,
        h("button.plain", { type: "button", onclick: () => fill(place, shown.element) }, "Table"),
        h("button.plain", { type: "button", onclick: () => fill(place, chart(columns, shown.rows)) }, "Chart"),
        columns.length > 1 && shown.rows.length ? h("button.plain", { type: "button", onclick: () => fill(place, pairDrawing(columns, shown.rows, { sql, parameters }, shared)) }, "Graph") : null,
        h("button.plain", { type: "button", onclick: () => download("result.csv", "text/csv", csv, columns, shown.rows, sql, parameters) }, "CSV"),
        h("button.plain", { type: "button", onclick: () => download("result.json", "application/json", json, columns, shown.rows, sql, parameters) }, "JSON"));
    },
  };
}

/** All rows of a query, and what failed. */
async function rowsOf(body) {
  const all = [];
  /** @type {any} */
  let failed = null;
  await stream("query", body, (line) => {
    if (line.row) all.push(line.row);
    failed ??= line.error;
  });
  return { all, failed };
}

/** Rows as a graph, with the columns that are its ends. A press on a vertex asks the same query for its other rows. */
function pairDrawing(columns, rows, asked, shared) {
  const [from, to] = likelyEnds(columns);
  const place = h("div");
  const add = h("span");
  const choose = (name, chosen, none) => h("select", { "aria-label": name, onchange: () => draw() }, none ? h("option", { value: -1 }, "no label") : null, columns.map((c, i) => h("option", { value: i, selected: i === chosen }, c.name)));
  const ends = [choose("From", from, false), choose("To", to, false), choose("Label", -1, true)];
  function draw() {
    const [a, b, label] = ends.map((one) => Number(one.value));
    const graph = (some) => pairsAsGraph(columns, some, a, b, label);
    const neighbours = async (id) => {
      const { all, failed } = await rowsOf({ sql: neighbourQuery(asked.sql, columns, a, b), parameters: [...(asked.parameters ?? []), id, id], whole: true });
      if (failed) throw new Error(`Its neighbours cannot be asked for: ${failed.message}`);
      return graph(all);
    };
    const elements = graph(rows.slice(0, DRAWN_MAX));
    const earlier = shared.drawing;
    shared.drawing = graphView(elements, neighbours, null);
    fill(place, shared.drawing.element);
    fill(add, earlier?.element.isConnected ? h("button.plain", { type: "button", onclick: async () => {
      await earlier.add(elements);
      shared.drawing = earlier;
      earlier.element.scrollIntoView({ block: "nearest" });
    } }, "Add to the drawing before") : null);
  }
  draw();
  return h("div", {}, h("div.bar", {}, "from ", ends[0], " to ", ends[1], " ", ends[2], add, rows.length > DRAWN_MAX ? h("span.dim", {}, `the first ${count(DRAWN_MAX)} rows`) : null), place);
}

/** Saves a result as a file. If values were cut, the statement is run once more, in a read-only transaction. */
async function download(name, type, written, columns, rows, sql, parameters) {
  let all = rows;
  if (rows.some((row) => row.some(isCut))) {
    const { all: again, failed } = await rowsOf({ sql, parameters, whole: true });
    if (failed) {
      say(`Long values are cut in this file: the statement could not be run again (${failed.message})`);
    } else all = again;
  }
  save(name, type, written(columns, all));
}

/**
 * Runs Gremlin. Vertices and edges are added to the drawing that there is, if it is still shown.
 *
 * @param {{graph: string, drawing: any}} shared
 */
export async function runGremlin(gremlin, from, shared, id, results, input, create = false) {
  let answer;
  try {
    answer = await post("gremlin", { gremlin, graph: shared.graph, id, create });
  } catch (error) {
    if (error.position !== undefined) input.mark(from + error.position, error.message);
    if (create || !/^There is no graph/.test(error.message)) throw error;
    const make = h("button.changes", { type: "button", onclick: () => {
      fill(results);
      runGremlin(gremlin, from, shared, crypto.randomUUID(), results, input, true).catch((e) => results.appendChild(h("div.result", {}, problem(e))));
    } }, "Create the graph and run it");
    results.appendChild(h("div.result", {}, problem(error), make));
    return;
  }
  const elements = answer.results.flatMap((r) => (r?.kind === "path" ? r.steps : [r])).filter((r) => r?.kind === "vertex" || r?.kind === "edge");
  const facts = h("div.bar", {}, h("span.dim", {}, `${many(answer.results.length, "result")}${answer.more ? " (the limit; there are more)" : ""} in ${time(answer.ms)}`));
  results.appendChild(h("div.result", {}, facts));
  if (elements.length && shared.drawing?.element.isConnected) {
    await shared.drawing.add(elements);
    facts.appendChild(h("span", {}, "added to the drawing "));
    facts.appendChild(h("button.plain", { type: "button", onclick: () => shared.drawing.element.scrollIntoView({ block: "nearest" }) }, "Show it"));
  } else if (elements.length) {
    shared.drawing = drawing(elements, shared.graph);
    results.appendChild(h("div.result", {}, shared.drawing.element));
  }
  results.appendChild(h("div.result", {}, h("div.panel", {}, h("pre", {}, answer.results.slice(0, 500).map((r) => JSON.stringify(r)).join("\n") || "No results."))));
}

function drawing(elements, graph) {
  const traverse = async (text) => (await post("gremlin", { gremlin: text, graph })).results;
  const ids = (all) => all.map((id) => `'${id.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`).join(", ");
  return graphView(elements, (id) => traverse(`g.V(${ids([id])}).bothE().limit(100)`), (all) => traverse(`g.V(${ids(all)})`));
}
