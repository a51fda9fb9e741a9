package dev.oriel.bench.results;

import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.compare.Interval;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One case by one metric: its subjects beside each other.
///
/// @param rows the best first
/// @param ours the row that stands for us, null where none of ours was measured
/// @param best the best peer's row, null where there is none
/// @param ratio how many times better ours is than the best peer, above 1 where we are better
/// @param beside figures of the same case by other metrics
/// @param notes what went wrong in the case
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
    /// @param lead how many times better ours is than it; null for ours itself and for what is no
    ///     peer
    public record Row(Result result, @Nullable Interval lead) {}

    /// The workload that the case is of.
    public String workload() {
        return Cases.workload(caseName);
    }

    /// What the ratio to the best peer says.
    public Verdict verdict() {
        return ratio == null ? Verdict.ALONE : Verdict.of(ratio);
    }

    /// The case, and the metric where the case has no main one.
    public String title() {
        return isMain(metric) || caseName.endsWith("/" + metric)
                ? caseName
                : caseName + ", " + metric;
    }

    /// Whether subjects have different durabilities, so that each row must say its own.
    public boolean mixed() {
        return rows.stream().map(row -> row.result().durability()).distinct().count() > 1;
    }

    /// Whether it is what the machine itself does, with nobody to compare.
    public boolean isLimit() {
        return rows.stream().noneMatch(row -> row.result().ours() || Cases.isPeer(row.result()));
    }

    /// The figure of a subject by another metric, where there is one.
    public @Nullable Result beside(String subject, String otherMetric) {
        return beside.stream()
                .filter(r -> r.subject().equals(subject) && r.metric().equals(otherMetric))
                .findFirst()
                .orElse(null);
    }

    /// The other metrics that `which` of them there are, in the order of the file.
    public List<String> metricsBeside(Predicate<String> which) {
        return beside.stream().map(Result::metric).filter(which).distinct().toList();
    }

    /// Whether a metric says how fast a case is.
    public static boolean isMain(String metric) {
        return metric.equals("rate") || metric.equals("time");
    }

    /// Whether a metric is one of the percentiles of a latency.
    public static boolean isLatency(String metric) {
        return metric.equals("max") || metric.matches("p\\d+(\\.\\d+)?");
    }
}
