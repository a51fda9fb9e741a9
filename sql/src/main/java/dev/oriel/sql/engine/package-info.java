/// SQL over a set of tables, put together: [Sql] is the root, [LocalSession] a session in this process,
/// [PlannedStatement] a statement with all that it keeps between runs.
package dev.oriel.sql.engine;
