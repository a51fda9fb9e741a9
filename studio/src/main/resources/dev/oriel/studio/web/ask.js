// SQL and Gremlin in cells, typed in; results as tables, charts, plans and graphs.

import { h, fill, problem, say } from "./dom.js";
import { post } from "./api.js";
import { editor } from "./editor.js";
import { forgetCatalog } from "./tree.js";
import { planTree } from "./plan.js";
import { keepLocally, parameterValues, past, remember, take, takenText } from "./history.js";
import { runGremlin, runSql } from "./results.js";
import { exportPage } from "./export.js";
import { keep, load, names, remove } from "./notebooks.js";
import { inTurn, newest } from "./turns.js";

const CELLS = "oriel.cells";

/** Shows the view at `#/ask[/sql|gremlin[/GRAPH]]`. */
export async function ask(view, [language = "sql", graph = ""]) {
  view.className = "";
  const gremlin = language === "gremlin";
  const shared = { graph, drawing: null };
  const cells = [];
  const opening = newest();
  const listing = newest();
  const change = inTurn();
  let left = false;
  const list = h("div");
  const history = h("select", { "aria-label": "History", onchange: () => {
    current().input.set(history.value);
    history.selectedIndex = 0;
    current().input.focus();
  } });
  const saved = h("select", { "aria-label": "Saved notebooks", onchange: () => guarded(open) });
  const name = h("input", { placeholder: "name", "aria-label": "Name of the notebook", size: 12 });
  const trouble = h("div", { "aria-live": "polite" });

  const current = () => cells.find((cell) => cell.element.contains(document.activeElement)) ?? cells.findLast((cell) => cell.used) ?? cells[0];

  function drawHistory() {
    fill(history, h("option", { value: "" }, "History"), past().filter((e) => e.language === language).map((e) => h("option", { value: e.text }, e.text.replace(/\s+/g, " ").slice(0, 80))));
  }

  async function drawSaved() {
    const wanted = listing();
    const all = await names(language);
    if (!wanted()) return; // it was asked for again after another change
    fill(saved, h("option", { value: "" }, "Saved"), all.map((one) => h("option", {}, one)));
  }

  async function guarded(body) {
    try {
      fill(trouble);
      await body();
    } catch (error) {
      fill(trouble, problem(error));
    }
  }

  /** Shows the cells of a notebook in place of those that there are, all at once: another may be chosen meanwhile. */
  async function open() {
    const chosen = saved.value;
    if (!chosen) return;
    const wanted = opening();
    const made = [];
    try {
      for (const text of await load(language, chosen)) made.push(await cellOf(text));
    } catch (error) {
      if (wanted()) throw error;
    }
    if (!wanted()) return made.forEach((cell) => cell.close());
    for (const cell of cells.splice(0)) cell.close();
    for (const cell of made) put(cell);
    name.value = chosen;
    say(`${chosen} is open`);
  }

  const save = () => guarded(async () => {
    const called = name.value.trim();
    if (!called) return name.focus();
    const kept = cells.map((cell) => cell.input.text());
    await change(() => keep(language, called, kept));
    await drawSaved();
    say(`Saved in the database as ${called}`);
  });

  const forget = () => guarded(async () => {
    const called = name.value.trim();
    await change(() => remove(language, called));
    await drawSaved();
    say(`${called} is removed`);
  });

  /** Keeps the cells in the browser: when one has run, and when the view is left or the page. */
  function store() {
    if (left) return; // a later visit keeps its own
    keepLocally(`${CELLS}.${language}`, JSON.stringify(cells.map((cell) => cell.input.text())));
  }

  async function cellOf(text) {
    const made = await newCell(text, { gremlin, language, shared,
      ran: (changed) => { drawHistory(); store(); if (changed) forgetCatalog(); },
      next: async () => {
        const next = await cellOf("");
        if (left || !cells.includes(made)) return next.close(); // a notebook was opened meanwhile
        put(next, made);
        next.input.focus();
      },
      close: () => {
        cells.splice(cells.indexOf(made), 1);
        made.close();
        if (!cells.length) addFirst();
        store();
      } });
    return made;
  }

  /** A cell to type in, if there is none. */
  async function addFirst() {
    const first = await cellOf("");
    if (left || cells.length) first.close();
    else put(first);
  }

  function put(made, after = null) {
    const place = after ? cells.indexOf(after) + 1 : cells.length;
    cells.splice(place, 0, made);
    list.insertBefore(made.element, list.children[place] ?? null);
  }

  fill(view, h("div.scroll", {},
    h("div.bar.flat", {},
      h("nav", { "aria-label": "Language" }, h("a", { href: "#/ask/sql", "aria-current": gremlin ? null : "page" }, "SQL"),
        h("a", { href: "#/ask/gremlin", "aria-current": gremlin ? "page" : null }, gremlin && graph ? `Gremlin: ${graph}` : "Gremlin")),
      history, saved, name, h("button.changes", { type: "button", onclick: save }, "Save"), h("button.plain.changes", { type: "button", onclick: forget }, "Remove"),
      h("button.plain", { type: "button", onclick: () => exportPage(list, name.value.trim() || "Notebook") }, "Export")),
    trouble, list));
  drawHistory();
  for (const text of texts(language)) put(await cellOf(text));
  cells[0].input.focus();
  guarded(drawSaved);
  addEventListener("pagehide", store);
  return () => {
    removeEventListener("pagehide", store);
    store();
    left = true;
    opening(); // what is being opened is not wanted any more
    cells.forEach((cell) => cell.close());
  };
}

/** The cells of the last visit, before them what was taken from another view. */
function texts(language) {
  const given = takenText(language);
  const last = given ?? past().find((entry) => entry.language === language)?.text;
  let kept = [];
  try {
    kept = JSON.parse(localStorage.getItem(`${CELLS}.${language}`) ?? "[]");
  } catch {
    // another program's entry under our name
  }
  if (!Array.isArray(kept) || !kept.length) return [last ?? (language === "gremlin" ? "g.V().limit(25)" : "SELECT 1")];
  return given && !kept.includes(given) ? [given, ...kept] : kept;
}

/** An editor with what its text answered. */
async function newCell(text, options) {
  const { gremlin, language, shared } = options;
  const results = h("div", { "aria-live": "polite" });
  const running = { id: null };
  const cell = { used: false };
  const answering = newest();
  const input = await editor(text, gremlin, () => run(), () => run().then(options.next));
  const runButton = h("button.primary", { type: "button", onclick: () => run(), title: "Ctrl-Enter; Shift-Enter runs it and adds a cell. A selection runs alone." }, "Run");
  const planButton = h("button", { type: "button", onclick: plan }, "Plan");
  const cancel = h("button", { type: "button", disabled: true, onclick: () => post("cancel", { id: running.id }) }, "Cancel");
  const parameters = h("input", { placeholder: 'parameters, such as 1, "x"', "aria-label": "Parameters", size: 22 });

  async function run() {
    if (running.id) return;
    cell.used = true;
    const { text: chosen, from } = input.chosen();
    if (!chosen.trim()) return say("There is nothing to run: the cell is empty.");
    running.id = crypto.randomUUID();
    runButton.disabled = planButton.disabled = true;
    cancel.disabled = false;
    input.mark();
    remember(language, chosen);
    answering();
    const answers = h("div");
    fill(results, answers);
    let changed = gremlin;
    try {
      if (gremlin) await runGremlin(chosen, from, shared, running.id, answers, input);
      else changed = await runSql(chosen, from, parameters.value, shared, running.id, answers, input);
    } catch (error) {
      answers.appendChild(h("div.result", {}, problem(error)));
    } finally {
      running.id = null;
      runButton.disabled = planButton.disabled = false;
      cancel.disabled = true;
      options.ran(changed);
    }
  }

  async function plan() {
    if (running.id) return;
    const wanted = answering();
    fill(results, h("p.dim", {}, "Planning \u2026"));
    try {
      const answer = await post("explain", { sql: input.chosen().text.replace(/;\s*$/, ""), parameters: parameterValues(parameters.value) });
      if (wanted()) fill(results, h("div.panel", {}, planTree(answer).element));
    } catch (error) {
      if (wanted()) fill(results, problem(error));
    }
  }

  cell.input = input;
  cell.element = h("section.ask-cell", { "aria-label": "Cell" }, h("div.editor", {}, input.element), h("div.bar.flat.tools", {}, runButton, cancel,
    gremlin ? null : [planButton,
      h("button", { type: "button", title: "Runs the statement, rolls it back and shows where its time went", onclick: () => take("why/run", input.chosen().text) }, "Why"), parameters],
    h("button.plain", { type: "button", onclick: options.next }, "Add a cell"),
    h("button.plain", { type: "button", onclick: options.close }, "Close")), results);
  cell.close = () => {
    input.close();
    cell.element.remove();
  };
  return cell;
}
