import assert from "node:assert/strict";
import { test } from "node:test";
import { Colours, isLine, searchPattern } from "../../../../profiler/src/main/resources/dev/oriel/profiler/frames.js";

test("a search is a name, or a regular expression if it is more", () => {
  assert.ok(searchPattern("insert$row").test("db.sql.Insert$Row.encode"));
  assert.ok(!searchPattern("a.b").test("axb"));
  assert.ok(searchPattern("^db\\.(sql|kv)\\.").test("db.kv.Map.get"));
  assert.ok(!searchPattern("^db\\.(sql|kv)\\.").test("my.db.sql.Insert.run"));
  assert.ok(searchPattern("<init>:12").test("a.B.<init>:12"));
  assert.ok(searchPattern("run(").test("a.B.run(int)"));
});

test("the layers with the most time have colours, 24 of them, the later ones darker", () => {
  globalThis.document = /** @type {any} */ ({ documentElement: { dataset: { theme: "light" } } });
  const colours = new Colours(new Map(Array.from({ length: 30 }, (_, i) => [`p${i}`, 100 - i])));
  const shades = [...Array(24).keys()].map((i) => colours.colour(`p${i}.x.y`, true));
  assert.equal(new Set(shades).size, 24);
  assert.equal(colours.legend().length, 25);
  assert.equal(colours.legend().at(-1)[0], "other");
  assert.equal(colours.colour("p24.x.y", true), colours.colour("p29.x.y", true));
  const light = (shade) => Number(/([\d.]+)%\)$/.exec(shade)[1]);
  assert.ok(light(shades[10]) < light(shades[9]));
  delete globalThis.document;
});

test("a line is one of the method above it", () => {
  const root = { name: "all", top: true, parent: null };
  const method = { name: "a.B.run", parent: root };
  assert.ok(isLine({ name: "a.B.run:12", parent: method }));
  assert.ok(!isLine({ name: "a.B.run", parent: method }));
  assert.ok(!isLine({ name: "all:12", parent: root }));
  assert.ok(!isLine(root));
});
