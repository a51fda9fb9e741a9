/// Cancels of the running statement, which all code that works for it polls.
@org.jspecify.annotations.NullMarked
package dev.oriel.sql.cancel;
