// Tables: rows, columns, keys; one row at a time to look at and to change.

import { h, fill, problem, say } from "./dom.js";
import { get, post } from "./api.js";
import { bytes, cellText, count, percent, rowCount, time } from "./format.js";
import { grid } from "./grid.js";
import { catalog, forgetCatalog, isInternal, rowsOf, tree } from "./tree.js";
import { editRow, keyOf } from "./edit.js";
import { wholeText } from "./values.js";
import { newest } from "./turns.js";

/** Rows that are read in an order that no index has: each page of them costs a sort of the table. */
const SORTED_MAX = 10_000;

const OPERATORS = ["=", "<>", "<", "<=", ">", ">=", "like", "null", "not null"];

/** Shows the view at `#/explore[/KIND/SCHEMA/NAME[/COLUMN/VALUE]...]`. */
export async function explore(view, [kind, schema, name, ...filters]) {
  view.className = "split";
  const side = h("aside.side", { "aria-label": "Catalog" });
  const body = h("div.body");
  fill(view, side, body);
  try {
    const drawing = newest();
    const redraw = async () => {
      const wanted = drawing();
      const drawn = await tree(location.hash);
      if (wanted()) fill(side, drawn);
    };
    await redraw();
    if (kind === "table") await table(body, schema, name, filters, redraw);
    else if (kind === "system") await system(body, schema, name);
    else await welcome(body);
  } catch (error) {
    fill(body, h("div.scroll", {}, problem(error)));
  }
}

/** Address of a table, or of its rows with these values: pairs of column and value. */
function address(schema, table, pairs = []) {
  return ["#/explore/table", schema, table, ...pairs.flat()].map((part, i) => (i ? encodeURIComponent(part) : part)).join("/");
}

async function welcome(body) {
  const all = await catalog(true);
  const size = (t) => t.bytes ?? t.rows ?? t.estimate;
  const tables = all.tables.filter((t) => t.estimate !== undefined && !isInternal(t)).sort((a, b) => size(b) - size(a));
  if (!all.tables.length) {
    fill(body, h("div.empty", {}, h("p", {}, "The database is empty."), h("p", {}, h("a", { href: "#/ask" }, "Create a table with SQL"), " to begin.")));
    return;
  }
  const most = Math.max(1, ...tables.map(size));
  fill(body, h("div.scroll", {}, h("section", {}, h("h2", {}, "Largest tables"),
    h("table.figures", {}, h("thead", {}, h("tr", {}, h("th", {}, "Table"), h("th.number", {}, "Rows"), h("th.number", {}, "About"), h("th", {}, h("span.visually-hidden", {}, "Share")))),
      h("tbody", {}, tables.slice(0, 20).map((t) => h("tr", {},
        h("td", {}, h("a", { href: `#/explore/table/${encodeURIComponent(t.schema)}/${encodeURIComponent(t.name)}` }, t.schema === "public" ? t.name : `${t.schema}.${t.name}`)),
        h("td.number", {}, rowsOf(t)),
        h("td.number", { title: "of rows and indexes, estimated from some of them" }, t.bytes === undefined ? "" : bytes(t.bytes)),
        h("td", { style: { width: "40%" } }, h("div.meter", { style: { width: percent(size(t) / most).replace(" ", "") } })))))))));
}

async function system(body, schema, name) {
  const page = await post("rows", { schema, table: name, limit: 1000 });
  const shown = grid({ columns: page.columns });
  fill(body, h("div.bar", {}, h("h2.title", {}, `${schema}.${name}`), h("span.dim", {}, page.more ? `the first ${rowCount(page.rows.length)}` : rowCount(page.rows.length))), shown.element);
  shown.add(page.rows);
}

/** One table: its rows by pages, what they are filtered and ordered by. `redraw` draws the catalog beside it. */
async function table(body, schema, name, filters, redraw) {
  const about = await get("table", { schema, name });
  const state = { order: null, descending: false, where: [] };
  for (let i = 0; i + 1 < filters.length; i += 2) state.where.push({ column: filters[i], op: "=", value: filters[i + 1] });
  const drawer = h("aside.drawer", { "aria-label": "Details" });
  const place = h("div.body");
  const shownCount = h("span.dim");
  const note = h("span.dim", { role: "status" });
  const asking = newest();
  const telling = newest();
  let current;
  /** The row to show in the drawer when rows are drawn next, by its key; null if the drawer is up to date. */
  let outdated = null;

  /** Loads the rows; those of the question before are marked meanwhile. An answer is dropped if another question was asked. */
  async function load() {
    const wanted = asking();
    place.setAttribute("aria-busy", "true");
    const show = await post("rows", question()).then((first) => () => draw(first), (error) => () => fail(error));
    if (!wanted()) return;
    place.removeAttribute("aria-busy");
    show();
    renewDrawer();
  }

  function draw(first) {
    const shown = grid({
      columns: first.columns,
      order: { column: state.order ?? about.primaryKey[0], descending: state.descending },
      onhead: about.primaryKey.length ? orderBy : null,
      onpick: (row) => showRow(row, first.columns),
      onend: more,
    });
    current = { shown, page: first, loading: false };
    fill(place, shown.element, first.rows.length ? null : h("div.empty", {}, state.where.length ? "No row matches the filter." : "The table has no rows."));
    shown.add(first.rows);
    fill(note, first.indexed || !about.primaryKey.length || !state.order ? "" : first.more
      ? `No index has the order of ${state.order}: each page sorts the table, so the first ${count(SORTED_MAX)} rows are shown.` : "");
    say(`${rowCount(first.rows.length)} loaded`);
  }

  /** Loads the rows again after a change of one of them, and shows that one. */
  async function reload(key) {
    markDrawer({ key });
    await load();
  }

  /** Marks what the drawer shows until rows are drawn, whichever question they answer. */
  function markDrawer(next) {
    outdated = next;
    if (next) drawer.setAttribute("aria-busy", "true");
    else drawer.removeAttribute("aria-busy");
  }

  function renewDrawer() {
    if (!outdated) return;
    const { key } = outdated;
    markDrawer(null);
    const { rows, columns } = current?.shown.element.isConnected ? { rows: current.shown.rows, columns: current.page.columns } : { rows: [], columns: [] };
    const at = key ? rows.findIndex((row) => JSON.stringify(keyOf(about, row, columns)) === JSON.stringify(key)) : -1;
    if (at >= 0) current.shown.pick(at);
    else fill(drawer, structure(about));
  }

  async function again() {
    forgetCatalog();
    await redraw();
    await tell();
    await reload();
  }

  function question() {
    return { schema, table: name, order: state.order ?? undefined, descending: state.descending, where: state.where, limit: state.order && current?.page.indexed === false ? 1000 : 300 };
  }

  async function more() {
    const mine = current;
    if (!mine || mine.loading || !mine.page.more || place.hasAttribute("aria-busy")) return;
    if (mine.page.keyset && !mine.page.indexed && mine.shown.rows.length >= SORTED_MAX) return;
    mine.loading = true;
    const next = mine.page.keyset ? { after: mine.page.last } : { offset: mine.shown.rows.length };
    try {
      mine.page = await post("rows", { ...question(), ...next });
    } finally {
      mine.loading = false; // the next scrolling asks again
    }
    mine.shown.add(mine.page.rows);
  }

  function orderBy(column) {
    state.descending = (state.order ?? about.primaryKey[0]) === column ? !state.descending : false;
    state.order = column;
    load();
  }

  function fail(error) {
    fill(place, h("div.scroll", {}, problem(error)));
  }

  function showRow(row, columns) {
    if (outdated) markDrawer({ key: keyOf(about, row, columns) }); // a row of a page that is being replaced
    fill(drawer, rowDetails(about, row, columns, keyOf(about, row, columns), reload));
  }

  /** Size and number of rows, as the catalog has them. */
  async function tell() {
    const wanted = telling();
    const all = await catalog();
    if (!wanted()) return;
    const known = all.tables.find((t) => t.name === name && t.schema === schema);
    fill(shownCount, !known ? "" : known.bytes === undefined ? "" : `${bytes(known.bytes)}, `, !known ? "" : known.rows === undefined ? `${rowsOf(known)} rows` : rowCount(known.rows));
  }

  fill(body,
    h("div.bar", {}, h("h2.title", { title: name }, schema === "public" ? name : `${schema}.${name}`), shownCount,
      filter(about, state, load),
      h("button.changes", { type: "button", onclick: () => editRow(about, null, null, reload) }, "New row"),
      h("button", { type: "button", "aria-label": "Reload", title: "Load the rows and the catalog again", onclick: () => again().catch(fail) }, "\u21bb"),
      h("button", { type: "button", onclick: () => { markDrawer(null); fill(drawer, structure(about)); } }, "Structure"), note),
    h("div.columns", {}, place, drawer));
  fill(drawer, structure(about));
  await tell();
  await load();
}

function filter(about, state, apply) {
  const column = h("select", { "aria-label": "Column" }, about.columns.map((c) => h("option", {}, c.name)));
  const operator = h("select", { "aria-label": "Operator" }, OPERATORS.map((o) => h("option", {}, o)));
  const value = h("input", { "aria-label": "Value", placeholder: "value", size: 12 });
  const shown = h("span.dim");
  const clear = h("button.plain", { type: "button", onclick: () => { state.where = []; tell(); apply(); } }, "clear");
  function tell() {
    clear.hidden = !state.where.length;
    const text = state.where.map((w) => `${w.column} ${w.op} ${w.value}`).join(" and ");
    fill(shown, text.length > 120 ? `${text.slice(0, 120)}\u2026` : text);
    shown.title = text;
  }
  tell();
  return h("form.filter", {
    onsubmit: (event) => {
      event.preventDefault();
      state.where = [{ column: column.value, op: operator.value, value: value.value }];
      tell();
      apply();
    },
  }, column, " ", operator, " ", value, " ", h("button", {}, "Filter"), " ", shown, clear);
}

function structure(about) {
  const keys = new Set(about.primaryKey);
  return [
    h("h2", {}, "Columns"),
    h("table.figures", {}, h("tbody", {}, about.columns.map((c) => h("tr", {},
      h("td", {}, h("button.plain", { type: "button", title: "Values of this column", onclick: (e) => summary(about, c, e.target) }, keys.has(c.name) ? `${c.name} (key)` : c.name)),
      h("td", {}, h("code", {}, `${c.type}${c.nullable ? "" : " NOT NULL"}`)))))),
    about.indexes.length ? [h("h2", {}, "Indexes"), about.indexes.map((i) => h("p", {}, h("code", {}, `${i.unique === "YES" ? "unique " : ""}${i.name} (${i.columns})`)))] : null,
    about.imported.length ? [h("h2", {}, "Refers to"), about.imported.map(reference)] : null,
    about.exported.length ? [h("h2", {}, "Is referred to by"), about.exported.map(reference)] : null,
  ];
}

/** The name of a table that a key refers to, with its schema if that is not the default one. */
function called(key) {
  return key.schema === "public" ? key.table : `${key.schema}.${key.table}`;
}

function reference(key) {
  return h("p", {}, h("a", { href: address(key.schema, key.table) }, called(key)), " ",
    h("code", {}, key.columns.map(([ours, theirs]) => `${ours} \u2192 ${theirs}`).join(", ")));
}

async function summary(about, column, button) {
  const place = h("tr", {}, h("td", { colSpan: 2 }, "\u2026"));
  button.closest("tr").after(place);
  button.disabled = true;
  const begun = performance.now();
  try {
    const s = await post("summary", { schema: about.schema, table: about.name, column: column.name });
    const most = Math.max(1, ...s.frequent.map((f) => f.rows));
    fill(place.firstChild,
      h("dl", {}, h("dt", {}, "rows"), h("dd", {}, `${count(s.rows)}${s.rows === s.sampled ? " (sample)" : ""}`),
        h("dt", {}, "NULL"), h("dd", {}, s.rows ? percent(1 - s.present / s.rows) : "0"),
        h("dt", {}, "different"), h("dd", {}, count(s.distinct)),
        h("dt", {}, "least"), h("dd", {}, cellText(s.least)),
        h("dt", {}, "greatest"), h("dd", {}, cellText(s.greatest)),
        s.about && s.rows === s.sampled ? [h("dt", {}, "all rows, by the planner"), h("dd", {}, `~${count(s.about.rows)}, ${percent(s.about.nulls)} NULL, ~${count(s.about.distinct)} different`)] : null),
      s.histogram && s.distinct > 1 ? histogram(s.histogram, s.from, s.to) : null,
      (most > 1 ? s.frequent : []).map((f) => h("div", { title: rowCount(f.rows) }, h("span", {}, `${cellText(f.value)} `), h("span.dim", {}, count(f.rows)),
        h("div.meter", { style: { width: `${(100 * f.rows) / most}%` } }))),
      h("p.dim", {}, `in ${time(performance.now() - begun)}`));
  } catch (error) {
    fill(place.firstChild, problem(error));
  }
}

function rowDetails(about, row, columns, key, reload) {
  const keyed = about.primaryKey.length > 0;
  const links = new Map();
  for (const reference of about.imported) {
    if (reference.columns.length === 1) links.set(reference.columns[0][0], reference);
  }
  return [
    h("h2", {}, "Row"),
    h("dl", {}, columns.map((column, i) => [h("dt", {}, column.name), h("dd", {}, value(about, row[i], column, key, links.get(column.name)))])),
    keyed ? h("p.changes", {}, h("button", { type: "button", onclick: (e) => editRow(about, row, columns, reload, { button: e.currentTarget }) }, "Edit"), " ",
      h("button", { type: "button", onclick: () => editRow(about, row, columns, reload, { remove: true }) }, "Delete"))
      : h("p.dim", {}, "Rows of a table without a primary key are changed by SQL."),
    about.imported.filter((r) => r.columns.length > 1).map((r) => forward(r, row, columns)),
    about.exported.length ? h("h3", {}, "Referred to by") : null,
    about.exported.map((reference) => followers(reference, row, columns)),
  ];
}

function value(about, shown, column, key, reference) {
  if (shown !== null && typeof shown === "object" && about.primaryKey.length) {
    const whole = h("button", { type: "button", onclick: async () => {
      const cell = await post("cell", { schema: about.schema, table: about.name, column: column.name, key });
      whole.replaceWith(wholeText(pretty(cell.value, column.type), `${about.name}-${column.name}`));
    } }, "Show all");
    return [cellText(shown), " ", whole];
  }
  if (reference && shown !== null) {
    return h("a", { href: address(reference.schema, reference.table, [[reference.columns[0][1], cellText(shown)]]), title: `the row of ${called(reference)}` }, cellText(shown));
  }
  return h("span", { class: shown === null ? "dim" : "" }, pretty(cellText(shown), column.type));
}

function pretty(text, type) {
  if (!/^JSON/.test(type) || text === "NULL") return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // it was cut
  }
}

/** The way to the row that several columns refer to together. */
function forward(reference, row, columns) {
  const pairs = reference.columns.map(([ours, theirs]) => [theirs, row[columns.findIndex((c) => c.name === ours)]]);
  return pairs.some(([, value]) => value === null) ? null : h("p", {}, "\u2192 ", h("a", { href: address(reference.schema, reference.table, pairs.map(([c, v]) => [c, cellText(v)])) }, called(reference)));
}

/** Rows of another table that refer to this one: how many, and the way to them. */
function followers(reference, row, columns) {
  const pairs = reference.columns.map(([ours, theirs]) => [theirs, row[columns.findIndex((c) => c.name === ours)]]);
  if (pairs.some(([, value]) => value === null || typeof value === "object")) return null;
  const facts = h("span.dim", {}, " \u2026");
  post("rows", { schema: reference.schema, table: reference.table, where: pairs.map(([column, value]) => ({ column, op: "=", value })), limit: 100 })
    .then((page) => fill(facts, page.more ? " 100 rows or more" : ` ${rowCount(page.rows.length)}`), (error) => fill(facts, ` ${error.message}`));
  return h("p", {}, "\u2190 ", h("a", { href: address(reference.schema, reference.table, pairs.map(([c, v]) => [c, cellText(v)])) }, called(reference)), ` by ${pairs.map(([c]) => c).join(", ")}`, facts);
}

/** A histogram from the least value to the greatest. */
function histogram(counts, least, greatest) {
  const most = Math.max(1, ...counts);
  return [h("div.histogram", { role: "img", "aria-label": `Distribution from ${cellText(least)} to ${cellText(greatest)}` },
    counts.map((n) => h("div", { title: rowCount(n), style: { height: `${(100 * n) / most}%` } }))),
  h("div.range.dim", {}, h("span", {}, cellText(least)), h("span", {}, cellText(greatest)))];
}
