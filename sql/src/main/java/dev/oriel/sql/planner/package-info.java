/// The optimizer: chooses access paths ([AccessPlanner]) and join order ([JoinPlanner]), and removes computations
/// that a query does not need. Choices compare the costs that an [Estimate] derives from statistics.
package dev.oriel.sql.planner;
