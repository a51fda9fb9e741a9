// Who blocks whom: a tree whose roots hold what others wait for.

import { h } from "./dom.js";
import { time } from "./format.js";

/** The tree of waits of one step, or null if nobody waits. */
export function lockTree(now, cancel) {
  const waits = new Map();
  for (const lock of now.locks) {
    if (!waits.has(lock.blocked_by)) waits.set(lock.blocked_by, []);
    waits.get(lock.blocked_by).push(lock);
  }
  if (!waits.size) return null;
  const waiting = new Set(now.locks.map((lock) => lock.session));
  const roots = [...waits.keys()].filter((session) => !waiting.has(session));
  const about = new Map(now.sessions.map((s) => [s.session, s]));
  const seen = new Set();

  function below(session) {
    if (seen.has(session)) return null; // a circle, which the database is about to break
    seen.add(session);
    const list = waits.get(session) ?? [];
    return list.length ? h("ul", {}, list.map((lock) => h("li", {}, h("div.node", {},
      h("div", {}, h("strong", {}, `session ${lock.session}`), ` waits ${time(lock.waited_ms)} for ${lock.object} (${lock.mode}) `, button(lock.session)),
      lock.statement ? h("code", {}, lock.statement) : null), below(lock.session)))) : null;
  }

  function button(session) {
    return h("button.plain", { type: "button", "data-key": `lock ${session}`, onclick: () => cancel(session) }, "Cancel");
  }

  const root = (session) => {
    const first = waits.get(session)[0];
    const state = about.get(session)?.state ?? first.blocking_state ?? "";
    return h("li", {}, h("div.node", {}, h("div", {}, h("strong.mark", {}, `session ${session}`), ` blocks ${size(session)}; it is ${state}${state === "idle" ? " in a transaction" : ""} `, state === "idle" ? null : button(session)),
      first.blocking_statement ? h("code", {}, first.blocking_statement) : null), below(session));
  };

  function size(session, counted = new Set()) {
    for (const lock of waits.get(session) ?? []) {
      if (!counted.has(lock.session)) {
        counted.add(lock.session);
        size(lock.session, counted);
      }
    }
    return counted.size;
  }

  return h("div.panel.plan", {}, h("h2", {}, "Who blocks whom"), h("ul", {}, (roots.length ? roots : [...waits.keys()].slice(0, 1)).map(root)));
}
