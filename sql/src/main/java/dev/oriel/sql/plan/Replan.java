package dev.oriel.sql.plan;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plans a derived table again, once it is known which of its rows and columns are used.
@FunctionalInterface
public interface Replan {
    /// A plan for the rows that meet some of `conditions`, predicates on its columns; null if the conditions do
    /// not change the plan.
    ///
    /// @param taken receives the conditions that need no further test
    /// @param asked positions of the columns that are read, by `conditions` too; null for all. The other columns
    ///     may have any value.
    @Nullable Plan with(List<Scalar> conditions, List<Scalar> taken, @Nullable BitSet asked);
}
