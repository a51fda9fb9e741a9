/// Name resolution and typing: from the syntax of a statement to a [dev.oriel.sql.plan.Command], by a [Compiler],
/// the binders of its parts, and the planner.
package dev.oriel.sql.bind;
