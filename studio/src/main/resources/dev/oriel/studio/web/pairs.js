// Rows as a graph: each is an edge from the value of one column to that of another.

import { cellText } from "./format.js";

/** Columns that a person would draw first: the first two that are not each the other's copy. */
export function likelyEnds(columns) {
  const named = (words) => columns.findIndex((c) => words.test(c.name));
  const from = Math.max(0, named(/^(from|source|src|origin|a|out)(_|$)/i));
  const to = named(/^(to|target|dst|dest|destination|b|in)(_|$)/i);
  return [from, to >= 0 && to !== from ? to : from === 0 ? 1 : 0];
}

/**
 * @param {{name: string}[]} columns
 * @param {any[][]} rows
 * @param {number} from column of the vertex that an edge leaves
 * @param {number} to column of the vertex that it enters
 * @param {number} [label] column of its label
 */
export function pairsAsGraph(columns, rows, from, to, label = -1) {
  const vertices = new Map();
  const edges = [];
  const met = new Map();
  const end = (column, value) => {
    // Columns that hold the same kind of thing, as names do on both ends, share their vertices.
    const text = cellText(value);
    if (!vertices.has(text)) vertices.set(text, { kind: "vertex", id: text, label: columns[column].name, properties: { [columns[column].name]: text } });
    return text;
  };
  /** The same for the same row of another answer; equal rows are numbered. */
  const idOf = (row) => {
    const ends = JSON.stringify([row[from], row[to], label < 0 ? "" : row[label]]);
    met.set(ends, (met.get(ends) ?? 0) + 1);
    return `${ends} ${met.get(ends)}`;
  };
  for (const row of rows) {
    if (row[from] === null && row[to] === null) continue;
    const ends = [from, to].filter((column) => row[column] !== null).map((column) => end(column, row[column]));
    if (ends.length === 2) edges.push({ kind: "edge", id: idOf(row), label: label < 0 ? "" : cellText(row[label]), out: ends[0], in: ends[1], properties: {} });
  }
  return [...vertices.values(), ...edges];
}

/** A query for the rows of `sql` that have a vertex at one of their ends; it takes the vertex twice, as further parameters. */
export function neighbourQuery(sql, columns, from, to) {
  const name = (i) => `"${columns[i].name.replaceAll('"', '""')}"`;
  return `SELECT * FROM (${sql.replace(/;\s*$/, "")}\n) AS pairs WHERE CAST(${name(from)} AS VARCHAR) = ? OR CAST(${name(to)} AS VARCHAR) = ? LIMIT 100`;
}
