import assert from "node:assert/strict";
import { test } from "node:test";
import { heatGrid } from "../../../../profiler/src/main/resources/dev/oriel/profiler/heat.js";

test("weights are summed by column and cell, empty columns included", () => {
  const grid = heatGrid([{ column: 2, cell: 0, weight: 3 }, { column: 2, cell: 0, weight: 1 }, { column: 0, cell: 9, weight: 5 }], 2);
  assert.deepEqual(grid, [[0, 5], [0, 0], [4, 0]]);
  assert.deepEqual(heatGrid([], 2), []);
});
