// The editor: CodeMirror with PostgreSQL's words and the names of the catalog.

import { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection } from "@codemirror/view";
import { EditorState } from "@codemirror/state";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { autocompletion, completionKeymap, closeBrackets } from "@codemirror/autocomplete";
import { HighlightStyle, syntaxHighlighting, bracketMatching } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { tags } from "@lezer/highlight";
import { catalog } from "./tree.js";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--bad)" },
  { tag: tags.comment, color: "var(--dim)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--dim)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
});

async function names() {
  const all = await catalog();
  const schema = {};
  for (const table of all.tables) schema[table.name] = [];
  for (const index of all.indexes) {
    if (schema[index.table]) schema[index.table].push(...String(index.columns).split(", "));
  }
  for (const table of all.computed) {
    if (table.kind === "table") {
      schema[`${table.schema}.${table.name}`] = table.columns.split(", ").map((c) => c.split(" ")[0]);
    }
  }
  return schema;
}

/**
 * @param {string} text
 * @param {boolean} plain whether the text is no SQL
 * @param {() => void} run called for Ctrl-Enter
 * @param {() => void} [next] called for Shift-Enter
 */
export async function editor(text, plain, run, next = run) {
  const nonce = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=nonce]"))?.content ?? "";
  const language = plain ? [] : [sql({ dialect: PostgreSQL, schema: await names(), upperCaseKeywords: true })];
  const view = new EditorView({
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce), lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(),
        closeBrackets(), autocompletion(), language, syntaxHighlighting(colours), look, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": plain ? "Gremlin" : "SQL" }),
        keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }, { key: "Shift-Enter", run: () => { next(); return true; } }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      ],
    }),
  });
  return {
    element: view.dom,
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
    /** What is selected, or all of it; and where it begins. */
    chosen() {
      const { from, to } = view.state.selection.main;
      return from === to ? { text: view.state.doc.toString(), from: 0 } : { text: view.state.sliceDoc(from, to), from };
    },
    set(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    /** Marks the place of an error; without one, clears the mark. */
    mark(position, message) {
      const from = Math.min(position ?? 0, view.state.doc.length);
      const marks = position === undefined ? [] : [{ from, to: Math.min(from + 1, view.state.doc.length), severity: "error", message }];
      view.dispatch(setDiagnostics(view.state, marks));
    },
    close: () => view.destroy(),
  };
}
