// Changes one row, after its SQL was shown.

import { h, fill, problem, say } from "./dom.js";
import { post } from "./api.js";
import { isNumber } from "./format.js";
import { newest } from "./turns.js";

/** Characters of a text that is edited here; longer ones are changed by SQL. */
const EDITED_MAX = 100_000;

const opening = newest();

/**
 * @param {any} about the table
 * @param {any[] | null} row null for a new one
 * @param {any[] | null} columns
 * @param {(key: any) => Promise<void>} reload called after a change, with the key of the row unless it is new or gone
 * @param {{remove?: boolean, button?: Element}} [how] whether to delete the row; the button that was pressed
 */
export async function editRow(about, row, columns, reload, { remove = false, button } = {}) {
  const wanted = opening();
  const whole = row && !remove ? await wholeRow(about, row, columns) : row;
  if (!wanted() || (button && !button.isConnected)) return; // pressed again, or another row is shown
  const fields = about.columns.filter((c) => !c.generated).map((column) => field(column, whole, columns));
  const sql = h("pre", {}, "");
  const trouble = h("div");
  const run = h("button.primary", { disabled: true }, remove ? "Delete" : "Save");
  const dialog = h("dialog", { "aria-label": remove ? "Delete a row" : row ? "Edit a row" : "New row", onclose: () => dialog.remove() },
    h("h2", {}, remove ? `Delete this row of ${about.name}?` : row ? `Edit a row of ${about.name}` : `New row of ${about.name}`),
    h("form", { method: "dialog", onsubmit: submit },
      remove ? null : fields.map((f) => [h("label", { for: f.id }, f.name), f.element]),
      h("span"), h("div", {}, sql, trouble, run, " ", h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"))));

  function change() {
    const key = row ? keyOf(about, row, columns) : undefined;
    const set = Object.fromEntries(fields.filter((f) => f.changed()).map((f) => [f.name, f.value()]));
    // The row as it is shown: another session may have changed it meanwhile.
    const seen = row ? Object.fromEntries(columns.map((c, i) => [c.name, row[i]])) : undefined;
    return { schema: about.schema, table: about.name, key, set: remove ? undefined : set, seen };
  }

  /** The key that the row has after the change. */
  function keyAfter({ key, set }) {
    if (!row || remove) return null;
    return Object.fromEntries(Object.entries(key).map(([name, value]) => [name, !Object.hasOwn(set, name) ? value : typeof value === "number" ? Number(set[name]) : set[name]]));
  }

  const asking = newest();
  async function preview() {
    const wanted = asking();
    try {
      const shown = change();
      if (!remove && !Object.keys(shown.set).length) {
        fill(sql, "Nothing is changed yet.");
        run.disabled = true;
        return;
      }
      const answer = await post("change", { ...shown, preview: true });
      if (!wanted()) return; // more was typed, or it was sent, meanwhile
      fill(sql, answer.sql);
      run.disabled = false;
      fill(trouble);
    } catch (error) {
      if (wanted()) fill(trouble, problem(error));
    }
  }

  async function submit(event) {
    event.preventDefault();
    asking(); // an answer to a preview changes nothing any more
    run.disabled = true; // it is sent once
    try {
      const wanted = change();
      const done = await post("change", wanted);
      dialog.close();
      say(`Done: ${done.sql}`);
      await reload(keyAfter(wanted));
    } catch (error) {
      run.disabled = false;
      fill(trouble, problem(error));
    }
  }

  for (const f of fields) f.element.addEventListener("input", preview);
  document.body.appendChild(dialog);
  dialog.showModal();
  preview();
}

/** The primary key of a row: its columns and values. A column may be called `__proto__`. */
export function keyOf(about, row, columns) {
  return Object.fromEntries(about.primaryKey.map((name) => [name, row[columns.findIndex((c) => c.name === name)]]));
}

/** The row with its long texts to their ends, but those that are too long to be edited. */
async function wholeRow(about, row, columns) {
  const key = keyOf(about, row, columns);
  return Promise.all(row.map(async (value, i) => (value !== null && typeof value === "object" && "cut" in value && value.length <= EDITED_MAX
    ? (await post("cell", { schema: about.schema, table: about.name, column: columns[i].name, key })).value : value)));
}

/** A field of the page keeps newlines as \n; a text that had others has them again. */
export function withNewlines(text, before) {
  return /\r\n/.test(before) && !/(^|[^\r])\n/.test(before) ? text.replaceAll("\n", "\r\n") : text;
}

let fieldNumber = 0;

function field(column, row, columns) {
  const id = `field-${fieldNumber++}`;
  const before = row ? row[columns.findIndex((c) => c.name === column.name)] : undefined;
  const cut = before !== null && typeof before === "object";
  const text = before === null || before === undefined || cut ? "" : String(before);
  const empty = cut ? "Too long, or bytes: change it by SQL." : row ? (before === null ? "NULL" : "(empty text)") : column.default ?? (column.nullable ? "NULL" : "");
  const input = h("textarea", { id, rows: Math.min(12, text.split("\n").length), placeholder: empty, disabled: cut, spellcheck: false, class: isNumber(column.type) ? "short" : null });
  input.value = text;
  let touched = false;
  const isNull = h("input", { type: "checkbox", "aria-label": `${column.name} is NULL`, checked: before === null, onchange: () => { touched = true; input.dispatchEvent(new Event("input")); } });
  input.addEventListener("input", (event) => {
    if (event.isTrusted) {
      touched = true;
      isNull.checked = false;
    }
  });
  return {
    id, name: column.name,
    element: h("span", {}, input, column.nullable ? [" ", h("label", {}, isNull, " NULL")] : null),
    changed: () => touched && !cut,
    value: () => (isNull.checked ? null : withNewlines(input.value, text)),
  };
}
