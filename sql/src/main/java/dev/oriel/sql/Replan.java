package dev.oriel.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a query that stands for a table is planned anew, once it is known which of its rows are wanted.
@FunctionalInterface
interface Replan {
    /// A plan for those of its rows for which some of `conditions` hold, which are about its columns; null
    /// where it can take none of them in.
    ///
    /// @param taken gets those that need not be tested any more
    @Nullable Plan with(List<Scalar> conditions, List<Scalar> taken);
}
