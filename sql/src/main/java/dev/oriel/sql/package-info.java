/// SQL, from text to rows, in the order of a statement's processing:
///
/// ```
/// text --(Lexer)--> tokens --(Parser)--> Statement, Expression      syntax, with positions
///      --(Compiler, SelectBinder, ScalarBinder)--> BoundSelect, Scalar    names and types
///      --(Planner, AccessPlanner)--> Plan in a Command              immutable, in a PlanCache
///      --(Operator, Change)--> rows, counts                  one for each PlannedStatement
/// ```
/// Everything up to the Command is immutable and shared by sessions, as long as the catalog's version stays.
/// Mutable state is in the operators of one prepared statement: cursors, ranges, frames. They are built at its
/// first run and reopened by later ones. So a query allocates one small object, its result, and reading rows
/// allocates none.
///
/// This package is the public part: sessions, errors, and extensions in Java. The packages below it depend only on
/// earlier ones, in this order: `text`, `value`, `measure`, `syntax`, `json`, `file`, `rows`, `plan`, `planner`,
/// `bind`, `run`, `change`, `define`, `watch`, `engine`.
///
/// Observation is separate: Watch counts executions and samples sessions, and an Analysis times operators.
/// [ComputedTable]s show their data, and anything else that Java computes, to SQL.
///
/// The dialect follows PostgreSQL unless the standard prescribes otherwise. It differs on purpose:
/// - Names keep their case and match in any.
/// - ROUND, FLOOR and CEIL of an integer are integers.
/// - CHAR is not padded.
/// - A literal of a moment in a stored definition is in UTC.
/// - A transaction continues after a statement that failed.
@NullMarked
package dev.oriel.sql;

import org.jspecify.annotations.NullMarked;
