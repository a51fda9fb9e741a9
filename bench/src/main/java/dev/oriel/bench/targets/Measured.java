package dev.oriel.bench.targets;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Results for targets and reports: by patterns of case names.
public final class Measured {
    private final Results results;
    private final Comparisons comparisons;

    /// @param comparisons of these results
    public Measured(Results results, Comparisons comparisons) {
        this.results = results;
        this.comparisons = comparisons;
    }

    /// The tables of the cases whose whole name the pattern matches, by their main metric. If a case has none, its
    /// table is by the median of a latency, else by its first metric.
    public List<CaseTable> tables(String pattern) {
        Pattern name = Pattern.compile(pattern);
        List<CaseTable> found = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (CaseTable table : comparisons.tables()) {
            if (!name.matcher(table.caseName()).matches()) {
                continue;
            }
            int index = seen.indexOf(table.caseName());
            if (index < 0) {
                seen.add(table.caseName());
                found.add(table);
            } else if (table.metric().equals("p50")) {
                found.set(index, table);
            }
        }
        return found;
    }

    /// Figures of one metric in the cases that the pattern matches.
    List<Result> results(String pattern, String metric) {
        Pattern name = Pattern.compile(pattern);
        return results.results().stream()
                .filter(r -> r.metric().equals(metric))
                .filter(r -> name.matcher(r.caseName()).matches())
                .toList();
    }

    /// A figure of one subject.
    @Nullable Result result(String caseName, String subject, String metric) {
        return results(Pattern.quote(caseName), metric).stream()
                .filter(r -> r.subject().equals(subject))
                .findFirst()
                .orElse(null);
    }

    /// One check for each table, unless `check` returns null for it.
    List<Target.Check> each(String pattern, Function<CaseTable, Target.@Nullable Check> check) {
        List<Target.Check> checks = new ArrayList<>();
        for (CaseTable table : tables(pattern)) {
            Target.Check one = check.apply(table);
            if (one != null) {
                checks.add(one);
            }
        }
        return checks;
    }

    /// Ratio of ours to the best of the selected peers.
    List<Target.Check> lead(String pattern, Predicate<Result> ours, Predicate<Result> peers) {
        return each(
                pattern,
                table -> {
                    Result us =
                            Comparisons.headline(
                                    table.rows().stream().map(Row::result).filter(ours).toList());
                    Result peer = bestPeer(table, peers);
                    return us == null || peer == null
                            ? null
                            : new Target.Check(
                                    table.caseName(), Comparisons.lead(us, peer), peer.subject());
                });
    }

    /// Leads of all our subjects over the best of all peers.
    List<Target.Check> lead(String pattern) {
        return lead(pattern, any -> true, any -> true);
    }

    /// The best of the selected peers of a table.
    static @Nullable Result bestPeer(CaseTable table, Predicate<Result> wanted) {
        return table.rows().stream()
                .map(Row::result)
                .filter(Cases::isPeer)
                .filter(wanted)
                .findFirst()
                .orElse(null);
    }

    /// Our figure of the one case of that name.
    public Optional<Result> ours(String caseName) {
        return tables(Pattern.quote(caseName)).stream()
                .map(CaseTable::ours)
                .filter(row -> row != null)
                .map(Row::result)
                .findFirst();
    }

    /// The fastest of the machine's own figures whose case the pattern matches.
    Optional<Result> limit(String pattern) {
        return tables(pattern).stream()
                .map(table -> table.rows().getFirst().result())
                .filter(result -> perOp(result) > 0)
                .min((a, b) -> Double.compare(perOp(a), perOp(b)));
    }

    /// Nanoseconds of an operation, from a rate or a time; 0 for other metrics.
    public static double perOp(Result result) {
        return result.higherIsBetter()
                ? 1e9 / result.value()
                : result.value() * Figures.nanosOf(result.unit());
    }

    /// Ratio of the time of an operation of one to that of the other, by round.
    public static Interval cost(Result one, Result other) {
        return Comparisons.quotient(asTime(one), asTime(other));
    }

    private static Result asTime(Result r) {
        double factor = r.higherIsBetter() ? 1e9 : Figures.nanosOf(r.unit());
        List<@Nullable Double> samples = new ArrayList<>();
        for (Double sample : r.samples()) {
            samples.add(
                    sample == null ? null : r.higherIsBetter() ? factor / sample : factor * sample);
        }
        return new Result(
                r.caseName(),
                r.subject(),
                "time",
                "ns/op",
                perOp(r),
                null,
                null,
                r.cpuPerOp(),
                r.bytesPerOp(),
                r.durability(),
                samples);
    }
}
