import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceTree, methodSums, stackTree } from "../../main/resources/dev/oriel/studio/web/trees.js";

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
