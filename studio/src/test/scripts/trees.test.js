import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceTree, eventTree, methodSums, stackTree } from "../../../../profiler/src/main/resources/dev/oriel/profiler/trees.js";
import { launcherFrames } from "../../../../profiler/src/main/resources/dev/oriel/profiler/frames.js";

const stacks = [{ stack: "a;b", weight: 3, thread: "one" }, { stack: "a;c;b", weight: 5, thread: "two" }, { stack: "a", weight: 1, thread: "one" }];

test("stacks make a tree, the heaviest first", () => {
  const root = stackTree(stacks);
  assert.equal(root.total, 9);
  assert.equal(root.children[0].self, 1);
  assert.deepEqual(root.children[0].children.map((n) => [n.name, n.total, n.depth]), [["c", 5, 2], ["b", 3, 2]]);
});

test("a tree is inverted, and grouped by thread", () => {
  assert.deepEqual(stackTree(stacks, { inverted: true }).children.map((n) => [n.name, n.total]), [["b", 8], ["a", 1]]);
  assert.deepEqual(stackTree(stacks, { by: "thread" }).children.map((n) => [n.name, n.total]), [["two", 5], ["one", 4]]);
  assert.equal(stackTree(stacks, { by: "statement" }).children[0].name, "(no statement)");
});

test("a difference knows both weights, also of what is gone", () => {
  const root = differenceTree([{ stack: "a;x", weight: 4 }], stacks);
  assert.equal(root.before, 4);
  assert.deepEqual(root.children[0].children.map((n) => [n.name, n.total, n.before]), [["c", 5, 0], ["b", 3, 0], ["x", 0, 4]]);
});

test("of calls inside each other the total counts the outermost", () => {
  const { sums, whole } = methodSums([{ stack: "a;a;b", weight: 2 }, { stack: "b;a", weight: 1 }]);
  assert.equal(whole, 3);
  assert.deepEqual(sums.get("a"), { self: 1, total: 3 });
});

test("launcher frames are left out where they start others", () => {
  const pool = "java.lang.Thread.run;java.util.concurrent.ThreadPoolExecutor$Worker.run";
  assert.equal(launcherFrames(`${pool};a.B.work;java.util.HashMap.get`.split(";")), 2);
  assert.equal(launcherFrames(pool.split(";")), 0);
  assert.equal(launcherFrames(["java.util.HashMap.get", "a.B.hashCode"]), 0);
  assert.equal(launcherFrames(`${pool};java.util.concurrent.LinkedBlockingQueue.take;jdk.internal.misc.Unsafe.park`.split(";")), 0);
  const root = stackTree([{ stack: `${pool};a.B.work`, weight: 3 }, { stack: pool, weight: 1 }, { stack: "java.lang.Thread.run;a.B.work", weight: 4 }], { folded: true });
  assert.deepEqual(root.children.map((n) => [n.name, n.total]), [["a.B.work", 7], ["java.lang.Thread.run", 1]]);
});

test("events make a tree of the places that are kept", () => {
  const names = ["java.lang.Thread.run", "a.B.work", "a.B.work:7"];
  const placed = { places: [-1, 0, 0, 1, 1, 2], events: [2, 0, 0, 0, 0, 5, 2, 3, 1, 0, 0, 2, 0, 4, 0, 0, 0, 1] };
  const whole = eventTree(placed, names);
  assert.deepEqual([whole.total, whole.children.length, whole.children[0].self, whole.children[0].total], [8, 1, 1, 8]);
  const folded = eventTree(placed, names, { folded: true });
  assert.deepEqual(folded.children.map((n) => [n.name, n.total]), [["a.B.work", 7], ["java.lang.Thread.run", 1]]);
  assert.equal(folded.children[0].children[0].self, 7);
  assert.equal(eventTree(placed, names, { keep: ({ cell, thread }) => thread === 1 && cell === 3 }).total, 2);
});
