/// SQL, from text to rows, in the order in which a statement passes through:
///
/// ```
/// text --(Lexer)--> tokens --(Parser)--> Statement, Expression      syntax, with positions
///      --(Compiler, SelectBinder, ScalarBinder)--> BoundSelect, Scalar    names and types
///      --(Planner, AccessPlanner)--> Plan in a Command              immutable, in a PlanCache
///      --(Operator, Change)--> rows, counts                  one for each PlannedStatement
/// ```
/// All up to the Command is immutable and shared by sessions, for as long as the catalog's version
/// stays. What moves lives in the operators of one prepared statement: cursors, ranges, frames. They
/// are built at its first run and opened again by the next ones, so that a query allocates one
/// small object, its result, and reading rows allocates none.
///
/// This package is what others see: sessions, errors, and what Java adds to a database. Below are, each
/// of which knows only those before it: `text`, `value`, `measure`, `syntax`, `json`, `file`, `rows`, `plan`,
/// `planner`, `bind`, `run`, `change`, `define`, `watch`, `engine`.
///
/// Beside that way stands what looks at it: Watch counts executions and samples sessions, an Analysis
/// times operators, and [ComputedTable]s show all of it, and whatever else Java computes, to SQL.
///
/// The dialect follows PostgreSQL where the standard is silent. Where it differs, on purpose: names
/// keep the case they are written in and are found in any; ROUND, FLOOR and CEIL of an integer are
/// integers; CHAR is not padded; a TIMESTAMP WITH TIME ZONE is shown in UTC; a transaction goes on
/// after a statement that failed.
@NullMarked
package dev.oriel.sql;

import org.jspecify.annotations.NullMarked;
