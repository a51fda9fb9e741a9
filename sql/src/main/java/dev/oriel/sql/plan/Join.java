package dev.oriel.sql.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A join tree. All tables write into one wide row, each into its slot, in any order of reading. So a column
/// reference is the same wherever it is evaluated.
public sealed interface Join {
    /// One table. Its bounds may use columns of tables that are read before it.
    ///
    /// @param name name of the table in the query
    record Source(int slot, String name, Plan plan, BoundFrom.@Nullable Lateral lateral)
            implements Join {}

    /// The rows for which `condition` holds.
    record Filtered(Join input, Scalar condition) implements Join {}

    /// A nested loop join: reads `inner` again for each row of `outer`, which bounds it.
    ///
    /// @param left whether an unmatched row of `outer` comes with NULLs
    /// @param slots filled by `inner`
    record Loop(Join outer, Join inner, boolean left, List<Integer> slots) implements Join {}

    /// A hash join: keeps the rows of `build`, and probes them with each row of `probe` by keys; without keys it
    /// reads all of them.
    ///
    /// @param rest residual predicate; null if there is none
    /// @param probeSlots filled by `probe`
    /// @param buildSlots filled by `build`
    record Hash(
            BoundFrom.Kind kind,
            Join probe,
            Join build,
            List<Scalar> probeKeys,
            List<Scalar> buildKeys,
            @Nullable Scalar rest,
            List<Integer> probeSlots,
            List<Integer> buildSlots)
            implements Join {
        /// Whether the probe keys come from the query's arguments, rather than from rows that it reads.
        public boolean looksUp() {
            return probe instanceof Source one && one.plan() instanceof Plan.OneRow;
        }
    }
}
