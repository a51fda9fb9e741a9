// What the database does now, in steps of one second, kept for as long as the page is open. Once begun they go on in other
// views too, but not in Profile, whose recordings would hold them.

import { h, fill, problem, refill, say } from "./dom.js";
import { get, stream } from "./api.js";
import { bytes, count, time } from "./format.js";
import { exportPage, save } from "./export.js";
import { take } from "./history.js";
import { drawCards } from "./figures.js";
import { lockTree } from "./locks.js";
import { Regressions } from "./regressions.js";
import { Session, figureOf } from "./session.js";
import { series } from "./chart.js";

const session = new Session();
const regressions = new Regressions(session);
const state = { sort: "total_ms", open: null, statement: null };
let paused = false;
let begun = false;

/** @type {{draw: () => void, fail: (error: any) => void} | null} the view, while it is shown */
let shown = null;

async function step() {
  const profiles = location.hash.startsWith("#/profile");
  if (!paused && !profiles && document.visibilityState === "visible") {
    try {
      const answer = await get("observe");
      if (paused && session.now) return again(); // the view was paused meanwhile: its figures stay
      session.add(answer);
      await regressions.look();
      shown?.draw();
    } catch (error) {
      shown?.fail(error);
    }
  }
  again();
}

function again() {
  setTimeout(step, 1000);
}

/** Shows the view at `#/observe`. Returns what ends it. */
export async function observe(view) {
  view.className = "";
  const places = Object.fromEntries(["cards", "locks", "sessions", "transactions", "statements", "slow"].map((name) => [name, h("section")]));
  const pause = h("button", { type: "button", "aria-pressed": String(paused), onclick: () => {
    paused = !paused;
    pause.textContent = paused ? "Go on" : "Pause";
    pause.setAttribute("aria-pressed", String(paused));
  } }, paused ? "Go on" : "Pause");
  const trouble = h("div");
  const all = h("div.scroll", {}, trouble, Object.values(places));
  fill(view, h("div.body", {}, h("div.bar", {}, h("h2.title", {}, "Now"), pause,
    h("button", { type: "button", onclick: () => exportPage(all, "What the database did") }, "Export this view"),
    h("button.plain", { type: "button", onclick: exportSteps }, "All steps as JSON"), h("span.dim", {}, "every second; press a figure to see what it is made of")), all));

  function draw() {
    const { now } = session;
    if (!now) return;
    drawCards(places.cards, session, state, draw);
    refill(places.locks, lockTree(now, cancel));
    drawSessions(places.sessions, now);
    drawTransactions(places.transactions, now);
    drawStatements(places.statements, now, state, draw);
    drawSlow(places.slow, now);
    fill(trouble);
  }

  // A press is lost if its button is replaced before the release: the next step is drawn then.
  const unlessPressed = () => { if (!all.matches(":active")) draw(); };
  const own = { draw: unlessPressed, fail: (error) => fill(trouble, problem(error)) };
  shown = own;
  if (!begun) {
    begun = true;
    await step();
  } else draw();
  return () => {
    if (shown === own) shown = null;
  };
}

function exportSteps() {
  save("oriel-observed.json", "application/json", session.json());
}

function drawSessions(place, now) {
  if (!now.sessions.length) return refill(place, h("h2", {}, "Sessions (0)"), h("p.dim", {}, "No session but those of this page."));
  return refill(place, h("h2", {}, `Sessions (${now.sessions.length})`), figures("Sessions",
    ["Session", "State", "For", "Waits for", "Statement", "Thread", "Action"],
    now.sessions.map((s) => [s.session, s.state, time(s.running_ms), s.waiting_for ? `${s.waiting_for}${s.blocked_by ? ` of session ${s.blocked_by}` : ""}` : "", code(s.statement), s.thread,
      [h("a", { href: `#/profile/session/${s.session}`, "data-key": `record ${s.session}` }, "Record"), " ", s.state === "executing" || s.state === "fetching" ? cancelButton(s.session) : null]])));
}

function cancelButton(session) {
  return h("button", { type: "button", "data-key": `cancel ${session}`, onclick: () => cancel(session) }, "Cancel");
}

async function cancel(session) {
  /** @type {any} */
  let refused = null;
  await stream("query", { sql: "CALL sys.cancel(?)", parameters: [session] }, (line) => { refused ??= line.error; });
  say(refused ? refused.message : `Session ${session} is told to cancel its statement`);
}

function drawTransactions(place, now) {
  const open = now.transactions ?? [];
  refill(place, open.length ? [h("h2", {}, `Open transactions (${open.length})`), figures("Open transactions", ["Transaction", "Session", "Isolation", "Age", "Writes", "Locks", "Begun at", "Statement"],
    open.map((t) => [t.name ?? t.transaction, t.session ?? "", `${t.isolation}${t.read_only ? ", read-only" : ""}`, time(t.age_ms), count(t.writes), count(t.locks), code(t.begun_at), code(t.statement)]))] : null);
}

function drawStatements(place, now, state, draw) {
  const before = session.before(10);
  const columns = [
    ["Statement", null], ["Calls", "calls"], ["Total", "total_ms"], ["Mean", "mean_us"], ["p50", "p50_us"], ["p99", "p99_us"],
    ["Rows", "rows"], ["Pages", "pages"], ["Allocated", "allocated_bytes"], ["Errors", "errors"], ["Lock waits", "lock_wait_ms"], ["Last 10 s", "recent"],
  ];
  const rows = now.statements.map((s) => ({ ...s, recent: Number(s.calls) - (figureOf(before, s.fingerprint, "calls") ?? (session.steps.length > 1 ? 0 : Number(s.calls))) }))
    .sort((a, b) => Number(b[state.sort] ?? 0) - Number(a[state.sort] ?? 0)).slice(0, 100);
  const us = (v) => (v === null ? "" : time(Number(v) / 1000));
  const row = (s) => [h("tr", { class: state.statement === s.fingerprint ? "picked" : "" },
    h("td", {}, h("button.plain.code", { type: "button", "data-key": s.fingerprint, "aria-expanded": String(state.statement === s.fingerprint), onclick: () => { state.statement = state.statement === s.fingerprint ? null : s.fingerprint; draw(); } }, s.statement), regressions.mark(s.fingerprint)),
    ...[count(s.calls), time(s.total_ms), us(s.mean_us), us(s.p50_us), us(s.p99_us), count(s.rows), count(s.pages), bytes(s.allocated_bytes), count(s.errors), Number(s.lock_wait_ms) ? time(s.lock_wait_ms) : "", count(s.recent)]
      .map((v) => h("td.number", {}, v))),
  state.statement === s.fingerprint ? h("tr", {}, h("td", { colSpan: columns.length }, statementDetails(s, now))) : null];
  refill(place, h("h2", {}, "Statements"), h("div.wide-table", { tabindex: 0, role: "region", "aria-label": "Statements" }, h("table.figures", {},
    h("thead", {}, h("tr", {}, columns.map(([title, key]) => h("th", { class: key ? "number" : "", "aria-sort": key === state.sort ? "descending" : null },
      key ? h("button.plain", { type: "button", "data-key": `sort ${key}`, onclick: () => { state.sort = key; draw(); } }, title + (key === state.sort ? " \u2193" : "")) : title)))),
    h("tbody", {}, rows.map(row)))));
}

/** What a statement's row is made of: its calls and time per call as they went, and the rest of its columns. */
function statementDetails(s, now) {
  const points = [];
  let from = session.steps[0];
  for (const to of session.steps) {
    if (to.at - from.at < 4500) continue;
    const rise = (column) => (figureOf(to, s.fingerprint, column) ?? 0) - (figureOf(from, s.fingerprint, column) ?? 0);
    points.push([to.at / 1000, (1000 * rise("calls")) / (to.at - from.at), rise("calls") > 0 && rise("total_ms") > 0 ? rise("total_ms") / rise("calls") : null]);
    from = to;
  }
  const plans = (now.planHistory ?? []).filter((one) => one.fingerprint === s.fingerprint);
  const slow = now.slow.filter((one) => one.fingerprint === s.fingerprint).length;
  return h("div.panel", {},
    h("p", {}, h("a", { href: "#/why", onclick: () => take("why", s.statement) }, "Why does it take its time?"), " \u00b7 ", h("a", { href: "#/ask/sql", onclick: () => take("ask/sql", s.statement) }, "Open in the editor"), h("span.dim", {}, " (give values for ?)"), " \u00b7 ", h("a", { href: `#/profile/statement/${s.fingerprint}` }, "Record its methods")),
    h("p.dim", {}, `least ${time(Number(s.min_us) / 1000)}, most ${time(Number(s.max_us) / 1000)}, p95 ${time(Number(s.p95_us) / 1000)}; ${count(s.timed)} executions were timed; ${count(s.log_bytes)} bytes of log, ${count(s.lock_waits)} lock waits, ${count(s.restarts)} restarts, ${count(slow)} slow ones below${s.errors_by_state ? `; errors ${s.errors_by_state}` : ""}; first seen at ${new Date(s.first_seen).toLocaleString()}`),
    plans.length > 1 ? [h("p", {}, `Its plan has changed ${Number(s.plan_changes) === 1 ? "once" : `${count(s.plan_changes)} times`}, last at ${new Date(s.plan_changed).toLocaleString()}.`),
      figures("Plans", ["Last seen", "Timed executions", "Mean", "Plan"], plans.map((p) => [new Date(p.last_seen).toLocaleTimeString(), count(p.executions), time(Number(p.mean_us) / 1000), h("pre", {}, p.plan)]))] : null,
    points.length > 1 ? [series("Calls a second", points.map((p) => [p[0], p[1]])), series("Milliseconds a call", points.map((p) => [p[0], p[2]]))] : h("p.dim", {}, "Its course is drawn from ten seconds on."));
}

function drawSlow(place, now) {
  refill(place, now.slow.length ? [h("h2", {}, "Slow executions"), figures("Slow executions", ["At", "Took", "Rows", "Statement", "Plan"],
    now.slow.map((s) => [String(s.at).slice(11, 19), time(s.elapsed_ms), count(s.rows), code(s.statement), h("details", { "data-open": `${s.at} ${s.session}` }, h("summary", { "data-key": `plan ${s.at} ${s.session}` }, "plan"), h("pre", {}, s.plan))]))] : null);
}

function code(text) {
  return text === null || text === undefined ? "" : h("code", {}, text);
}

/** A table of text and elements, which scrolls if it is wide. */
export function figures(name, heads, rows) {
  return h("div.wide-table", { tabindex: 0, role: "region", "aria-label": name }, h("table.figures", {}, h("thead", {}, h("tr", {}, heads.map((t) => h("th", {}, t)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((v) => h("td", {}, v)))))));
}
