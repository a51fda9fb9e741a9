import assert from "node:assert/strict";
import { test } from "node:test";
import { likelyEnds, pairsAsGraph } from "../../main/resources/dev/oriel/studio/web/pairs.js";

const columns = [{ name: "id" }, { name: "from_code" }, { name: "to_code" }];

test("rows are edges between their values, and NULL is no vertex", () => {
  const all = pairsAsGraph(columns, [[1, "GRZ", "VIE"], [2, "VIE", "GRZ"], [3, "LNZ", null]], 1, 2, 0);
  assert.deepEqual(all.filter((e) => e.kind === "vertex").map((v) => v.id), ["GRZ", "VIE", "LNZ"]);
  assert.deepEqual(all.filter((e) => e.kind === "edge").map((e) => [e.out, e.in, e.label]), [["GRZ", "VIE", "1"], ["VIE", "GRZ", "2"]]);
});

test("the ends are found by their names, or are the first two columns", () => {
  assert.deepEqual(likelyEnds(columns), [1, 2]);
  assert.deepEqual(likelyEnds([{ name: "x" }, { name: "y" }]), [0, 1]);
});
