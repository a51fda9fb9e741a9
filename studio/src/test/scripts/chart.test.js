import assert from "node:assert/strict";
import { test } from "node:test";
import { moment } from "../../main/resources/dev/oriel/studio/web/moment.js";

test("a chart has the wall clock of a text, whatever its zone", () => {
  const at = (...parts) => Date.UTC(...parts) / 1000;
  assert.equal(moment("2026-01-02"), at(2026, 0, 2));
  assert.equal(moment("2026-01-02 03:04:05.5"), at(2026, 0, 2, 3, 4, 5, 500));
  assert.equal(moment("2026-01-02 03:04:05+05"), at(2026, 0, 2, 3, 4, 5));
  assert.ok(moment("0044-03-15 BC") < moment("0043-03-15 BC"));
  assert.ok(moment("0001-12-31 BC") < moment("0001-01-01"));
  assert.ok(Number.isNaN(moment("infinity")));
  assert.ok(Number.isNaN(moment(null)));
});
