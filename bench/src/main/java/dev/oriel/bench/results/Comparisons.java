package dev.oriel.bench.results;

import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.compare.Interval;
import dev.oriel.compare.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Compares subjects case by case, by the main metric of the case or else by each metric on its own. The main
/// metric is the first rate or time, or else the memory.
public final class Comparisons {
    private final List<CaseTable> tables = new ArrayList<>();

    /// Compares the figures of one run.
    public Comparisons(Results results) {
        Map<String, List<Result>> byCase = new LinkedHashMap<>();
        for (Result result : results.results()) {
            byCase.computeIfAbsent(result.caseName(), any -> new ArrayList<>()).add(result);
        }
        byCase.forEach((caseName, all) -> {
            List<Note> notes =
                    results.notes().stream()
                            .filter(note -> note.caseName().equals(caseName))
                            .toList();
            List<String> metrics = metrics(all);
            List<Result> beside =
                    all.stream().filter(result -> !metrics.contains(result.metric())).toList();
            for (String metric : metrics) {
                tables.add(table(metric, all, beside, notes));
            }
        });
    }

    /// The tables in the order of the results.
    public List<CaseTable> tables() {
        return List.copyOf(tables);
    }

    /// The tables of databases, by workload.
    public Map<String, List<CaseTable>> byWorkload() {
        Map<String, List<CaseTable>> byWorkload = new LinkedHashMap<>();
        for (CaseTable table : tables) {
            if (!table.isLimit()) {
                byWorkload.computeIfAbsent(table.workload(), any -> new ArrayList<>()).add(table);
            }
        }
        return byWorkload;
    }

    /// Number of comparisons with this verdict, without the machine's limits.
    public long count(Verdict verdict) {
        return tables.stream()
                .filter(table -> !table.isLimit())
                .filter(table -> table.verdict() == verdict)
                .count();
    }

    private static List<String> metrics(List<Result> all) {
        List<String> metrics = all.stream().map(Result::metric).distinct().toList();
        return metrics.stream()
                .filter(CaseTable::isMain)
                .findFirst()
                .or(() -> metrics.stream().filter("memory"::equals).findFirst())
                .map(List::of)
                .orElse(metrics);
    }

    private static CaseTable table(
            String metric, List<Result> all, List<Result> beside, List<Note> notes) {
        List<Result> results =
                all.stream()
                        .filter(r -> r.metric().equals(metric))
                        .sorted(Cases.bestFirst())
                        .toList();
        Result ours = headline(results);
        Result best = results.stream().filter(Cases::isPeer).findFirst().orElse(null);
        List<Row> rows = new ArrayList<>();
        for (Result result : results) {
            rows.add(new Row(result, leadOver(result, ours)));
        }
        return new CaseTable(
                all.getFirst().caseName(),
                metric,
                results.getFirst().unit(),
                List.copyOf(rows),
                row(rows, ours),
                row(rows, best),
                best == null ? null : leadOver(best, ours),
                beside,
                notes);
    }

    private static @Nullable Interval leadOver(Result peer, @Nullable Result ours) {
        boolean compared = Cases.isPeer(peer) && Cases.isComparable(peer.unit());
        return ours == null || !compared ? null : lead(ours, peer);
    }

    /// Oriel's headline result among results of one case and metric, best first.
    public static @Nullable Result headline(List<Result> results) {
        Result found = null;
        for (Result result : results) {
            if (result.ours()
                    && (found == null
                            || Cases.headline(result.subject())
                                    < Cases.headline(found.subject()))) {
                found = result;
            }
        }
        return found;
    }

    private static @Nullable Row row(List<Row> rows, @Nullable Result result) {
        return rows.stream().filter(row -> row.result().equals(result)).findFirst().orElse(null);
    }

    /// Factor by which `ours` is better than `peer`, paired by round: above 1 if it is better, for rates and times
    /// alike.
    public static Interval lead(Result ours, Result peer) {
        return ours.higherIsBetter() ? quotient(ours, peer) : quotient(peer, ours);
    }

    /// The quotient, paired by round; rounds missing in one of them are left out.
    public static Interval quotient(Result dividend, Result divisor) {
        double[] quotients = quotients(dividend, divisor);
        if (quotients.length == 0) {
            double value = dividend.value() / divisor.value();
            return new Interval(value, 0, Double.POSITIVE_INFINITY, 1);
        }
        return Statistics.mean(quotients);
    }

    /// Same as [#lead(Result, Result)], round by round.
    static double[] leads(Result ours, Result peer) {
        return ours.higherIsBetter() ? quotients(ours, peer) : quotients(peer, ours);
    }

    private static double[] quotients(Result dividend, Result divisor) {
        int rounds = Math.min(dividend.samples().size(), divisor.samples().size());
        double[] quotients = new double[rounds];
        int n = 0;
        for (int round = 0; round < rounds; round++) {
            Double x = dividend.samples().get(round);
            Double y = divisor.samples().get(round);
            if (x != null && y != null && x > 0 && y > 0) {
                quotients[n++] = x / y;
            }
        }
        return Arrays.copyOf(quotients, n);
    }
}
