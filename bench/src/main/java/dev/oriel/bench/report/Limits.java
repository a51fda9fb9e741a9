package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Measured;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Limits of the machine itself, without a database, and our distance from them.
final class Limits {
    private static final String PREFIX = "limits/";

    /// Bytes of a record's id, which are moved as its value is.
    private static final int ID_BYTES = 8;

    /// The case of ours that a limit bounds, if the names do not tell it; of several sizes the largest up to a
    /// million records.
    private record Bound(String limit, String ours) {}

    private static final List<Bound> BOUNDS =
            List.of(
                    new Bound("limits/sync(/.*)?", "jdbm/commit/1"),
                    new Bound("limits/sequential-write", "jdbm/insert/in-order/\\d+x\\d+/written"),
                    new Bound("limits/memcpy", "jdbm/scan/in-order/\\d+x\\d+/written"),
                    new Bound("limits/load/memory", "jdbm/get/at-random/\\d+x\\d+/written"),
                    new Bound("cold/jvm", "cold/first-query"),
                    new Bound("limits/.*seek.*", "axion/open-ended/both/warm"));

    /// One limit.
    ///
    /// @param ours our figure that it bounds, null if there is none
    /// @param share how many times as long ours takes, an operation or a byte
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
                Result alike = machine.unit().equals("bytes/s") ? bytes(ours) : ours;
                limits.add(new Limit(machine, ours, Measured.cost(alike, machine)));
            }
        }
        return limits;
    }

    /// A rate of records as the rate of their bytes.
    private static Result bytes(Result records) {
        double each = Cases.valueBytes(records.caseName()) + ID_BYTES;
        List<@Nullable Double> samples = new ArrayList<>();
        records.samples().forEach(sample -> samples.add(sample == null ? null : sample * each));
        return new Result(
                records.caseName(),
                records.subject(),
                records.metric(),
                "bytes/s",
                records.value() * each,
                null,
                null,
                null,
                null,
                records.durability(),
                samples);
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
                .flatMap(bound ->
                        measured.tables(bound.ours).stream()
                                .filter(table -> table.ours() != null)
                                .max(Comparator.comparingLong(Headlines::fitness)))
                .flatMap(table -> measured.ours(table.caseName()));
    }
}
