// The figures of the moment, and what each of them is made of.

import { h, refill } from "./dom.js";
import { bytes, count, time } from "./format.js";
import { series, sparkline } from "./chart.js";

const SHOWN = 120;

function store(step) {
  return Object.fromEntries(step.store.map((row) => [row.name, Number(row.value)]));
}

const value = (name) => (step) => store(step)[name] ?? 0;
const calls = (step) => step.statements.reduce((sum, s) => sum + Number(s.calls), 0);
const overhead = (step) => Number(step.overhead.find((row) => row.name === "share")?.value ?? 0);
const per = (unit) => (v) => `${count(Math.round(v))} ${unit}`;

/** By statement, how much a column rose in the last ten seconds. */
function byStatement(column, shown) {
  return (steps) => {
    const now = steps.at(-1);
    const before = new Map((steps.at(-11) ?? steps[0]).statements.map((s) => [s.fingerprint, Number(s[column])]));
    return now.statements.map((s) => [s.statement, Number(s[column]) - (before.get(s.fingerprint) ?? 0)]).filter(([, rise]) => rise > 0)
      .sort((a, b) => b[1] - a[1]).slice(0, 10).map(([statement, rise]) => [statement, `${shown(rise)} in 10 s`]);
  };
}

function ofStore(...names) {
  return (steps) => names.map(([name, words, shown]) => [words, shown(store(steps.at(-1))[name] ?? 0)]);
}

const CARDS = [
  { title: "Statements", rate: calls, shown: per("/s"), hint: "Executions of all statements but those of this page", parts: byStatement("calls", count) },
  { title: "Commits", rate: value("txid"), shown: per("/s"), hint: "Commits that changed something", parts: byStatement("log_bytes", bytes) },
  { title: "Log written", rate: value("log_bytes_written"), shown: (v) => `${bytes(Math.round(v))}/s`, hint: "Bytes appended to the log", parts: byStatement("log_bytes", bytes) },
  { title: "Log behind the checkpoint", level: value("log_bytes_behind"), shown: bytes, hint: "What a recovery at this moment would read", parts: ofStore(["log_bytes", "length of the log", bytes], ["log_bytes_behind", "behind the checkpoint", bytes], ["syncs", "syncs", count], ["checkpoints", "checkpoints", count]) },
  { title: "Checkpoints", level: value("checkpoints"), shown: count, hint: "Since the database was opened", parts: ofStore(["checkpoints", "checkpoints", count], ["syncs", "syncs", count], ["log_bytes_behind", "log behind the last one", bytes]) },
  { title: "Page versions in memory", level: value("versions"), shown: count, hint: "Versions that a reader or the next checkpoint needs", parts: (steps) => [...ofStore(["open_readers", "open readers", count], ["snapshot_age", "commits since the eldest snapshot", count], ["scratch_bytes", "memory beside the cache", bytes])(steps), ...steps.at(-1).sessions.filter((s) => s.in_transaction).map((s) => [`session ${s.session} is in a transaction: ${s.statement ?? ""}`, time(s.running_ms)])] },
  { title: "Data file", level: value("data_bytes"), shown: bytes, hint: "Length of the file data", parts: ofStore(["pages", "pages", count], ["free_pages", "of them free", count], ["shadow_bytes", "shadow file", bytes], ["log_bytes", "log", bytes]) },
  { title: "Lock waits", level: value("lock_waits_now"), shown: count, hint: "Transactions that wait for a lock now", parts: byStatement("lock_waits", count) },
  { title: "Cost of watching", level: overhead, shown: (v) => `${(100 * v).toFixed(2)} %`, hint: "Share of the statements' time that counting and sampling take", parts: (steps) => steps.at(-1).overhead.map((row) => [`${row.name}: ${row.meaning}`, String(row.value)]) },
];

function rates(steps, figure) {
  const all = [];
  for (let i = Math.max(1, steps.length - SHOWN); i < steps.length; i++) {
    const seconds = Math.max(0.2, (steps[i].at - steps[i - 1].at) / 1000);
    all.push([steps[i].at / 1000, Math.max(0, (figure(steps[i]) - figure(steps[i - 1])) / seconds)]);
  }
  return all.length ? all : [[Date.now() / 1000, 0]];
}

function points(steps, card) {
  return card.rate ? rates(steps, card.rate) : steps.slice(-SHOWN).map((step) => [step.at / 1000, card.level(step)]);
}

/** Draws all figures; `state.open` is the title of the one that shows its parts. */
export function drawCards(place, steps, state, draw) {
  const chosen = CARDS.find((card) => card.title === state.open);
  refill(place, h("div.cards", {}, CARDS.map((card) => {
    const values = points(steps, card).map((p) => p[1]);
    return h("button.card", { type: "button", title: card.hint, "data-key": card.title, "aria-expanded": String(card === chosen), onclick: () => { state.open = card === chosen ? null : card.title; draw(); } },
      h("span.what", {}, card.title), h("span.big", {}, card.shown(values.at(-1))), sparkline(values, `${card.title}, the last two minutes`));
  })), chosen ? h("div.panel", {}, h("h3", {}, chosen.title), h("p.dim", {}, chosen.hint), series(chosen.title, points(steps, chosen)), parts(chosen.parts(steps))) : null);
}

function parts(rows) {
  return rows.length ? h("table.figures", {}, h("tbody", {}, rows.map(([name, amount]) => h("tr", {}, h("td", {}, h("code", {}, name)), h("td.number", {}, amount))))) : h("p.dim", {}, "No statement had a part in it in the last ten seconds.");
}
