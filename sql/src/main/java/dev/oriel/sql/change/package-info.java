/// Statements that change rows, or lock them, as they run.
package dev.oriel.sql.change;
