// Notebooks that are saved in the database, in a table of their own.

import { stream, ApiError } from "./api.js";

const TABLE = "oriel_studio_notebooks";

async function rows(sql, parameters, whole = false) {
  const all = [];
  await stream("query", { sql, parameters, whole }, (line) => {
    if (line.error) throw new ApiError(line.error);
    if (line.row) all.push(line.row);
  });
  return all;
}

/** Names of the notebooks of a language; none if nothing was saved yet. */
export async function names(language) {
  try {
    return (await rows(`SELECT DISTINCT name FROM ${TABLE} WHERE language = ? ORDER BY name`, [language])).map(([name]) => name);
  } catch (error) {
    if (error.state === "42P01" || error.state === "42S02") return [];
    throw error;
  }
}

/** The texts of the cells of a notebook. */
export async function load(language, name) {
  const found = await rows(`SELECT number, text FROM ${TABLE} WHERE language = ? AND name = ? ORDER BY number`, [language, name], true);
  return found.map(([, text]) => text ?? "");
}

/** Keeps the texts of cells under a name, in place of what it had: all of it or nothing. */
export async function keep(language, name, texts) {
  const values = texts.map(() => "(?, ?, ?, ?)").join(", ");
  await rows(`BEGIN; CREATE TABLE IF NOT EXISTS ${TABLE} (language VARCHAR NOT NULL, name VARCHAR NOT NULL, number INTEGER NOT NULL, text VARCHAR NOT NULL, PRIMARY KEY (language, name, number));
    DELETE FROM ${TABLE} WHERE language = ? AND name = ?; INSERT INTO ${TABLE} VALUES ${values}; COMMIT`,
  [language, name, ...texts.flatMap((text, i) => [language, name, i, text])]);
}

export async function remove(language, name) {
  await rows(`DELETE FROM ${TABLE} WHERE language = ? AND name = ?`, [language, name]);
}
