package dev.oriel.sql;

import dev.oriel.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query, resolved and typed: what is wanted, not yet how.
///
/// Where the query is grouped, `having` and the outputs are evaluated on rows of keys and aggregates,
/// else on rows of the table.
///
/// @param table null where there is no FROM
/// @param visible how many of the outputs the query returns; those after them are only sorted by
/// @param order keys over the outputs
record BoundSelect(
        @Nullable Table table,
        @Nullable Scalar where,
        @Nullable Grouping grouping,
        List<Output> outputs,
        int visible,
        boolean distinct,
        List<Plan.SortKey> order,
        Plan.@Nullable Count limit,
        Plan.@Nullable Count offset) {
    /// GROUP BY and what goes with it.
    record Grouping(List<Scalar> keys, List<AggregateCall> aggregates, @Nullable Scalar having) {}

    /// @param table name of the table that a plain column belongs to, else empty
    record Output(Scalar scalar, String name, String table) {}
}
