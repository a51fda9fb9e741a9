// Who blocks whom: a tree whose roots hold what others wait for.

import { h } from "./dom.js";
import { time } from "./format.js";

/**
 * The sessions that block others, each with those that wait for it and, below these, the ones that wait for them.
 *
 * @param {{session: number, blocked_by: number}[]} locks
 * @returns {{session: number, lock: any, blocked: number, waiting: any[]}[]}
 */
export function waitTree(locks) {
  const waits = new Map();
  for (const lock of locks) {
    if (!waits.has(lock.blocked_by)) waits.set(lock.blocked_by, []);
    waits.get(lock.blocked_by).push(lock);
  }
  const waiting = new Set(locks.map((lock) => lock.session));
  const seen = new Set();

  function below(session, lock) {
    const first = !seen.has(session);
    seen.add(session);
    // A session that was met already is in a circle, which the database is about to break.
    const all = first ? (waits.get(session) ?? []).map((one) => below(one.session, one)) : [];
    return { session, lock, waiting: all, blocked: all.reduce((sum, one) => sum + 1 + one.blocked, 0) };
  }

  const roots = [...waits.keys()].filter((session) => !waiting.has(session));
  return (roots.length ? roots : [...waits.keys()].slice(0, 1)).map((session) => below(session, waits.get(session)[0]));
}

/** The tree of waits of one step, or null if nobody waits. */
export function lockTree(now, cancel) {
  const roots = waitTree(now.locks);
  if (!roots.length) return null;
  const about = new Map(now.sessions.map((s) => [s.session, s]));
  const button = (session) => h("button.plain", { type: "button", "data-key": `lock ${session}`, onclick: () => cancel(session) }, "Cancel");
  const list = (all) => (all.length ? h("ul", {}, all.map((one) => h("li", {}, h("div.node", {},
    h("div", {}, h("strong", {}, `session ${one.session}`), ` waits ${time(one.lock.waited_ms)} for ${one.lock.object} (${one.lock.mode}) `, button(one.session)),
    one.lock.statement ? h("code", {}, one.lock.statement) : null), list(one.waiting)))) : null);

  const root = (one) => {
    const state = about.get(one.session)?.state ?? one.lock.blocking_state ?? "";
    return h("li", {}, h("div.node", {}, h("div", {}, h("strong.mark", {}, `session ${one.session}`), ` blocks ${one.blocked}; it is ${state}${state === "idle" ? " in a transaction" : ""} `, state === "idle" ? null : button(one.session)),
      one.lock.blocking_statement ? h("code", {}, one.lock.blocking_statement) : null), list(one.waiting));
  };
  return h("div.panel.plan", {}, h("h2", {}, "Who blocks whom"), h("ul", {}, roots.map(root)));
}
