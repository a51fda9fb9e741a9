/// Observation of statements: counters by kind, samples of sessions, slow executions with their plans, profiles,
/// and the output of EXPLAIN for a run.
package dev.oriel.sql.watch;
