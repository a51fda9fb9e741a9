package dev.oriel.sql.bind;

import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.PlanCardinalities;
import dev.oriel.table.statistics.Statistics;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A plan of a text that the catalog keeps.
///
/// @param basis cardinalities that the plan depends on; null if it depends on none
public record Planned<T>(T plan, @Nullable PlanCardinalities basis) {
    /// The plan that `planning` makes, with estimates by the statistics of `known`.
    static <T> Planned<T> of(Compiler.Known known, Function<Estimate, T> planning) {
        Statistics statistics = known.statistics();
        long version = statistics == null ? 0 : statistics.version();
        Estimate estimate =
                TableExpressions.estimate(statistics == null ? table -> null : statistics::of);
        T plan = planning.apply(estimate);
        return new Planned<>(
                plan,
                statistics == null
                        ? null
                        : PlanCardinalities.of(statistics, version, estimate.found()));
    }

    /// Whether its tables have about the size that it was made for.
    public boolean holds() {
        return basis == null || basis.holds();
    }
}
