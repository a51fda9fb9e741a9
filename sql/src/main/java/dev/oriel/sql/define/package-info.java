/// Execution of definition statements, resolved against the current catalog.
package dev.oriel.sql.define;
