// The tree of what the database holds.

import { h } from "./dom.js";
import { get } from "./api.js";
import { count } from "./format.js";

let known = null;

/** The catalog, asked for once and again if `anew`. */
export async function catalog(anew = false) {
  if (anew || !known) known = get("catalog");
  return known;
}

function link(kind, schema, name, extra, current) {
  const path = `#/explore/${kind}/${encodeURIComponent(schema)}/${encodeURIComponent(name)}`;
  const here = current === path;
  return h("li", {}, h("a", { href: path, "aria-current": here ? "page" : null, title: name },
    h("span", {}, name), extra ? h("span.count", {}, extra) : null));
}

function group(title, items) {
  return items.length ? [h("h2", {}, `${title} (${items.length})`), h("ul", {}, items)] : [];
}

function isBucket(table) {
  return /^(bucket|map)_/i.test(table.name);
}

/** Tables that the graph keeps its names in, and the notebooks of this page. */
export function isInternal(table) {
  return table.name.startsWith("oriel.") || table.name === "oriel_studio_notebooks";
}

/** Elements of the tree; `current` is the address of the place that is shown. */
export async function tree(current) {
  const all = await catalog();
  const tables = all.tables.filter((t) => !t.type.includes("VIEW"));
  const views = all.tables.filter((t) => t.type.includes("VIEW"));
  const rows = (t) => (t.rows === undefined ? "" : count(t.rows));
  const item = (t) => link("table", t.schema, t.name, rows(t), current);
  const computed = all.computed.filter((c) => c.kind === "table");
  return [
    group("Tables", tables.filter((t) => !isBucket(t) && !isInternal(t)).map(item)),
    group("Buckets and maps", tables.filter(isBucket).map(item)),
    group("Views", views.map(item)),
    group("Graphs", all.graphs.map((g) => h("li", {}, h("a", { href: `#/ask/gremlin/${encodeURIComponent(g.name)}` }, h("span", {}, g.name || "(without a name)"))))),
    group("Sequences", all.sequences.map((s) => h("li", {}, h("a", { href: `#/explore/system/information_schema/sequences` }, h("span", {}, s.name))))),
    group("Kept by Oriel", tables.filter(isInternal).map(item)),
    group("System", computed.map((c) => link("system", c.schema, c.name, "", current))),
  ];
}
