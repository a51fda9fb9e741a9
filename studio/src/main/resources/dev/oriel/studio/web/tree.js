// The tree of what the database holds.

import { h } from "./dom.js";
import { get } from "./api.js";
import { bytes, count } from "./format.js";

let known = null;

/** Objects from which on a name is hard to find by eye. */
const MANY = 40;

/** What was looked for last. */
let sought = "";

/** The catalog, asked for once and again if `anew`. */
export async function catalog(anew = false) {
  if (anew || !known) {
    const asked = get("catalog");
    known = asked;
    asked.catch(() => { if (known === asked) known = null; }); // it is asked for again then
  }
  return known;
}

/** Says that the catalog has changed: it is asked for when it is next shown. */
export function forgetCatalog() {
  known = null;
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

/** A group that is closed until it is pressed. */
function folded(title, items) {
  return items.length ? h("details", {}, h("summary", {}, `${title} (${items.length})`), h("ul", {}, items)) : [];
}

/** A group of each schema; without the schema's name if there is but one. */
function bySchema(title, objects, item) {
  const schemas = [...new Set(objects.map((o) => o.schema))].sort((a, b) => Number(b === "public") - Number(a === "public") || a.localeCompare(b));
  return schemas.map((schema) => group(schemas.length === 1 && schema === "public" ? title : `${title} of ${schema}`, objects.filter((o) => o.schema === schema).map(item)));
}

function isBucket(table) {
  return /^(bucket|map)_/i.test(table.name);
}

/** Tables that the graph keeps its names in, and the notebooks of this page. */
export function isInternal(table) {
  return table.name.startsWith("oriel.") || table.name === "oriel_studio_notebooks";
}

/** Number of a table's rows: counted, or about. */
export function rowsOf(table) {
  if (table.rows !== undefined) return count(table.rows);
  return table.estimate === undefined ? "" : `~${count(table.estimate)}`;
}

/** Shows the places whose names have `sought` in them, and the groups that have such. */
function seek(groups) {
  const wanted = sought.trim().toLowerCase();
  for (const list of groups.querySelectorAll("ul")) {
    let found = 0;
    for (const item of list.children) {
      item.hidden = !item.textContent.toLowerCase().includes(wanted);
      found += item.hidden ? 0 : 1;
    }
    const folder = list.closest("details");
    if (folder) folder.open = wanted !== "" && found > 0;
    (folder ?? list.previousElementSibling).hidden = !found;
  }
}

/** A field that finds names in a long tree. */
function finder(groups) {
  const field = h("input", { type: "search", placeholder: "Find a name", "aria-label": "Find a name in the catalog", value: sought, oninput: () => { sought = field.value; seek(groups); } });
  return field;
}

/** Elements of the tree; `current` is the address of the place that is shown. */
export async function tree(current) {
  const all = await catalog();
  const tables = all.tables.filter((t) => !t.type.includes("VIEW"));
  const views = all.tables.filter((t) => t.type.includes("VIEW"));
  const item = (t) => link("table", t.schema, t.name, [rowsOf(t), t.bytes ? bytes(t.bytes) : ""].filter(Boolean).join(", "), current);
  const computed = all.computed.filter((c) => c.kind === "table");
  const index = (i) => h("li", {}, h("a", { href: `#/explore/table/${encodeURIComponent(i.schema)}/${encodeURIComponent(i.table)}`, title: `${i.name} of ${i.table} (${i.columns})` },
    h("span", {}, i.name), h("span.count", {}, i.table)));
  const groups = h("div", {},
    bySchema("Tables", tables.filter((t) => !isBucket(t) && !isInternal(t)), item),
    group("Buckets and maps", tables.filter(isBucket).map(item)),
    bySchema("Views", views, item),
    group("Graphs", all.graphs.map((g) => h("li", {}, h("a", { href: `#/ask/gremlin/${encodeURIComponent(g.name)}` }, h("span", {}, g.name || "(without a name)"))))),
    bySchema("Sequences", all.sequences, (s) => h("li", {}, h("a", { href: `#/explore/system/information_schema/sequences` }, h("span", {}, s.name)))),
    folded("Indexes", all.indexes.filter((i) => !isInternal({ name: i.table })).map(index)),
    folded("Kept by Oriel", tables.filter(isInternal).map(item)),
    folded("System", computed.map((c) => link("system", c.schema, c.name, "", current))));
  if (all.tables.length + all.indexes.length < MANY) return [groups];
  if (sought) seek(groups);
  return [finder(groups), groups];
}
