import assert from "node:assert/strict";
import { test } from "node:test";
import { described } from "../../main/resources/dev/oriel/studio/web/signatures.js";

const lpad = { name: "lpad", signature: "lpad(value text, [fill text])", result: "text", description: "Fills up.", example: "SELECT lpad('7')", answer: "007" };
const own = { name: "shop.own", signature: "own(a integer)", result: null, description: null, example: null, answer: null };

test("a function shows its signature, and its purpose and example on demand", () => {
  const [one] = described([lpad]);
  assert.equal(one.label, "lpad");
  assert.equal(one.apply, "lpad(");
  assert.equal(one.detail, "(value text, [fill text])");
  assert.equal(one.info, "lpad(value text, [fill text]) text\n\nFills up.\n\nSELECT lpad('7');\n--> 007");
});

test("signatures of one name are one completion, and nothing is invented", () => {
  const all = described([lpad, { ...lpad, signature: "lpad(value bytea)" }, own]);
  assert.deepEqual(all.map((one) => one.label), ["lpad", "shop.own"]);
  assert.match(all[0].info, /^lpad\(value text, \[fill text\]\) text\nlpad\(value bytea\) text\n/);
  assert.equal(all[1].info, "own(a integer)");
});

test("a function that is called without parentheses gets none", () => {
  const [one] = described([{ ...lpad, name: "current_date", signature: "current_date", result: "date" }]);
  assert.equal(one.apply, "current_date");
  assert.equal(one.detail, "");
});
