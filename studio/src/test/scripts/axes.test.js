import assert from "node:assert/strict";
import { test } from "node:test";
import { LogAxis, ratioOf } from "../../../../profiler/src/main/resources/dev/oriel/profiler/axes.js";

test("an axis has round ticks, as many as there may be", () => {
  assert.deepEqual(new LogAxis(0.79, 1.31).ticks(6), [0.8, 0.9, 1, 1.1, 1.2, 1.3]);
  assert.deepEqual(new LogAxis(0.9, 40).ticks(6), [1, 2, 5, 10, 20]);
  assert.deepEqual(new LogAxis(1, 1e6).ticks(8), [1, 10, 100, 1e3, 1e4, 1e5, 1e6]);
  assert.equal(new LogAxis(1, 1e9).ticks(2).length, 10);
});

test("values have places, those outside the ends", () => {
  const axis = LogAxis.around(10, 1000);
  assert.ok(axis.at(10) > 0 && axis.at(1000) < 1);
  assert.ok(Math.abs(axis.at(100) - 0.5) < 1e-9);
  assert.deepEqual([axis.at(1e-9), axis.at(1e9)], [0, 1]);
});

test("an axis of ratios holds 1, and leaves out what is no ratio", () => {
  const axis = LogAxis.ofRatios([3, NaN, Infinity, 0]);
  assert.ok(axis.low < 0.8 && axis.high > 3 && axis.high < 4);
  assert.ok(LogAxis.ofRatios([]).high > 1.25);
  assert.deepEqual(ratioOf({ value: "1.5", low: "", high: undefined }), { value: 1.5, low: null, high: null });
});
