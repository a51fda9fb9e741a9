/// What looks at statements: counts by kind, samples of sessions, slow executions with their plans, profiles,
/// and what EXPLAIN prints of a run.
package dev.oriel.sql.watch;
