package dev.oriel.profiler;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads the JSON that JMH writes. Each benchmark becomes a call without callees, whose calls are the measured
/// iterations, each with the time of one operation. A score per second is inverted. Bytes per operation, from
/// JMH's `gc` profiler, become allocation. Confined to one thread.
final class JmhReader {
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private JmhReader() {}

    static ProfileResult read(@Nullable Object json) throws ProfileFormatException {
        TreeMerge tree = new TreeMerge();
        Map<String, String> facts = new TreeMap<>();
        List<String> notes = new ArrayList<>();
        if (!(json instanceof List<?> runs)) {
            throw new ProfileFormatException(
                    "JSON, but not of JMH, which writes an array of benchmarks");
        }
        for (Object each : runs) {
            Map<?, ?> run = JsonParser.object(each, "A benchmark");
            String name = name(run);
            Map<?, ?> metric = JsonParser.object(run.get("primaryMetric"), "primaryMetric");
            Double unit = unitNanos(String.valueOf(metric.get("scoreUnit")));
            if (unit == null) {
                notes.add(name + " is left out: it is measured in " + metric.get("scoreUnit"));
                continue;
            }
            boolean rate = String.valueOf(metric.get("scoreUnit")).startsWith("ops/");
            TreeMerge node = tree.child(name);
            for (double score : scores(metric)) {
                long nanos = Math.max(1, Math.round(rate ? unit / score : score * unit));
                long[] counts = new long[Histogram.BUCKETS];
                counts[Histogram.bucket(nanos)]++;
                node.add(1, nanos, nanos, nanos);
                node.add(new CallDetail(0, 0, 0, bytes(run), 0, Histogram.of(counts)), 1);
            }
            facts.put("java", String.valueOf(run.get("vmName")) + " " + run.get("vmVersion"));
        }
        notes.add("Read from JMH: a call is a measured iteration, its time that of one operation.");
        return new ProfileResult(
                Instant.EPOCH,
                0,
                ProbeCost.NONE,
                0,
                tree.nodes(),
                List.of(),
                Totals.UNKNOWN,
                facts,
                notes);
    }

    private static String name(Map<?, ?> run) throws ProfileFormatException {
        StringBuilder name = new StringBuilder();
        if (!(run.get("benchmark") instanceof String benchmark)) {
            throw new ProfileFormatException(
                    "JSON, but not of JMH: an object does not name its benchmark");
        }
        name.append(benchmark);
        if (run.get("params") instanceof Map<?, ?> parameters) {
            parameters.forEach(
                    (key, value) -> name.append(',').append(key).append('=').append(value));
        }
        return name.toString();
    }

    private static List<Double> scores(Map<?, ?> metric) throws ProfileFormatException {
        List<Double> scores = new ArrayList<>();
        if (metric.get("rawData") instanceof List<?> forks) {
            for (Object fork : forks) {
                for (Object score : JsonParser.array(fork, "rawData")) {
                    if (score instanceof Number number && number.doubleValue() > 0) {
                        scores.add(number.doubleValue());
                    }
                }
            }
        }
        if (scores.isEmpty() && metric.get("score") instanceof Number number) {
            scores.add(number.doubleValue());
        }
        return scores;
    }

    private static long bytes(Map<?, ?> run) {
        if (run.get("secondaryMetrics") instanceof Map<?, ?> metrics) {
            for (Map.Entry<?, ?> entry : metrics.entrySet()) {
                if (String.valueOf(entry.getKey()).endsWith(ALLOCATION)
                        && entry.getValue() instanceof Map<?, ?> metric
                        && metric.get("score") instanceof Number number) {
                    return Math.round(number.doubleValue());
                }
            }
        }
        return 0;
    }

    /// Nanoseconds of the unit of a score: `us/op` is a time, `ops/us` a rate; null for others.
    private static @Nullable Double unitNanos(String unit) {
        String plain = unit.startsWith("ops/") ? unit.substring(4) : unit.replace("/op", "");
        return switch (plain) {
            case "ns" -> 1.0;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "min" -> 6e10;
            default -> null;
        };
    }
}
