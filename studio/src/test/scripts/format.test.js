import assert from "node:assert/strict";
import { test } from "node:test";
import { amount, bytes, cellText, count, isNumber, many, percent, rowCount, time } from "../../main/resources/dev/oriel/studio/web/format.js";

test("numbers have groups of thousands", () => {
  assert.equal(count(1234567), "1,234,567");
  assert.equal(count("9007199254740993"), "9,007,199,254,740,992"); // what a number can hold
  assert.equal(count(null), "");
  assert.equal(rowCount(1), "1 row");
  assert.equal(rowCount(2), "2 rows");
  assert.equal(many(1, "vertex", "vertices"), "1 vertex");
  assert.equal(many(1200, "vertex", "vertices"), "1,200 vertices");
});

test("times and sizes have the unit that a person would use", () => {
  assert.equal(time(0.5), "500 \u00b5s");
  assert.equal(time(12.34), "12.3 ms");
  assert.equal(time(61_000), "1.02 min");
  assert.equal(time(26 * 3_600_000), "26.0 h");
  assert.equal(time(72 * 3_600_000), "3.00 days");
  assert.equal(bytes(512), "512 B");
  assert.equal(bytes(1536), "1.50 KB");
  assert.equal(amount(2e6, "ns"), "2.00 ms");
  assert.equal(percent(0.051), "5.1 %");
});

test("values of rows are text, and say where they are cut", () => {
  assert.equal(cellText(null), "NULL");
  assert.equal(cellText({ cut: "ab", length: 9 }), "ab\u2026");
  assert.equal(cellText({ hex: "00ff", bytes: 2 }), "\\x00ff");
  assert.equal(isNumber("DECIMAL(8, 2)"), true);
  assert.equal(isNumber("VARCHAR"), false);
});
