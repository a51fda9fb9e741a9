package dev.oriel.sql.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How tables are joined. All of them write into one row, each into its slot, whatever the order in
/// which they are read; so every expression means the same column wherever it is evaluated.
public sealed interface Join {
    /// One table. Its bounds may use columns of tables that are read before it.
    ///
    /// @param name what the query calls it
    record Source(int slot, String name, Plan plan, BoundFrom.@Nullable Lateral lateral)
            implements Join {}

    /// The rows for which `condition` holds.
    record Filtered(Join input, Scalar condition) implements Join {}

    /// For each row of `outer` reads `inner` anew, which is bounded by it.
    ///
    /// @param left whether a row of `outer` without any of `inner` comes with NULLs
    /// @param slots those that `inner` fills
    record Loop(Join outer, Join inner, boolean left, List<Integer> slots) implements Join {}

    /// Keeps the rows of `build`, and finds those that go with each row of `probe` by keys; without
    /// keys it goes through all of them.
    ///
    /// @param rest what must hold besides; null where nothing must
    /// @param probeSlots those that `probe` fills
    /// @param buildSlots those that `build` fills
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
        /// Whether rows are looked up by what the query is given, and not by rows that it reads.
        public boolean looksUp() {
            return probe instanceof Source one && one.plan() instanceof Plan.OneRow;
        }
    }
}
