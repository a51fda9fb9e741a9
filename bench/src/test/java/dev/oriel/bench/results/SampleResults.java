package dev.oriel.bench.results;

import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.compare.Interval;
import dev.oriel.compare.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Results as a run would give them, built line by line.
public final class SampleResults {
    private final List<Result> results = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final String date;

    public SampleResults() {
        this("2026-11-21T12:00:00Z");
    }

    public SampleResults(String date) {
        this.date = date;
    }

    public SampleResults rate(String caseName, String subject, @Nullable Double... rounds) {
        return add(caseName, subject, "rate", "ops/s", "written", 2.0, rounds);
    }

    public SampleResults memoryRate(String caseName, String subject, @Nullable Double... rounds) {
        return add(caseName, subject, "rate", "ops/s", "memory", 2.0, rounds);
    }

    public SampleResults time(String caseName, String subject, @Nullable Double... rounds) {
        return add(caseName, subject, "time", "ns/op", "written", 2.0, rounds);
    }

    public SampleResults figure(
            String caseName,
            String subject,
            String metric,
            String unit,
            @Nullable Double... rounds) {
        return add(caseName, subject, metric, unit, "written", null, rounds);
    }

    public SampleResults add(
            String caseName,
            String subject,
            String metric,
            String unit,
            String durability,
            @Nullable Double bytesPerOp,
            @Nullable Double... rounds) {
        double[] seen =
                Arrays.stream(rounds).filter(Objects::nonNull).mapToDouble(d -> d).toArray();
        Interval mean = Statistics.mean(seen);
        results.add(
                new Result(
                        caseName,
                        subject,
                        metric,
                        unit,
                        mean.value(),
                        mean.closed() ? mean.low() : null,
                        mean.closed() ? mean.high() : null,
                        bytesPerOp == null ? null : 500.0,
                        bytesPerOp,
                        durability,
                        Arrays.asList(rounds)));
        return this;
    }

    public SampleResults note(String caseName, String subject, String text) {
        notes.add(new Note(caseName, subject, text));
        return this;
    }

    public Results build() {
        List<String> workloads =
                results.stream().map(r -> Cases.workload(r.caseName())).distinct().toList();
        return new Results(
                String.join(",", workloads),
                "2 cores",
                date,
                "abc1234",
                "./oriel bench --quick",
                "quick",
                7,
                Map.of("one", 3),
                Map.of("oriel", "0.1, as it comes", "h2-disk", "2.5, cache of 64 MB"),
                notes,
                results);
    }
}
