// The figures of the moment, and what each of them is made of.

import { h, refill } from "./dom.js";
import { bytes, count, percent, time } from "./format.js";
import { figureOf, sumOf } from "./session.js";
import { series, sparkline } from "./chart.js";

const SHOWN = 120;

const value = (name) => (step) => step.store[name] ?? 0;
const calls = (step) => sumOf(step, "calls");
const planned = (step) => (step.plans.found_by_text ?? 0) + (step.plans.found_by_shape ?? 0) + (step.plans.compiled ?? 0);
const per = (unit) => (v) => `${count(Math.round(v))} ${unit}`;

/** By statement, how much a column rose in the last ten seconds. */
function byStatement(column, shown) {
  return (session) => {
    const before = session.before(10);
    return session.now.statements.map((s) => [s.statement, Number(s[column]) - (figureOf(before, s.fingerprint, column) ?? 0)]).filter(([, rise]) => rise > 0)
      .sort((a, b) => b[1] - a[1]).slice(0, 10).map(([statement, rise]) => [statement, `${shown(rise)} in 10 s`]);
  };
}

function ofStore(...names) {
  return (session) => names.map(([name, words, shown]) => [words, shown(session.steps.at(-1).store[name] ?? 0)]);
}

const CARDS = [
  { title: "Statements", rate: calls, shown: per("/s"), hint: "Executions of all statements but those of this page", parts: byStatement("calls", count) },
  { title: "Commits", rate: value("txid"), shown: per("/s"), hint: "Commits that changed something", parts: byStatement("log_bytes", bytes) },
  { title: "Log written", rate: value("log_bytes_written"), shown: (v) => `${bytes(Math.round(v))}/s`, hint: "Bytes appended to the log", parts: byStatement("log_bytes", bytes) },
  { title: "Log behind the checkpoint", level: value("log_bytes_behind"), shown: bytes, hint: "What a recovery at this moment would read", parts: ofStore(["log_bytes", "length of the log", bytes], ["log_bytes_behind", "behind the checkpoint", bytes], ["syncs", "syncs", count], ["checkpoints", "checkpoints", count]) },
  { title: "Checkpoints", level: value("checkpoints"), shown: count, hint: "Since the database was opened", parts: ofStore(["checkpoints", "checkpoints", count], ["syncs", "syncs", count], ["log_bytes_behind", "log behind the last one", bytes]) },
  { title: "Page versions in memory", level: value("versions"), shown: count, hint: "Versions that a reader or the next checkpoint needs", parts: (session) => [...ofStore(["open_readers", "open readers", count], ["snapshot_age", "commits since the eldest snapshot", count], ["scratch_bytes", "memory beside the cache", bytes])(session), ...session.now.sessions.filter((s) => s.in_transaction).map((s) => [`session ${s.session} is in a transaction: ${s.statement ?? ""}`, time(s.running_ms)])] },
  { title: "Data file", level: value("data_bytes"), shown: bytes, hint: "Length of the file data", parts: ofStore(["pages", "pages", count], ["free_pages", "of them free", count], ["shadow_bytes", "shadow file", bytes], ["log_bytes", "log", bytes]) },
  { title: "Lock waits", level: value("lock_waits_now"), shown: count, hint: "Transactions that wait for a lock now", parts: byStatement("lock_waits", count) },
  { title: "Transactions open", level: (step) => step.transactions, shown: count, hint: "Transactions that have begun and not ended, of all sessions", parts: (session) => session.now.transactions.map((t) => [`${t.name ?? `transaction ${t.transaction}`} of session ${t.session ?? "none"}, ${t.isolation}: ${count(t.writes)} writes, ${count(t.locks)} locks`, time(t.age_ms)]) },
  { title: "Conflicts", rate: (step) => step.conflicts, shown: (v) => `${v.toFixed(v && v < 10 ? 1 : 0)} /s`, hint: "Executions that ran again or failed since another transaction had changed the same", parts: byStatement("restarts", (n) => `${count(n)} restarts`) },
  { title: "Plans from the cache", level: (step) => (planned(step) ? 1 - (step.plans.compiled ?? 0) / planned(step) : 0), shown: percent, hint: "Share of the statements, since the database was opened, that had a plan already", parts: (session) => session.now.plans.map((row) => [`${row.name}: ${row.meaning}`, count(row.value)]) },
  { title: "Cost of watching", level: (step) => step.share, shown: (v) => `${(100 * v).toFixed(2)} %`, hint: "Share of the statements' time that counting and sampling take", parts: (session) => session.now.overhead.map((row) => [`${row.name}: ${row.meaning}`, String(row.value)]) },
];

function rates(steps, figure) {
  const all = [];
  for (let i = 1; i < steps.length; i++) {
    const seconds = Math.max(0.2, (steps[i].at - steps[i - 1].at) / 1000);
    all.push([steps[i].at / 1000, Math.max(0, (figure(steps[i]) - figure(steps[i - 1])) / seconds)]);
  }
  return all.length ? all : [[Date.now() / 1000, 0]];
}

function points(steps, card) {
  return card.rate ? rates(steps, card.rate) : steps.map((step) => [step.at / 1000, card.level(step)]);
}

/** Draws all figures; `state.open` is the title of the one that shows its parts. */
export function drawCards(place, session, state, draw) {
  const chosen = CARDS.find((card) => card.title === state.open);
  refill(place, h("div.cards", {}, CARDS.map((card) => {
    const values = points(session.steps.slice(-SHOWN), card).map((p) => p[1]);
    return h("button.card", { type: "button", title: card.hint, "data-key": card.title, "aria-expanded": String(card === chosen), onclick: () => { state.open = card === chosen ? null : card.title; draw(); } },
      h("span.what", {}, card.title), h("span.big", {}, card.shown(values.at(-1))), sparkline(values, `${card.title}, the last two minutes`));
  })), chosen ? h("div.panel", {}, h("h3", {}, chosen.title), h("p.dim", {}, chosen.hint), series(chosen.title, points(session.steps, chosen)), parts(chosen.parts(session))) : null);
}

function parts(rows) {
  return rows.length ? h("table.figures", {}, h("tbody", {}, rows.map(([name, amount]) => h("tr", {}, h("td", {}, h("code", {}, name)), h("td.number", {}, amount))))) : h("p.dim", {}, "No statement had a part in it in the last ten seconds.");
}
