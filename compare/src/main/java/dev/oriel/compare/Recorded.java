package dev.oriel.compare;

import dev.oriel.profiler.ProfileReader;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.SampleKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Compares existing recordings: two files of JMH's results, or recordings of any kind that [ProfileReader] reads,
/// one or a folder of them on each side. Such runs took no turns, so a drift of the machine between the two cannot
/// be told from a difference; the report says so.
///
/// A run file knows the resources of its process, so methods have costs per operation, or per run if the number of
/// operations is unknown. Of other recordings, which may last longer or shorter, the shares of samples are
/// compared.
public final class Recorded {
    private static final double WHOLE = 100;

    /// Kinds of samples that show the use of processors, the best first.
    private static final List<SampleKind> CLOCKS =
            List.of(SampleKind.CPU_TIME, SampleKind.CPU, SampleKind.WALL);

    private Recorded() {}

    /// Whether `path` can be compared here: a file that is not a jar, or a folder.
    public static boolean is(Path path) {
        return kind(path) != Kind.NONE;
    }

    private enum Kind {
        JMH("results of JMH"),
        RECORDING("a recording or a folder of them"),
        NONE("neither");

        final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    private static Kind kind(Path path) {
        String name = path.toString();
        if (Files.isDirectory(path)) {
            return Kind.RECORDING;
        }
        if (!Files.isRegularFile(path) || name.endsWith(".jar")) {
            return Kind.NONE;
        }
        return name.endsWith(".json") ? Kind.JMH : Kind.RECORDING;
    }

    /// Compares, by benchmark; recordings are one comparison, under an empty name.
    ///
    /// @throws CompareFailure if the two are of different kinds or units, or have nothing in
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
                : Map.of("", recordings(files(a), files(b)));
    }

    private static Map<String, Comparison> benchmarks(
            Map<String, JmhFile.Benchmark> ofA, Map<String, JmhFile.Benchmark> ofB)
            throws CompareFailure {
        List<String> names = new ArrayList<>(ofA.keySet());
        names.retainAll(ofB.keySet());
        if (names.isEmpty()) {
            throw new CompareFailure(
                    "No benchmark is in both files, so nothing can be compared: %s against %s"
                            .formatted(ofA.keySet(), ofB.keySet()));
        }
        List<Pairs> pairs = new ArrayList<>();
        for (String name : names) {
            JmhFile.Benchmark before = Objects.requireNonNull(ofA.get(name));
            JmhFile.Benchmark after = Objects.requireNonNull(ofB.get(name));
            if (!before.kind().equals(after.kind())) {
                throw new CompareFailure(
                        "%s was not measured alike, so it cannot be compared: %s against %s. Run both with the same mode (-bm), threads (-t) and unit (-tu)"
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

    private static List<Path> files(Path path) throws IOException, CompareFailure {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> all = Files.list(path)) {
            List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
            if (files.isEmpty()) {
                throw new CompareFailure(
                        "There is no recording in " + path + ": put .jfr, .orun or others there");
            }
            return files;
        }
    }

    private static Comparison recordings(List<Path> ofA, List<Path> ofB)
            throws IOException, CompareFailure {
        List<ProfileResult> a = read(ofA);
        List<ProfileResult> b = read(ofB);
        List<ProfileResult> all = new ArrayList<>(a);
        all.addAll(b);
        SampleKind clock = clock(a, b);
        boolean whole = all.stream().allMatch(result -> result.totals().cpuNanos() >= 0);
        boolean exact = all.stream().noneMatch(result -> result.roots().isEmpty());
        boolean counted = all.stream().allMatch(result -> result.totals().operations() > 0);
        if (!counted && all.stream().anyMatch(result -> result.totals().operations() > 0)) {
            throw new CompareFailure(
                    "Some of these recordings say how many operations there were and some do not,"
                            + " so their costs have different units: record all of them alike");
        }
        List<ForkCosts> costs = new ArrayList<>();
        for (ProfileResult result : all) {
            costs.add(costs(result, clock, whole, exact, counted));
        }
        checkCommon(costs, a.size());
        return Comparison.of(
                Pairs.apart(costs.subList(0, a.size()), costs.subList(a.size(), costs.size()))
                        .timedByCalls());
    }

    private static List<ProfileResult> read(List<Path> files) throws IOException, CompareFailure {
        List<ProfileResult> results = new ArrayList<>();
        for (Path file : files) {
            ProfileResult result = ProfileReader.read(file);
            if (result.isEmpty()) {
                throw new CompareFailure(
                        file
                                + " holds no call and no sample, so there is nothing to compare:"
                                + " let the program run for longer while it is recorded");
            }
            results.add(result);
        }
        return results;
    }

    /// The kind of samples of processor time that all recordings have.
    private static SampleKind clock(List<ProfileResult> a, List<ProfileResult> b)
            throws CompareFailure {
        Set<SampleKind> ofA = clocks(a);
        Set<SampleKind> ofB = clocks(b);
        for (SampleKind kind : CLOCKS) {
            if (ofA.contains(kind) && ofB.contains(kind)) {
                return kind;
            }
        }
        if (!ofA.isEmpty() && !ofB.isEmpty()) {
            throw new CompareFailure(
                    "These were measured in different units: A holds samples of %s, B of %s. Record both alike"
                            .formatted(titles(ofA), titles(ofB)));
        }
        return SampleKind.CPU;
    }

    private static Set<SampleKind> clocks(List<ProfileResult> results) {
        return CLOCKS.stream()
                .filter(kind -> results.stream().allMatch(result -> result.weight(kind) > 0))
                .collect(Collectors.toSet());
    }

    private static String titles(Set<SampleKind> kinds) {
        return kinds.stream().map(SampleKind::title).sorted().collect(Collectors.joining(", "));
    }

    private static ForkCosts costs(
            ProfileResult result, SampleKind clock, boolean whole, boolean exact, boolean counted) {
        RunCosts run = new RunCosts(List.of(result));
        double operations = counted ? result.totals().operations() : 1;
        if (whole) {
            // The wall clock also counts time without a processor.
            SampleKind processor = clock == SampleKind.WALL ? SampleKind.CPU : clock;
            return new ForkCosts(operations, run.wholes(), run.trees(exact, true, processor), null);
        }
        Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
        if (exact) {
            trees.putAll(run.trees(true, false, clock));
        }
        if (result.weight(clock) > 0) {
            trees.put(Measure.CPU_SHARE, run.sampled(clock, WHOLE));
        }
        if (result.weight(SampleKind.ALLOCATION) > 0) {
            trees.put(Measure.BYTES_SHARE, run.sampled(SampleKind.ALLOCATION, WHOLE));
        }
        return new ForkCosts(operations, Map.of(), trees, null);
    }

    /// Keeps the measures that all runs have; others cannot be compared.
    private static void checkCommon(List<ForkCosts> costs, int ofA) throws CompareFailure {
        Set<Measure> common = measures(costs.getFirst());
        costs.forEach(run -> common.retainAll(measures(run)));
        if (common.isEmpty()) {
            throw new CompareFailure(
                    "These have nothing in common that can be compared: A holds %s, B holds %s"
                            .formatted(titles(costs.getFirst()), titles(costs.get(ofA))));
        }
        costs.replaceAll(run -> {
            Map<Measure, Double> wholes = new EnumMap<>(Measure.class);
            Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
            for (Measure measure : common) {
                if (run.wholes().containsKey(measure)) {
                    wholes.put(measure, Objects.requireNonNull(run.wholes().get(measure)));
                }
                if (run.trees().containsKey(measure)) {
                    trees.put(measure, Objects.requireNonNull(run.trees().get(measure)));
                }
            }
            return new ForkCosts(run.operations(), wholes, trees, null);
        });
    }

    private static Set<Measure> measures(ForkCosts run) {
        Set<Measure> measures = new LinkedHashSet<>(run.wholes().keySet());
        measures.addAll(run.trees().keySet());
        return measures;
    }

    private static String titles(ForkCosts run) {
        return measures(run).stream()
                .map(Measure::title)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
