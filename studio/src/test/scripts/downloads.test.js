import assert from "node:assert/strict";
import { test } from "node:test";
import { csv, distinctNames, isCut, json } from "../../main/resources/dev/oriel/studio/web/downloads.js";

const columns = (...names) => names.map((name) => ({ name, type: "VARCHAR" }));

test("CSV tells NULL from an empty text, and quotes what must be", () => {
  assert.equal(csv(columns("a", "b,c"), [[null, ""], ['say "x"', "two\nlines"]]), 'a,"b,c"\r\n,""\r\n"say ""x""","two\nlines"\r\n');
});

test("columns of one name keep their values", () => {
  assert.deepEqual(distinctNames(columns("a", "a", "a_2", "a")), ["a", "a_3", "a_2", "a_4"]);
  assert.deepEqual(JSON.parse(json(columns("a", "a"), [[1, 2]])), [{ a: 1, a_2: 2 }]);
});

test("whole bytes are written whole, and cut values are known", () => {
  const bytes = { hex: "00ff", bytes: 2 };
  assert.equal(csv(columns("a"), [[bytes]]), "a\r\n\\x00ff\r\n");
  assert.equal(isCut(bytes), false);
  assert.equal(isCut({ hex: "00ff", bytes: 3 }), true);
  assert.equal(isCut({ cut: "x", length: 9000 }), true);
  assert.equal(isCut(null), false);
});
