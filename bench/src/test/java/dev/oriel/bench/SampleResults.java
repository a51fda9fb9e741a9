package dev.oriel.bench;

import dev.oriel.bench.Results.Note;
import dev.oriel.bench.Results.Result;
import dev.oriel.compare.Interval;
import dev.oriel.compare.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Results as a run would give them, built line by line.
final class SampleResults {
    private final List<Result> results = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final String date;

    SampleResults() {
        this("2026-11-21T12:00:00Z");
    }

    SampleResults(String date) {
        this.date = date;
    }

    SampleResults rate(String caseName, String subject, @Nullable Double... rounds) {
        return add(caseName, subject, "rate", "ops/s", "written", 2.0, rounds);
    }

    SampleResults memoryRate(String caseName, String subject, @Nullable Double... rounds) {
        return add(caseName, subject, "rate", "ops/s", "memory", 2.0, rounds);
    }

    SampleResults time(String caseName, String subject, @Nullable Double... rounds) {
        return add(caseName, subject, "time", "ns/op", "written", 2.0, rounds);
    }

    SampleResults figure(
            String caseName,
            String subject,
            String metric,
            String unit,
            @Nullable Double... rounds) {
        return add(caseName, subject, metric, unit, "written", null, rounds);
    }

    SampleResults add(
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

    SampleResults note(String caseName, String subject, String text) {
        notes.add(new Note(caseName, subject, text));
        return this;
    }

    Results build() {
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
