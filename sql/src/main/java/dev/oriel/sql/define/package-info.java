/// Statements that change definitions, as they run: resolved against the catalog of that moment.
package dev.oriel.sql.define;
