// Profiles: flame graph and methods of a run, and two runs against each other.

import { h, fill, problem, say } from "./dom.js";
import { get } from "./api.js";
import { amount, count, many, percent, time } from "./format.js";
import { exportPage } from "./export.js";
import { flames } from "./flames.js";
import { HeatMap, heatGrid } from "./heat.js";
import { recorder } from "./recorder.js";
import { compareRecordings, showRecording } from "./recordings.js";
import { newest } from "./turns.js";

/** Parts of a second in the heat map that the server sends. */
const PARTS = 20;

/** Shows the view at `#/profile[/RUN[/WITH]]`, `/session/N`, `/statement/FINGERPRINT`, `/recording/ID` or `/compare/IDS/IDS`. */
export async function profile(view, [run, other, third]) {
  view.className = "split";
  const side = h("aside.side", { "aria-label": "Runs" });
  const body = h("div.body");
  fill(view, side, body);
  try {
    const all = await get("profile", { run: other || !/^\d+$/.test(run ?? "") ? null : run });
    drawRuns(side, all.runs, run);
    if (run === "recording") await showRecording(body, other);
    else if (run === "compare") await compareRecordings(body, other, third);
    else if (run === "session" || run === "statement") return recorder(body, all.runs, { [run]: other });
    else if (other) await difference(body, run, other);
    else if (run) show(body, all, run);
    else return recorder(body, all.runs);
  } catch (error) {
    fill(body, h("div.scroll", {}, problem(error)));
  }
  return undefined;
}

function drawRuns(side, runs, current) {
  fill(side, h("p", {}, h("a", { href: "#/profile" }, "Record, open and compare")), runs.length ? h("h2", {}, "Runs with statements") : null,
    h("ul", {}, runs.map((r) => h("li", {}, h("a", { href: `#/profile/${r.run}`, "aria-current": String(r.run) === current ? "page" : null },
      h("span", {}, `${r.run}: ${r.what}`), h("span.count", {}, time(r.wall_ms)))))),
    runs.length > 1 ? compareForm(runs) : null);
}

function compareForm(runs) {
  const choice = () => h("select", {}, runs.map((r) => h("option", { value: r.run }, `run ${r.run}`)));
  const a = choice();
  const b = choice();
  a.setAttribute("aria-label", "Before");
  b.setAttribute("aria-label", "After");
  b.selectedIndex = runs.length - 1;
  return [h("h2", {}, "Compare"), h("form", { onsubmit: (e) => { e.preventDefault(); location.hash = `#/profile/${a.value}/${b.value}`; } }, a, " with ", b, " ", h("button", {}, "Go"))];
}

/** One run: its samples by kind, when they were taken, its statements and methods. */
function show(body, first, run) {
  let all = first;
  const about = all.runs.find((r) => String(r.run) === run);
  const texts = new Map(all.statements.map((s) => [s.fingerprint, s.statement]));
  const clocks = [...new Set(all.methods.map((m) => `${m.clock} ${m.unit}`))];
  const whole = h("div.scroll");
  const place = h("div");
  const samples = h("div");
  const note = h("p.dim", { role: "status" });
  const pick = h("select", { "aria-label": "Clock", onchange: () => drawMethods() }, clocks.map((c) => h("option", {}, c)));
  const kinds = h("select", { "aria-label": "Kind of samples", onchange: () => drawSamples() });
  let only = null;

  function drawKinds() {
    const before = kinds.value;
    fill(kinds, all.clocks.map((c) => h("option", { value: c.kind, selected: c.kind === before }, c.title)));
  }

  function drawSamples() {
    const clock = all.clocks.find((c) => c.kind === kinds.value);
    const stacks = (clock?.stacks ?? []).filter((s) => only === null || s.fingerprint === only).map((s) => ({ ...s, statement: texts.get(s.fingerprint) ?? (s.fingerprint ? `statement ${s.fingerprint}` : undefined) }));
    fill(samples, flames(stacks, clock?.unit ?? "samples").element);
  }

  const choosing = newest();
  async function range(from, to) {
    const wanted = choosing();
    try {
      const answer = await get("profile", { run, from, to });
      if (!wanted()) return; // another range was chosen meanwhile
      all = { ...all, ...answer };
      fill(note, from === null ? "" : [`Samples from ${time(from)} to ${time(to)}. `, h("button", { type: "button", onclick: () => map.clear() }, "The whole run")]);
      drawKinds();
      drawSamples();
    } catch (error) {
      if (wanted()) fill(note, problem(error));
    }
  }

  function drawMethods() {
    const rows = all.methods.filter((m) => `${m.clock} ${m.unit}` === pick.value);
    const sum = rows.reduce((so, m) => so + Number(m.self), 0) || 1;
    fill(place, h("table.figures", {}, h("thead", {}, h("tr", {}, h("th", {}, "Method"), ["Own", "Share", "With callees", "Calls"].map((t) => h("th.number", {}, t)))),
      h("tbody", {}, rows.slice(0, 200).map((m) => h("tr", {}, h("td", {}, h("code", {}, m.frame)),
        [amount(m.self, m.unit), percent(Number(m.self) / sum), amount(m.total, m.unit), m.calls ? count(m.calls) : ""].map((v) => h("td.number", {}, v)))))));
  }

  const heat = h("div");
  const seconds = (n) => (n === null ? null : 1000 * n);
  const map = new HeatMap(heat, heatGrid(all.heat.map((cell) => ({ column: cell.second, cell: cell.part, weight: Number(cell.samples) })), PARTS), {
    title: (second, samples) => `Second ${second}: ${many(samples, "sample")}`,
    onrange: (from, to) => range(seconds(from), seconds(to)),
  });
  const statements = h("tbody");
  function drawStatements() {
    fill(statements, all.statements.map((s) => h("tr", { class: only === s.fingerprint ? "picked" : "" },
      h("td", {}, h("button.plain.code", { type: "button", "aria-pressed": String(only === s.fingerprint), onclick: () => {
        only = only === s.fingerprint ? null : s.fingerprint;
        drawStatements();
        drawSamples();
      } }, s.statement)), h("td.number", {}, count(s.weight)))));
  }

  fill(body, h("div.bar", {}, h("h2.title", {}, `Run ${run}: ${about?.what ?? ""}`), h("span.dim", {}, about ? `${time(about.wall_ms)}, ${many(about.statements, "statement")}, ${many(about.samples, "sample")}` : ""),
  h("button", { type: "button", onclick: () => exportPage(whole, `Run ${run}`) }, "Export")), whole);
  fill(whole, about?.notes ? h("p.dim", {}, about.notes) : null, all.heat.length ? h("section", {}, h("h2", {}, "When"), heat, h("p.dim", {}, `Processor samples, a second from top to bottom. Drag over seconds to see their samples alone.`), note) : note,
      h("section", {}, h("h2", {}, "Samples ", kinds), samples),
    all.statements.length ? h("section", {}, h("h2", {}, "By statement"), h("p.dim", {}, "A press shows the samples of one alone."), h("table.figures", {}, statements)) : null,
    h("section", {}, h("h2", {}, "Methods ", pick), place));
  drawKinds();
  drawSamples();
  drawStatements();
  if (clocks.length) drawMethods();
}

async function difference(body, a, b) {
  const [{ methods }, before, after] = await Promise.all([get("profile/difference", { a, b }), get("profile", { run: a }), get("profile", { run: b })]);
  if (!body.isConnected) return; // the view was left
  const cpu = (all) => all.clocks.find((c) => c.kind === "cpu")?.stacks ?? [];
  const sure = methods.filter((m) => m.verdict && !/no interval|unknown|same/.test(m.verdict));
  const place = h("div.scroll");
  fill(body, h("div.bar", {}, h("h2.title", {}, `Run ${a} against run ${b}`), h("button", { type: "button", onclick: () => exportPage(place, `Run ${a} against run ${b}`) }, "Export")), place);
  fill(place,
    h("p", {}, sure.length ? `${many(sure.length, "method differs", "methods differ")} more than sampling can explain.` : "No method differs more than sampling can explain. One run each gives no interval: repeat both, in turns, for a verdict."),
    cpu(before).length && cpu(after).length ? h("section", {}, h("h2", {}, `Processor time of run ${b}, coloured by run ${a}`), flames(cpu(after), "samples", { before: cpu(before) }).element) : null,
    h("table.figures", {}, h("thead", {}, h("tr", {}, h("th", {}, "Method"), ["Before", "After", "Ratio", "Interval"].map((t) => h("th.number", {}, t)), h("th", {}, "Verdict"))),
      h("tbody", {}, methods.slice(0, 300).map((m) => h("tr", { class: sure.includes(m) ? "picked" : "" }, h("td", {}, h("code", {}, m.frame)),
        [m.a_per_statement, m.b_per_statement, m.ratio].map((v) => h("td.number", {}, v === null ? "" : Number(v).toPrecision(3))),
        h("td.number", {}, m.low === null ? "" : `[${Number(m.low).toFixed(2)}, ${Number(m.high).toFixed(2)}]`), h("td", {}, m.verdict))))));
  say(many(methods.length, "method"));
}
