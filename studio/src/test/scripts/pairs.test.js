import assert from "node:assert/strict";
import { test } from "node:test";
import { likelyEnds, neighbourQuery, pairsAsGraph } from "../../main/resources/dev/oriel/studio/web/pairs.js";

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

test("a row of another answer is the same edge, and equal rows are several", () => {
  const ids = (rows) => pairsAsGraph(columns, rows, 1, 2, 0).filter((e) => e.kind === "edge").map((e) => e.id);
  const first = ids([[1, "GRZ", "VIE"], [1, "GRZ", "VIE"], [2, "VIE", "GRZ"]]);
  assert.equal(new Set(first).size, 3);
  assert.deepEqual(ids([[2, "VIE", "GRZ"], [1, "GRZ", "VIE"]]), [first[2], first[0]]);
});

test("neighbours are asked for by the same query, whatever its names and its last comment", () => {
  const asked = neighbourQuery("SELECT 1 AS \"a\"\"b\", 2 AS c -- all; ", [{ name: 'a"b' }, { name: "c" }], 0, 1);
  assert.equal(asked, 'SELECT * FROM (SELECT 1 AS "a""b", 2 AS c -- all\n) AS pairs WHERE CAST("a""b" AS VARCHAR) = ? OR CAST("c" AS VARCHAR) = ? LIMIT 100');
});
