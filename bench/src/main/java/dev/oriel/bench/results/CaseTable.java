package dev.oriel.bench.results;

import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.compare.Interval;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The results of one case by one metric, subject by subject.
///
/// @param rows best first
/// @param ours the row of Oriel's headline subject; null if none was measured
/// @param best the row of the best peer; null if there is none
/// @param ratio factor by which Oriel is better than the best peer, above 1 if it is better
/// @param beside figures of the same case by other metrics
/// @param notes failures in the case
public record CaseTable(
        String caseName,
        String metric,
        String unit,
        List<Row> rows,
        @Nullable Row ours,
        @Nullable Row best,
        @Nullable Interval ratio,
        List<Result> beside,
        List<Note> notes) {

    /// One subject.
    ///
    /// @param lead factor by which Oriel is better than it; null for Oriel itself and for subjects that
    ///     are no peers
    public record Row(Result result, @Nullable Interval lead) {}

    /// The workload of the case.
    public String workload() {
        return Cases.workload(caseName);
    }

    /// The verdict of the ratio to the best peer.
    public Verdict verdict() {
        return ratio == null ? Verdict.ALONE : Verdict.of(ratio);
    }

    /// The case, and the metric if the case has no main one.
    public String title() {
        return isMain(metric) || caseName.endsWith("/" + metric)
                ? caseName
                : caseName + ", " + metric;
    }

    /// Whether subjects have different durabilities, so that each row must state its own.
    public boolean mixed() {
        return rows.stream().map(row -> row.result().durability()).distinct().count() > 1;
    }

    /// Whether it is a limit of the machine itself, without subjects to compare.
    public boolean isLimit() {
        return rows.stream().noneMatch(row -> row.result().ours() || Cases.isPeer(row.result()));
    }

    /// The figure of a subject by another metric; null if there is none.
    public @Nullable Result beside(String subject, String otherMetric) {
        return beside.stream()
                .filter(r -> r.subject().equals(subject) && r.metric().equals(otherMetric))
                .findFirst()
                .orElse(null);
    }

    /// The case's secondary metrics accepted by `which`, in file order.
    public List<String> metricsBeside(Predicate<String> which) {
        return beside.stream().map(Result::metric).filter(which).distinct().toList();
    }

    /// Whether a metric measures the speed of a case.
    public static boolean isMain(String metric) {
        return metric.equals("rate") || metric.equals("time");
    }

    /// Whether a metric is a percentile of a latency, or its maximum.
    public static boolean isLatency(String metric) {
        return metric.equals("max") || metric.matches("p\\d+(\\.\\d+)?");
    }
}
