package dev.oriel.bench;

import dev.oriel.bench.Results.Result;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the machine itself can do, without a database, and how near we come to it.
final class Limits {
    private static final String PREFIX = "limits/";

    /// Which of our cases a limit bounds, where their names do not say it.
    private record Bound(String limit, String ours) {}

    private static final List<Bound> BOUNDS =
            List.of(
                    new Bound("limits/sync(/.*)?", "jdbm/commit/1"),
                    new Bound("cold/jvm", "cold/first-query"),
                    new Bound("limits/.*seek.*", "axion/open-ended/both/warm"));

    /// One limit.
    ///
    /// @param ours our figure that it bounds, null where there is none
    /// @param share how many times as long ours takes
    record Limit(Result machine, @Nullable Result ours, @Nullable Interval share) {}

    private Limits() {}

    /// All that were measured.
    static List<Limit> of(Comparisons comparisons, Measured measured) {
        List<Limit> limits = new ArrayList<>();
        List<CaseTable> tables = comparisons.tables().stream().filter(CaseTable::isLimit).toList();
        for (CaseTable table : tables) {
            Result machine = table.rows().getFirst().result();
            Result ours = ours(measured, table.caseName()).orElse(null);
            if (ours == null || Measured.perOp(ours) <= 0 || Measured.perOp(machine) <= 0) {
                limits.add(new Limit(machine, null, null));
            } else {
                limits.add(new Limit(machine, ours, Measured.cost(ours, machine)));
            }
        }
        return limits;
    }

    private static Optional<Result> ours(Measured measured, String limit) {
        String same = limit.startsWith(PREFIX) ? limit.substring(PREFIX.length()) : limit;
        Optional<Result> named = measured.ours(same);
        if (named.isPresent()) {
            return named;
        }
        return BOUNDS.stream()
                .filter(bound -> limit.matches(bound.limit))
                .findFirst()
                .flatMap(bound -> measured.ours(bound.ours));
    }
}
