package dev.oriel.compare;

import dev.oriel.profiler.ProfileReader;
import dev.oriel.profiler.SampleKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Compares what was recorded before: two files of JMH's results, or recordings of the Flight
/// Recorder, one or a folder of them on each side. Such runs took no turns, so a drift of the machine
/// between the two cannot be told from a difference; this is said in the report.
public final class Recorded {
    private static final double WHOLE = 100;

    private Recorded() {}

    /// Whether `path` is something that can be compared here.
    public static boolean is(Path path) {
        return kind(path) != Kind.NONE;
    }

    private enum Kind {
        JMH("results of JMH"),
        FLIGHT_RECORDING("a recording of the Flight Recorder"),
        NONE("neither");

        final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    private static Kind kind(Path path) {
        String name = path.toString();
        if (Files.isRegularFile(path) && name.endsWith(".json")) {
            return Kind.JMH;
        }
        boolean recording = Files.isRegularFile(path) && name.endsWith(".jfr");
        return recording || Files.isDirectory(path) ? Kind.FLIGHT_RECORDING : Kind.NONE;
    }

    /// Compares, by benchmark; recordings are one comparison, under an empty name.
    ///
    /// @throws CompareFailure where the two are of different kinds or units, or have nothing in
    ///     common
    public static Map<String, Comparison> compare(Path a, Path b)
            throws IOException, CompareFailure {
        Kind kind = kind(a);
        if (kind != kind(b)) {
            throw new CompareFailure(
                    "Cannot compare these: %s is %s, %s is %s"
                            .formatted(a, kind.words, b, kind(b).words));
        }
        return kind == Kind.JMH
                ? benchmarks(new JmhFile(a).benchmarks(), new JmhFile(b).benchmarks())
                : Map.of("", Comparison.of(Pairs.apart(recordings(a), recordings(b))));
    }

    private static Map<String, Comparison> benchmarks(
            Map<String, JmhFile.Benchmark> ofA, Map<String, JmhFile.Benchmark> ofB)
            throws CompareFailure {
        List<String> names = new ArrayList<>(ofA.keySet());
        names.retainAll(ofB.keySet());
        if (names.isEmpty()) {
            throw new CompareFailure(
                    "No benchmark is in both files: %s against %s"
                            .formatted(ofA.keySet(), ofB.keySet()));
        }
        List<Pairs> pairs = new ArrayList<>();
        for (String name : names) {
            JmhFile.Benchmark before = Objects.requireNonNull(ofA.get(name));
            JmhFile.Benchmark after = Objects.requireNonNull(ofB.get(name));
            if (!before.kind().equals(after.kind())) {
                throw new CompareFailure(
                        "%s was not measured alike: %s against %s"
                                .formatted(name, before.kind(), after.kind()));
            }
            pairs.add(Pairs.apart(before.forks(), after.forks()));
        }
        List<Comparison> comparisons = Comparison.all(pairs);
        Map<String, Comparison> byName = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            byName.put(names.get(i), comparisons.get(i));
        }
        return byName;
    }

    private static List<ForkCosts> recordings(Path path) throws IOException, CompareFailure {
        List<Path> files;
        if (Files.isDirectory(path)) {
            try (Stream<Path> all = Files.list(path)) {
                files = all.filter(file -> file.toString().endsWith(".jfr")).sorted().toList();
            }
        } else {
            files = List.of(path);
        }
        List<ForkCosts> runs = new ArrayList<>();
        for (Path file : files) {
            RunCosts costs = new RunCosts(List.of(ProfileReader.read(file)));
            Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
            trees.put(Measure.CPU_SHARE, costs.sampled(SampleKind.CPU, WHOLE));
            trees.put(Measure.BYTES_SHARE, costs.sampled(SampleKind.ALLOCATION, WHOLE));
            runs.add(new ForkCosts(1, Map.of(), trees, null));
        }
        if (runs.isEmpty()) {
            throw new CompareFailure("There is no recording (.jfr) in " + path);
        }
        return runs;
    }
}
