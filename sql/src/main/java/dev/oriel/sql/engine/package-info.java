/// Composition of SQL over a set of tables: [Sql] is the root, [LocalSession] a session in this process. A
/// [PlannedStatement] is a statement with its state between runs.
package dev.oriel.sql.engine;
