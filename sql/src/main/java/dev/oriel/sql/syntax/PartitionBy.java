package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.IndexTerm;
import dev.oriel.table.definition.Partition;
import java.util.List;

/// PARTITION BY.
///
/// @param position of the strategy
/// @param key columns and expressions
public record PartitionBy(int position, Partition.Strategy strategy, List<IndexTerm> key) {}
