/// Execution of statements that change or lock rows.
package dev.oriel.sql.change;
