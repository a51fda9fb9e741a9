// What the database does now, in steps of one second, kept for as long as the page is open.

import { h, fill, problem, say } from "./dom.js";
import { get, stream } from "./api.js";
import { bytes, count, time } from "./format.js";
import { sparkline } from "./chart.js";
import { take } from "./history.js";

const STEPS_MAX = 600;
const steps = [];
let timer = 0;

/** Shows the view at `#/observe`. Returns what ends it. */
export async function observe(view) {
  view.className = "";
  const cards = h("div.cards");
  const sessions = h("section");
  const locks = h("section");
  const statements = h("section");
  const slow = h("section");
  const state = { sort: "total_ms", paused: false };
  const pause = h("button", { type: "button", onclick: () => { state.paused = !state.paused; pause.textContent = state.paused ? "Go on" : "Pause"; } }, "Pause");
  const trouble = h("div");
  fill(view, h("div.body", {}, h("div.bar", {}, h("h2.title", {}, "Now"), pause,
    h("button", { type: "button", onclick: exportSteps }, "Export"), h("span.dim", {}, "every second; rates are those of the last step")),
  h("div.scroll", {}, trouble, cards, locks, sessions, statements, slow)));

  async function step() {
    if (!state.paused && document.visibilityState === "visible") {
      try {
        const now = await get("observe");
        steps.push(now);
        if (steps.length > STEPS_MAX) steps.shift();
        drawCards(cards);
        drawSessions(sessions, now);
        drawLocks(locks, now);
        drawStatements(statements, now, state);
        drawSlow(slow, now);
        fill(trouble);
      } catch (error) {
        fill(trouble, problem(error));
      }
    }
    timer = setTimeout(step, 1000);
  }

  clearTimeout(timer);
  await step();
  return () => clearTimeout(timer);
}

function exportSteps() {
  const link = h("a", { href: URL.createObjectURL(new Blob([JSON.stringify(steps)], { type: "application/json" })), download: "oriel-observed.json" });
  link.click();
  say(`${count(steps.length)} steps are saved by the browser`);
}

function store(step) {
  return Object.fromEntries(step.store.map((row) => [row.name, Number(row.value)]));
}

function calls(step) {
  return step.statements.reduce((sum, s) => sum + Number(s.calls), 0);
}

function rates(figure) {
  const all = [];
  for (let i = Math.max(1, steps.length - 120); i < steps.length; i++) {
    const seconds = Math.max(0.2, (steps[i].at - steps[i - 1].at) / 1000);
    all.push(Math.max(0, (figure(steps[i]) - figure(steps[i - 1])) / seconds));
  }
  return all.length ? all : [0];
}

function levels(figure) {
  return steps.slice(-120).map(figure);
}

function card(title, values, shown, hint) {
  return h("div.card", { title: hint }, h("h2", {}, title), h("div.big", {}, shown(values.at(-1))), sparkline(values, `${title}, the last two minutes`));
}

function drawCards(place) {
  const per = (unit) => (v) => `${count(Math.round(v))} ${unit}`;
  const value = (name) => (step) => store(step)[name] ?? 0;
  fill(place,
    card("Statements", rates(calls), per("/s"), "Executions of all statements but those of this page"),
    card("Commits", rates(value("txid")), per("/s"), "Commits that changed something"),
    card("Log written", rates(value("log_bytes_written")), (v) => `${bytes(Math.round(v))}/s`, "Bytes appended to the log"),
    card("Log behind the checkpoint", levels(value("log_bytes_behind")), bytes, "What a recovery at this moment would read"),
    card("Checkpoints", levels(value("checkpoints")), count, "Since the database was opened"),
    card("Page versions in memory", levels(value("versions")), count, "Versions that a reader or the next checkpoint needs"),
    card("Data file", levels(value("data_bytes")), bytes, "Length of the file data"),
    card("Lock waits", levels(value("lock_waits_now")), count, "Transactions that wait for a lock now"),
    card("Cost of watching", levels(overhead), (v) => `${(100 * v).toFixed(2)} %`, "Share of the statements' time that counting and sampling take"));
}

function overhead(step) {
  return Number(step.overhead.find((row) => row.name === "share")?.value ?? 0);
}

function drawLocks(place, now) {
  fill(place, now.locks.length ? [h("h2", {}, "Who waits for whom"), figures(
    ["Session", "Waits for", "Object", "Mode", "Since", "Statement", "Blocked by"],
    now.locks.map((l) => [l.session, l.blocked_by, l.object, l.mode, time(l.waited_ms), code(l.statement), code(l.blocking_statement ?? l.blocking_state)]))] : null);
}

function drawSessions(place, now) {
  fill(place, h("h2", {}, `Sessions (${now.sessions.length})`), figures(
    ["Session", "State", "For", "Waits for", "Statement", "Thread", "Action"],
    now.sessions.map((s) => [s.session, s.state, time(s.running_ms), s.waiting_for ? `${s.waiting_for}${s.blocked_by ? ` of ${s.blocked_by}` : ""}` : "", code(s.statement), s.thread,
      s.state === "executing" || s.state === "fetching" ? h("button", { type: "button", onclick: () => cancel(s.session) }, "Cancel") : ""])));
}

async function cancel(session) {
  await stream("query", { sql: "CALL sys.cancel(?)", parameters: [session] }, (line) => line.error && say(line.error.message));
  say(`Session ${session} is told to cancel its statement`);
}

function drawStatements(place, now, state) {
  const last = steps.length > 10 ? new Map(steps.at(-11).statements.map((s) => [s.fingerprint, s])) : new Map();
  const columns = [
    ["Statement", null], ["Calls", "calls"], ["Total", "total_ms"], ["Mean", "mean_us"], ["p50", "p50_us"], ["p99", "p99_us"],
    ["Rows", "rows"], ["Pages", "pages"], ["Errors", "errors"], ["Lock waits", "lock_wait_ms"], ["Last 10 s", "recent"],
  ];
  const rows = now.statements.map((s) => ({ ...s, recent: Number(s.calls) - Number(last.get(s.fingerprint)?.calls ?? s.calls) }))
    .sort((a, b) => Number(b[state.sort] ?? 0) - Number(a[state.sort] ?? 0)).slice(0, 100);
  const us = (v) => (v === null ? "" : time(Number(v) / 1000));
  fill(place, h("h2", {}, "Statements"), h("table.figures", {},
    h("thead", {}, h("tr", {}, columns.map(([title, key]) => h("th", { class: key ? "number" : "", "aria-sort": key === state.sort ? "descending" : null },
      key ? h("button.plain", { type: "button", onclick: () => { state.sort = key; drawStatements(place, now, state); } }, title + (key === state.sort ? " \u2193" : "")) : title)))),
    h("tbody", {}, rows.map((s) => h("tr", {},
      h("td", {}, h("a", { href: "#/ask/sql", onclick: () => take("ask/sql", s.statement), title: "Open it in the editor" }, code(s.statement))),
      ...[count(s.calls), time(s.total_ms), us(s.mean_us), us(s.p50_us), us(s.p99_us), count(s.rows), count(s.pages), count(s.errors), Number(s.lock_wait_ms) ? time(s.lock_wait_ms) : "", count(s.recent)]
        .map((v) => h("td.number", {}, v)))))));
}

function drawSlow(place, now) {
  fill(place, now.slow.length ? [h("h2", {}, "Slow executions"), figures(["At", "Took", "Rows", "Statement", "Plan"],
    now.slow.map((s) => [String(s.at).slice(11, 19), time(s.elapsed_ms), count(s.rows), code(s.statement), h("details", {}, h("summary", {}, "plan"), h("pre", {}, s.plan))]))] : null);
}

function code(text) {
  return text === null || text === undefined ? "" : h("code", {}, text);
}

function figures(heads, rows) {
  return h("table.figures", {}, h("thead", {}, h("tr", {}, heads.map((t) => h("th", {}, t)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((v) => h("td", {}, v))))));
}
