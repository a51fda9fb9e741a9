/// Chooses: by which key a table is read ([AccessPlanner]), in which order tables are joined ([JoinPlanner]),
/// what a query need not compute; by an [Estimate] from statistics.
package dev.oriel.sql.planner;
