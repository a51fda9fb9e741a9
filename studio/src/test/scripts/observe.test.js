import assert from "node:assert/strict";
import { test } from "node:test";
import { waitTree } from "../../main/resources/dev/oriel/studio/web/locks.js";
import { judged, windows } from "../../main/resources/dev/oriel/studio/web/regressions.js";
import { figureOf, Session, sumOf } from "../../main/resources/dev/oriel/studio/web/session.js";

function answer(second, statements) {
  return { at: 1000 * second, store: [{ name: "txid", value: second }], overhead: [{ name: "share", value: 0.01 }], plans: [], transactions: [], sessions: [], locks: [], slow: [],
    statements: statements.map(([fingerprint, calls, total_ms, more = {}]) => ({ fingerprint, statement: `SELECT '${fingerprint}'`, calls, total_ms, ...more })) };
}

test("a blocked session stands below the one that it waits for", () => {
  const tree = waitTree([{ session: 2, blocked_by: 1 }, { session: 3, blocked_by: 2 }, { session: 4, blocked_by: 1 }]);
  assert.equal(tree.length, 1);
  assert.deepEqual([tree[0].session, tree[0].blocked], [1, 3]);
  assert.deepEqual(tree[0].waiting.map((one) => [one.session, one.blocked]), [[2, 1], [4, 0]]);
});

test("a circle of waits ends", () => {
  const [root] = waitTree([{ session: 1, blocked_by: 2 }, { session: 2, blocked_by: 1 }]);
  assert.equal(root.waiting[0].waiting[0].waiting.length, 0);
  assert.deepEqual(waitTree([]), []);
});

test("times per call are compared with the statement's own past", () => {
  const session = new Session();
  for (let s = 0, ms = 0; s <= 65; s++) {
    ms += s > 35 ? 30 : 10;
    session.add(answer(s, [["a", 10 * s, ms], ["idle", 7, 7]]));
  }
  const all = windows(session.steps);
  assert.equal(all.has("idle"), false);
  assert.equal(all.get("a").length, 13);
  const [{ fingerprint, a, b }] = judged(session.steps);
  assert.equal(fingerprint, "a");
  assert.ok(a.every((ms) => Math.abs(ms - 1) < 0.01) && b.every((ms) => Math.abs(ms - 3) < 0.01), `${a} ${b}`);
});

test("a whole day is kept in bounded memory, the last minutes second by second", () => {
  const session = new Session();
  for (let s = 0; s < 86_400; s++) session.add(answer(s, [["a", s, s]]));
  assert.ok(session.steps.length <= 1330, String(session.steps.length));
  assert.equal(session.steps.at(-1).at - session.steps.at(-300).at, 299_000);
  assert.ok(session.steps[0].at < 86_400_000 - 11 * 3_600_000);
  assert.equal(figureOf(session.before(10), "a", "calls"), 86_389);
  assert.equal(sumOf(session.steps.at(-1), "calls"), 86_399);
});

test("conflicts are restarts and failures of transactions", () => {
  const session = new Session();
  session.add(answer(1, [["a", 1, 1]]));
  session.add(answer(2, [["a", 2, 2, { restarts: 2, errors_by_state: "40001: 3, 22012: 9" }], ["b", 1, 1]]));
  assert.equal(session.steps.at(-1).conflicts, 5);
  const { steps } = JSON.parse(session.json());
  assert.equal(steps.length, 2);
  assert.deepEqual(steps[1].statements, { a: [2, 2, 0, 0, 0, 2], b: [1, 1, 0, 0, 0, 0] });
});

test("steps with the same statements share their names, in whatever order these come", () => {
  const session = new Session();
  session.add(answer(1, [["a", 1, 1], ["b", 5, 1]]));
  session.add(answer(2, [["b", 7, 1], ["a", 2, 1]]));
  session.add(answer(3, [["b", 7, 1], ["c", 2, 1]]));
  const [first, second, third] = session.steps;
  assert.equal(first.layout, second.layout);
  assert.notEqual(second.layout, third.layout);
  assert.deepEqual(session.steps.map((step) => ["a", "b", "c"].map((name) => figureOf(step, name, "calls"))), [[1, 5, undefined], [2, 7, undefined], [undefined, 7, 2]]);
});
