/// Cancels of the statement that runs, which all that works for it looks for.
@org.jspecify.annotations.NullMarked
package dev.oriel.sql.cancel;
