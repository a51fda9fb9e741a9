// SQL and Gremlin, typed in; results as tables, charts, plans and graphs.

import { h, fill, problem, say } from "./dom.js";
import { get, post, stream } from "./api.js";
import { count, time, cellText } from "./format.js";
import { editor } from "./editor.js";
import { grid } from "./grid.js";
import { catalog } from "./tree.js";
import { planTree } from "./plan.js";
import { parameterValues, past, remember, take } from "./history.js";
import { save } from "./export.js";
import { chart } from "./chart.js";
import { graphView } from "./graph.js";

let current = null;

/** Shows the view at `#/ask[/sql|gremlin[/GRAPH]]`. */
export async function ask(view, [language = "sql", graph = ""]) {
  view.className = "";
  current?.close();
  const gremlin = language === "gremlin";
  const results = h("div", { "aria-live": "polite" });
  const place = h("div.editor");
  const running = { id: null };
  const first = past().find((entry) => entry.language === language)?.text;
  const input = await editor(first ?? (gremlin ? "g.V().limit(25)" : "SELECT 1"), gremlin, () => run());
  current = input;
  place.appendChild(input.element);
  const runButton = h("button.primary", { type: "button", onclick: () => run(), title: "Ctrl-Enter" }, "Run");
  const cancel = h("button", { type: "button", disabled: true, onclick: () => post("cancel", { id: running.id }) }, "Cancel");
  const parameters = h("input", { placeholder: 'parameters, such as 1, "x"', "aria-label": "Parameters", size: 22 });
  const history = h("select", { "aria-label": "History", onchange: () => { input.set(history.value); history.selectedIndex = 0; input.focus(); } });
  drawHistory();

  function drawHistory() {
    fill(history, h("option", { value: "" }, "History"), past().filter((e) => e.language === language).map((e) => h("option", { value: e.text }, e.text.replace(/\s+/g, " ").slice(0, 80))));
  }

  async function run() {
    if (running.id) return;
    const { text, from } = input.chosen();
    running.id = crypto.randomUUID();
    runButton.disabled = true;
    cancel.disabled = false;
    input.mark();
    remember(language, text);
    drawHistory();
    fill(results);
    try {
      if (gremlin) await runGremlin(text, graph, running.id, results);
      else await runSql(text, from, parameters.value, running.id, results, input);
    } catch (error) {
      results.appendChild(h("div.result", {}, problem(error)));
    } finally {
      running.id = null;
      runButton.disabled = false;
      cancel.disabled = true;
      catalog(true);
    }
  }

  async function plan() {
    fill(results, h("p.dim", {}, "Planning \u2026"));
    try {
      const answer = await post("explain", { sql: input.chosen().text.replace(/;\s*$/, ""), parameters: parameterValues(parameters.value) });
      fill(results, h("div.panel", {}, planTree(answer).element));
    } catch (error) {
      fill(results, problem(error));
    }
  }

  fill(view, h("div.scroll", {},
    h("div.bar", { style: { padding: "0 0 10px", border: "0" } },
      h("nav", { "aria-label": "Language" }, h("a", { href: "#/ask/sql", "aria-current": gremlin ? null : "page" }, "SQL"),
        h("a", { href: "#/ask/gremlin", "aria-current": gremlin ? "page" : null }, gremlin && graph ? `Gremlin: ${graph}` : "Gremlin")),
      runButton, cancel,
      gremlin ? null : [h("button", { type: "button", onclick: () => plan() }, "Plan"),
        h("button", { type: "button", title: "Runs the statement, rolls it back and shows where its time went", onclick: () => take("why/run", input.chosen().text) }, "Why"), parameters],
      history),
    place, results));
  input.focus();
}

async function runSql(sql, from, parameters, id, results, input) {
  let shown = null;
  let waiting = [];
  let drawing = 0;
  const draw = () => {
    drawing = 0;
    if (shown && waiting.length) shown.grid.add(waiting.splice(0));
  };
  await stream("query", { sql, id, parameters: parameterValues(parameters) }, (line) => {
    if (line.columns) {
      draw();
      shown = table(line.columns);
      results.appendChild(shown.element);
    } else if (line.row) {
      waiting.push(line.row);
      if (!drawing) drawing = setTimeout(draw, 50);
    } else if (line.end) {
      draw();
      shown.end(line.end);
    } else if (line.updated) {
      results.appendChild(h("div.result", {}, h("div.bar", {}, `${count(line.updated.rows)} rows changed`, h("span.dim", {}, time(line.updated.ms)))));
    } else if (line.error) {
      draw();
      results.appendChild(h("div.result", {}, problem(line.error)));
      if (line.error.position !== undefined) input.mark(from + line.error.position, line.error.message);
    }
  });
  draw();
}

function table(columns) {
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
      facts.textContent = `${count(end.rows)} rows${end.more ? " (the limit; there are more)" : ""} in ${time(end.ms)}`;
      fill(views,
        h("button.plain", { type: "button", onclick: () => fill(place, shown.element) }, "Table"),
        h("button.plain", { type: "button", onclick: () => fill(place, chart(columns, shown.rows)) }, "Chart"),
        h("button.plain", { type: "button", onclick: () => save("result.csv", "text/csv", csv(columns, shown.rows)) }, "CSV"),
        h("button.plain", { type: "button", onclick: () => save("result.json", "application/json", json(columns, shown.rows)) }, "JSON"));
    },
  };
}

function csv(columns, rows) {
  const field = (value) => {
    if (value === null) return "";
    const text = cellText(value);
    return /[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map((c) => field(c.name)), ...rows.map((row) => row.map(field))].map((fields) => fields.join(",")).join("\r\n") + "\r\n";
}

function json(columns, rows) {
  return JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((c, i) => [c.name, row[i]]))), null, 1);
}

async function runGremlin(gremlin, graph, id, results, create = false) {
  let answer;
  try {
    answer = await post("gremlin", { gremlin, graph, id, create });
  } catch (error) {
    if (create || !/^There is no graph/.test(error.message)) throw error;
    const make = h("button", { type: "button", onclick: () => {
      fill(results);
      runGremlin(gremlin, graph, crypto.randomUUID(), results, true).catch((e) => results.appendChild(h("div.result", {}, problem(e))));
    } }, "Create the graph and run it");
    results.appendChild(h("div.result", {}, problem(error), make));
    return;
  }
  const elements = answer.results.flatMap((r) => (r?.kind === "path" ? r.steps : [r])).filter((r) => r?.kind === "vertex" || r?.kind === "edge");
  const facts = h("div.bar", {}, h("span.dim", {}, `${count(answer.results.length)} results${answer.more ? " (the limit; there are more)" : ""} in ${time(answer.ms)}`));
  results.appendChild(h("div.result", {}, facts));
  if (elements.length) {
    const traverse = async (text) => (await post("gremlin", { gremlin: text, graph })).results;
    const ids = (all) => all.map((id) => `'${id.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`).join(", ");
    results.appendChild(h("div.result", {}, graphView(elements, (id) => traverse(`g.V(${ids([id])}).bothE().limit(100)`), (all) => traverse(`g.V(${ids(all)})`))));
  }
  results.appendChild(h("div.result", {}, h("div.panel", {}, h("pre", {}, answer.results.slice(0, 500).map((r) => JSON.stringify(r)).join("\n") || "No results."))));
}
