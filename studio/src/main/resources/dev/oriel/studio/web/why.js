// Why a statement takes its time: its plan with times, the methods of exactly that execution, and advice
// that can be measured.

import { h, fill, problem, say } from "./dom.js";
import { post, stream } from "./api.js";
import { count, many, percent, time } from "./format.js";
import { editor } from "./editor.js";
import { flames } from "./flames.js";
import { parameterValues, past, remember } from "./history.js";
import { planTree, totals } from "./plan.js";
import { exportPage } from "./export.js";

const FEW_SAMPLES = 50;
const MORE_RUNS = 20;
let current = null;

/** Shows the view at `#/why[/run]`. */
export async function why(view, [action]) {
  view.className = "";
  current?.close();
  const results = h("div", { "aria-live": "polite" });
  const running = { id: null };
  const first = past().find((entry) => entry.language === "sql")?.text ?? "SELECT 1";
  const input = await editor(first, false, () => explain());
  if (!view.isConnected) return input.close(); // the view was left while the editor was loaded: it runs nothing
  current = input;
  const parameters = h("input", { placeholder: 'parameters, such as 1, "x"', "aria-label": "Parameters", size: 22 });
  const run = h("button.primary", { type: "button", title: "Ctrl-Enter. The statement is run and rolled back.", onclick: () => explain() }, "Run and explain");
  const plan = h("button", { type: "button", title: "The plan alone; nothing is run.", onclick: () => planned() }, "Plan only");
  const cancel = h("button", { type: "button", disabled: true, onclick: () => post("cancel", { id: running.id }) }, "Cancel");
  const samples = h("input", { type: "checkbox", id: "why-samples", checked: true });

  function question(more = {}) {
    return { sql: input.chosen().text.replace(/;\s*$/, ""), parameters: parameterValues(parameters.value), id: running.id, ...more };
  }

  async function busy(body) {
    if (running.id) return;
    running.id = crypto.randomUUID();
    run.disabled = plan.disabled = true;
    cancel.disabled = false;
    input.mark();
    try {
      await body();
    } catch (error) {
      fill(results, problem(error));
    } finally {
      running.id = null;
      run.disabled = plan.disabled = false;
      cancel.disabled = true;
    }
  }

  const planned = () => busy(async () => {
    const answer = await post("explain", question());
    fill(results, h("div.panel", {}, planTree(answer).element));
  });

  const explain = () => busy(async () => {
    fill(results, h("p.dim", {}, "Running it \u2026"));
    const asked = question({ analyze: true, profile: samples.checked });
    remember("sql", asked.sql);
    const answer = await post("explain", asked);
    fill(results, explanation(answer, asked));
  });

  fill(view, h("div.scroll", {},
    h("div.bar.flat", {}, run, plan, cancel, parameters, h("span", {}, samples, h("label", { for: "why-samples" }, " sample methods")),
      h("button.plain", { type: "button", onclick: () => exportPage(results, `Why: ${input.chosen().text.slice(0, 60)}`) }, "Export")),
    h("div.editor", {}, input.element), results));
  // The address is not that of a run: going back to it, or loading it again, would run the statement once more.
  if (action === "run") {
    history.replaceState(null, "", "#/why");
    explain();
  } else input.focus();
  return () => input.close();
}

/** Plan, advice and methods of one execution, linked to each other. */
function explanation(answer, asked) {
  const stacks = trimmed(answer.stacks ?? []);
  const note = h("p.dim", { role: "status" });
  const methods = h("div");
  const tree = planTree(answer, (at) => show(at));
  const graph = answer.stacks ? flames(stacks, "samples", { onpick: (name) => found(name) }) : null;

  function within(at) {
    if (at < 0) return stacks;
    const inside = new Set([at]);
    for (const operator of tree.all) if (inside.has(operator.above)) inside.add(operator.at);
    return stacks.filter((s) => inside.has(s.operator));
  }

  let shownAt = -1;
  function show(at) {
    shownAt = at;
    const shown = within(at);
    graph?.show(shown);
    tree.mark(null);
    drawMethods(at, at < 0 ? stacks : stacks.filter((s) => s.operator === at));
    fill(note, at < 0 ? "Pick an operator to see its methods, or a method to see its operators." : `Methods of ${tree.all[at].node.operator} and its inputs; pick it again for all.`);
  }

  /** Which operators a method ran in. */
  function found(name) {
    const shares = new Map();
    let whole = 0;
    for (const s of stacks) {
      if (name && `;${s.stack};`.includes(`;${name};`)) {
        shares.set(s.operator, (shares.get(s.operator) ?? 0) + s.weight);
        whole += s.weight;
      }
    }
    for (const [at, weight] of shares) shares.set(at, weight / whole);
    tree.mark(name ? shares : null);
    const most = [...shares].sort((a, b) => b[1] - a[1])[0];
    if (name && most) {
      tree.scrollTo(most[0]);
      fill(note, `${short(name)} ran in ${most[0] < 0 ? "the statement itself" : tree.all[most[0]].node.operator}`, ` (${percent(most[1])} of its samples)`);
    }
  }

  function drawMethods(at, shown) {
    const sums = new Map();
    let whole = 0;
    for (const s of shown) {
      const top = s.stack.slice(s.stack.lastIndexOf(";") + 1);
      sums.set(top, (sums.get(top) ?? 0) + s.weight);
      whole += s.weight;
    }
    const most = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 12);
    fill(methods, h("h3", {}, at < 0 ? "Methods on top" : "Methods on top, in this operator alone"), most.length ? h("table.figures", {}, h("tbody", {}, most.map(([name, weight]) => h("tr", {},
      h("td", {}, h("button.plain.code", { type: "button", title: name, onclick: () => found(name) }, short(name))),
      h("td.number", {}, percent(weight / whole)), h("td.number.dim", {}, many(weight, "sample")))))) : h("p.dim", {}, "No samples fell into it."));
  }

  const more = stacks.reduce((sum, s) => sum + s.weight, 0) < FEW_SAMPLES
    ? h("button.more", { type: "button", onclick: () => gather() }, `Run it ${MORE_RUNS} times more for samples`) : null;

  async function gather() {
    more.disabled = true;
    try {
      for (let i = 0; i < MORE_RUNS; i++) {
        if (!element.isConnected) return; // another execution is shown, or another view
        more.textContent = `Run ${i + 1} of ${MORE_RUNS} \u2026`;
        stacks.push(...trimmed((await post("explain", { ...asked, id: undefined })).stacks ?? []));
      }
      show(shownAt);
      more.textContent = `Samples of ${MORE_RUNS + 1} executions`;
    } catch (error) {
      more.replaceWith(problem(error));
    }
  }

  const element = h("div.why", {},
    h("section.panel", {}, h("h2", {}, "Where the time goes"), totals(answer), tree.element),
    h("section.panel", {}, h("h2", {}, "What would help"), helps(answer, asked), uses(tree.all, asked)),
    graph ? h("section.panel.wide", {}, h("h2", {}, "Methods of this execution"), note, more, stacks.length ? null : h("p.dim", {}, "It was over before the first sample was taken."), graph.element, methods) : null);
  if (graph) show(-1);
  return element;
}

/** Frames below the statement's own are the same for all and say nothing. */
function trimmed(stacks) {
  return stacks.map((s) => {
    const frames = s.stack.split(";");
    const from = frames.findIndex((f) => f.endsWith("PlannedStatement.measured"));
    const own = frames.slice(from + 1).filter((f) => !f.startsWith("dev.oriel.sql.run.MeasuredOperator."));
    return { stack: (own.length ? own : frames).join(";"), weight: s.samples, operator: s.operator };
  });
}

function short(name) {
  return name.replace(/^.*\.([^.]+\.[^.]+)$/, "$1");
}

function helps(answer, asked) {
  if (!answer.advice?.length) {
    return h("p.dim", {}, "Nothing is known that would: no filter drops most of many rows, nothing was spilled, and no scan was misjudged.");
  }
  return answer.advice.map((one) => h("div.advice", {}, h("p", {}, one.sentence), h("pre", {}, one.sql), one.index ? trial("Measure it", one.index.table, { ...asked, index: one.index }) : h("p.dim", {}, "Run it in Ask.")));
}

/** The indexes that a plan reads, each once. */
export function indexesOf(all) {
  const found = new Map();
  for (const { node } of all) if (node.index) found.set(`${node.index.schema} ${node.index.name}`, node.index);
  return [...found.values()];
}

/** What each index that the statement reads is worth to it. */
function uses(all, asked) {
  const used = indexesOf(all);
  return used.length ? [h("h3", {}, used.length === 1 ? "Is its index worth it?" : "Are its indexes worth it?"), used.map((index) => h("div.advice", {}, h("p", {}, h("code", {}, index.name), ` of ${index.table}`),
    trial("Measure without it", index.table, { ...asked, without: index.name, schema: index.schema })))] : null;
}

function trial(title, table, body) {
  const place = h("div", { "aria-live": "polite" });
  const button = h("button.primary.changes", { type: "button", onclick: () => measure(button, place, body) }, title);
  return [h("p.dim.changes", {}, `The statement runs with the index and without it, in turns, for some seconds. ${body.index ? "The index is rolled back" : "The index stays"}; writers of ${table} wait meanwhile.`), button, place];
}

/** Runs an experiment and shows its rounds and its sentence. */
export async function measure(button, place, body) {
  const id = crypto.randomUUID();
  const rounds = [];
  const state = h("span.dim", {}, body.index ? "Building the index \u2026" : "Hiding the index \u2026");
  const dots = h("div.rounds", { role: "img", "aria-label": "Times of each round, without and with the index" });
  const stop = h("button", { type: "button", onclick: () => post("cancel", { id }) }, "Cancel");
  button.disabled = true;
  fill(place, h("p", {}, state, " ", stop), dots);
  try {
    await stream("experiment", { ...body, id }, (line) => {
      if (line.prepared) state.textContent = `${body.index ? "Built" : "Hidden"} in ${time(line.prepared.ms)}; measuring \u2026`;
      else if (line.round) {
        rounds.push(line.round);
        state.textContent = many(rounds.length, "round");
        fill(dots, bars(rounds));
      } else if (line.end) {
        fill(place, h("p.verdict", { class: line.end.verdict }, line.end.sentence),
          h("p.dim", {}, `${count(line.end.rounds)} rounds in turns; the interval holds the truth 95 times in 100. ${body.index ? "The index is gone again." : "The index is there as before."}`), dots);
        say("Measured");
      } else if (line.error) fill(place, problem(line.error));
    });
  } catch (error) {
    fill(place, problem(error));
  } finally {
    button.disabled = false;
    button.textContent = "Measure again";
  }
}

function bars(rounds) {
  const most = Math.max(...rounds.flatMap((r) => [r.with, r.without]));
  const bar = (ms, kind) => h("div", { class: kind, style: { height: `${Math.max(2, (100 * ms) / most)}%` }, title: `${kind} the index: ${time(ms)}` });
  return rounds.map((r) => h("div.round", {}, bar(r.without, "without"), bar(r.with, "with")));
}
