package dev.oriel.sql.plan;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a query that stands for a table is planned anew, once it is known which of its rows and columns are
/// wanted.
@FunctionalInterface
public interface Replan {
    /// A plan for those of its rows for which some of `conditions` hold, which are about its columns; null
    /// where it would be the same plan as without them.
    ///
    /// @param taken gets those that need not be tested any more
    /// @param asked positions of the columns that are read, by `conditions` too; in the others there may be
    ///     anything. null for all
    @Nullable Plan with(List<Scalar> conditions, List<Scalar> taken, @Nullable BitSet asked);
}
