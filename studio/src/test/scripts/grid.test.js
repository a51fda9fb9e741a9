import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsInSight, placement, scrollFor } from "../../main/resources/dev/oriel/studio/web/grid.js";
import { withNewlines } from "../../main/resources/dev/oriel/studio/web/edit.js";

test("short tables scroll as they are", () => {
  assert.deepEqual(placement(1000, 500, 240), { height: 24000, top: 240, shift: 0 });
  assert.equal(scrollFor(1000, 500, 240), 240);
});

test("long tables keep within the height that browsers draw, and reach their last row", () => {
  const rows = 10_000_000;
  const { height } = placement(rows, 600, 0);
  assert.ok(height <= 8_000_000);
  assert.equal(placement(rows, 600, height - 600).top, rows * 24 - 600);
  for (const top of [0, 24, 5_000_000, rows * 24 - 600]) {
    assert.ok(Math.abs(placement(rows, 600, scrollFor(rows, 600, top)).top - top) < 1);
  }
});

test("of a wide table the columns in sight are drawn, and room for the others", () => {
  assert.deepEqual(columnsInSight([100, 200], 50, 0), { from: 0, to: 2, before: 0, behind: 0 });
  const pixels = Array.from({ length: 1000 }, (_, i) => 100 + (i % 3));
  const whole = pixels.reduce((a, b) => a + b);
  for (const scrolled of [0, 1, 5_000, 50_321, whole - 700]) {
    const { from, to, before, behind } = columnsInSight(pixels, 700, scrolled);
    const drawn = pixels.slice(from, to).reduce((a, b) => a + b);
    assert.equal(before + drawn + behind, whole);
    assert.ok(before <= scrolled && before + drawn >= scrolled + 700, `${scrolled}`);
    assert.ok(to - from < 40, `${to - from}`);
  }
});

test("a text that was edited has the newlines that it had", () => {
  assert.equal(withNewlines("a\nb", "x\r\ny"), "a\r\nb");
  assert.equal(withNewlines("a\nb", "x\ny"), "a\nb");
  assert.equal(withNewlines("a\nb", "x\r\ny\nz"), "a\nb");
});
