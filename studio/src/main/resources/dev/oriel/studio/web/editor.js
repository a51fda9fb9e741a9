// The editor: CodeMirror with PostgreSQL's words and the names of the catalog.

import { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection } from "@codemirror/view";
import { EditorState } from "@codemirror/state";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { autocompletion, closeCompletion, completionKeymap, closeBrackets } from "@codemirror/autocomplete";
import { HighlightStyle, syntaxHighlighting, bracketMatching } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { tags } from "@lezer/highlight";
import { get } from "./api.js";
import { catalog } from "./tree.js";
import { described } from "./signatures.js";

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
  ".cm-completionInfo": { whiteSpace: "pre-wrap", fontFamily: "var(--mono, monospace)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
});

let words = null;

/** What can be completed: asked for once, and again when the catalog has changed. */
async function known() {
  const all = await catalog();
  if (words?.catalog !== all) words = { catalog: all, ...(await get("words")) };
  return words;
}

/** Tables and their columns as the editor's library wants them: those of the default schema by their own name. */
export function namespace(columns, computed) {
  // Without a prototype: a schema may be called constructor.
  const schema = Object.create(null);
  for (const { schema: of, table, column, type } of columns) {
    const place = of === "public" ? schema : (schema[of] ??= Object.create(null));
    if (!Array.isArray(place[table])) place[table] = [];
    place[table].push({ label: column, type: "property", detail: type });
  }
  for (const table of computed) {
    if (table.kind === "table") {
      schema[table.schema] ??= Object.create(null);
      schema[table.schema][table.name] = table.columns.split(", ").map((c) => c.split(" ")[0]);
    }
  }
  return schema;
}

/** Completes one of `options` once a letter was typed, or when it was asked for. */
function completing(options, before) {
  return (context) => {
    const word = context.matchBefore(/\w*$/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    if (before && !before.test(context.state.sliceDoc(Math.max(0, word.from - 1), word.from))) return null;
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

async function sqlLanguage() {
  const { catalog: all, columns, signatures } = await known();
  const support = sql({ dialect: PostgreSQL, schema: namespace(columns, all.computed), upperCaseKeywords: true });
  const options = described(signatures);
  return [support, PostgreSQL.language.data.of({ autocomplete: completing(options, null) }), autocompletion()];
}

async function gremlinLanguage() {
  const { steps } = await known();
  const options = steps.map((name) => ({ label: name, type: "function", apply: `${name}(` }));
  return [autocompletion({ override: [completing(options, /[.(,\s]/)] })];
}

/** Does what a key asks for, without the list of completions that would hide the answer. */
function act(view, what) {
  closeCompletion(view);
  what();
  return true;
}

/**
 * @param {string} text
 * @param {boolean} plain whether the text is no SQL
 * @param {() => void} run called for Ctrl-Enter
 * @param {() => void} [next] called for Shift-Enter
 */
export async function editor(text, plain, run, next = run) {
  const nonce = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=nonce]"))?.content ?? "";
  const language = plain ? await gremlinLanguage() : await sqlLanguage();
  const view = new EditorView({
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce), lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(),
        closeBrackets(), language, syntaxHighlighting(colours), look, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": plain ? "Gremlin" : "SQL" }),
        keymap.of([{ key: "Mod-Enter", run: (at) => act(at, run) }, { key: "Shift-Enter", run: (at) => act(at, next) }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
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
