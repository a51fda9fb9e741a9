/// Name resolution and typing, from the syntax of a statement to a [dev.oriel.sql.plan.Command]. A [Compiler] calls
/// the binders of its parts, and the planner.
package dev.oriel.sql.bind;
