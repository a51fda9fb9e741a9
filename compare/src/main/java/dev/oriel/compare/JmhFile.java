package dev.oriel.compare;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Results of JMH, as it writes them with `-rf json`: each fork of a benchmark is a run. The primary result is the
/// time of an operation, in whatever mode it was measured. `gc.alloc.rate.norm` of JMH's own profiler is its
/// allocation; results of our profiler are the costs of its methods.
final class JmhFile {
    private static final Map<String, Double> NANOS =
            Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9, "min", 6e10, "hr", 3.6e12);

    private final Path file;
    private final Map<String, Benchmark> benchmarks = new LinkedHashMap<>();

    /// One benchmark with one set of parameters.
    ///
    /// @param kind must be equal for two to be compared: mode and threads, in words
    record Benchmark(String kind, List<ForkCosts> forks) {}

    /// Reads it.
    ///
    /// @throws CompareFailure if it is no such file, or holds an unknown unit
    JmhFile(Path file) throws IOException, CompareFailure {
        this.file = file;
        JsonNode root;
        try {
            root = new JsonMapper().readTree(file.toFile());
        } catch (JacksonException e) {
            throw new CompareFailure(file + " is not JSON: " + e.getOriginalMessage(), e);
        }
        if (!root.isArray() || root.isEmpty() || !root.get(0).has("primaryMetric")) {
            throw new CompareFailure(
                    file + " does not hold results of JMH, as it writes them with -rf json");
        }
        for (JsonNode benchmark : root) {
            benchmarks.put(nameInFile(benchmark), read(benchmark));
        }
    }

    /// The name of a benchmark. One measured in several modes is as many benchmarks; the first keeps the plain
    /// name.
    private String nameInFile(JsonNode benchmark) {
        String name = name(benchmark);
        return benchmarks.containsKey(name)
                ? name + " (" + benchmark.path("mode").asText() + ")"
                : name;
    }

    /// The benchmarks by name and parameters.
    Map<String, Benchmark> benchmarks() {
        return benchmarks;
    }

    private static String name(JsonNode benchmark) {
        Map<String, String> parameters = new TreeMap<>();
        benchmark
                .path("params")
                .properties()
                .forEach(entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
        return benchmark.path("benchmark").asText()
                + (parameters.isEmpty() ? "" : " " + parameters);
    }

    private Benchmark read(JsonNode benchmark) throws CompareFailure {
        JsonNode primary = benchmark.path("primaryMetric");
        String unit = primary.path("scoreUnit").asText();
        double[] scores = forks(primary);
        List<ForkCosts> forks = new ArrayList<>();
        for (int fork = 0; fork < scores.length; fork++) {
            Map<Measure, Double> wholes = new EnumMap<>(Measure.class);
            wholes.put(Measure.WALL, nanos(scores[fork], unit));
            Map<Measure, Map<String, double[]>> methods = new EnumMap<>(Measure.class);
            for (Map.Entry<String, JsonNode> entry :
                    benchmark.path("secondaryMetrics").properties()) {
                double mean = perIteration(entry.getValue(), primary, fork);
                secondary(entry.getKey(), mean, wholes, methods);
            }
            Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
            methods.forEach((measure, costs) -> trees.put(measure, tree(costs)));
            forks.add(new ForkCosts(1, wholes, trees, null));
        }
        String kind =
                "mode %s, %s threads, unit %s"
                        .formatted(
                                benchmark.path("mode").asText(),
                                benchmark.path("threads").asText(),
                                unit.startsWith("ops/") ? "operations a time" : "time/op");
        return new Benchmark(kind, forks);
    }

    /// Adds a secondary result; results of other profilers are passed over. A method's costs are two numbers: its
    /// own cost, and its calls.
    private static void secondary(
            String label,
            double value,
            Map<Measure, Double> wholes,
            Map<Measure, Map<String, double[]>> methods) {
        String plain = label.replaceFirst("^[^a-z]+", "");
        if (plain.equals("gc.alloc.rate.norm")) {
            wholes.put(Measure.BYTES, value);
            return;
        }
        String[] parts = plain.split("\\.", 3);
        if (parts.length < 3 || !parts[0].equals("oriel")) {
            return;
        }
        int slot = parts[1].equals("calls") ? 1 : 0;
        Measure measure =
                switch (parts[1]) {
                    case "time", "calls" -> Measure.TIME;
                    case "cpu" -> Measure.CPU;
                    case "bytes" -> Measure.BYTES;
                    default -> null;
                };
        if (measure != null) {
            methods.computeIfAbsent(measure, key -> new LinkedHashMap<>())
                            .computeIfAbsent(parts[2], key -> new double[2])[slot] =
                    value;
        }
    }

    /// Results are means, so their numbers of calls are not whole.
    private static CostNode tree(Map<String, double[]> methods) {
        List<CostNode> nodes = new ArrayList<>();
        methods.forEach((name, costs) ->
                nodes.add(new CostNode(name, costs[1], costs[0], 0, false, List.of())));
        return new CostNode("", 0, 0, 0, false, nodes);
    }

    /// The mean over all iterations of a fork. Results name only the most expensive methods of an iteration: a
    /// method without a result cost next to nothing there.
    private static double perIteration(JsonNode metric, JsonNode primary, int fork) {
        JsonNode all = primary.path(primary.has("rawData") ? "rawData" : "rawDataHistogram");
        double sum = 0;
        for (JsonNode value : metric.path("rawData").path(fork)) {
            sum += value.asDouble();
        }
        return sum / Math.max(1, all.path(fork).size());
    }

    /// The mean of each fork's iterations.
    private static double[] forks(JsonNode metric) {
        JsonNode raw = metric.path("rawData");
        boolean histogram = raw.isMissingNode();
        if (histogram) {
            raw = metric.path("rawDataHistogram");
        }
        double[] means = new double[raw.size()];
        for (int fork = 0; fork < means.length; fork++) {
            double sum = 0;
            double count = 0;
            for (JsonNode iteration : raw.get(fork)) {
                if (histogram) {
                    for (JsonNode bucket : iteration) {
                        sum += bucket.get(0).asDouble() * bucket.get(1).asDouble();
                        count += bucket.get(1).asDouble();
                    }
                } else {
                    sum += iteration.asDouble();
                    count++;
                }
            }
            means[fork] = sum / count;
        }
        return means;
    }

    private double nanos(double score, String unit) throws CompareFailure {
        boolean rate = unit.startsWith("ops/");
        Double nanos = NANOS.get(rate ? unit.substring(4) : unit.replaceFirst("/op$", ""));
        if (nanos == null || (!rate && !unit.endsWith("/op"))) {
            throw new CompareFailure(
                    file + " holds the unit '" + unit + "', which is neither a time nor a rate");
        }
        return rate ? nanos / score : score * nanos;
    }
}
