package dev.oriel.compare;

import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.Sample.StackFrame;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.WaitKind;
import dev.oriel.profiler.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Selects the methods that are worth a probe, from samples alone. A method needs a hundredth of the samples
/// itself, with its callees in the JDK, or a twentieth with all its callees. So the program is timed, and not its
/// probes. A short run is repeated: of few samples none may fall on such a method.
final class Candidates {
    private static final double OWN_MIN = 0.01;
    private static final double WITH_CALLEES_MIN = 0.05;
    private static final int COUNT_MAX = 60;

    /// Least number of samples of a kind. A method that is recorded in vain does no harm.
    private static final long SAMPLES_MIN = 5;

    /// Number of samples of processor time of which at least one falls on a method with a twentieth of them, with a
    /// probability of 95 %.
    static final long SAMPLES_ENOUGH = 60;

    /// Most runs of a program: one that hardly computes never has enough.
    private static final int RUNS_MAX = 3;

    /// End of the names of classes that the JVM generates for lambdas.
    static final String HIDDEN = "$$Lambda";

    private static final String PROFILER = "dev.oriel.profiler.Probe";

    private final Map<String, Double> shares = new HashMap<>();

    /// Runs a program with samples alone.
    interface Run {
        /// The recordings of one more run.
        List<ProfileResult> take() throws IOException, InterruptedException, CompareFailure;
    }

    /// Runs a program until it has enough samples of processor time, and adds them all; returns their number.
    long add(Run run) throws IOException, InterruptedException, CompareFailure {
        List<ProfileResult> files = new ArrayList<>();
        long samples = 0;
        for (int i = 0; i < RUNS_MAX && samples < SAMPLES_ENOUGH; i++) {
            files.addAll(run.take());
            samples = samples(files);
        }
        add(files);
        return samples;
    }

    private static long samples(List<ProfileResult> files) {
        return files.stream()
                .flatMap(file -> file.samples().stream())
                .filter(sample -> sample.kind() == SampleKind.CPU)
                .mapToLong(Sample::count)
                .sum();
    }

    /// Adds the recordings of runs of a program.
    void add(List<ProfileResult> files) {
        add(files, EnumSet.of(SampleKind.CPU), false);
        add(files, EnumSet.of(SampleKind.ALLOCATION), false);
        EnumSet<SampleKind> waits = EnumSet.noneOf(SampleKind.class);
        for (SampleKind kind : SampleKind.values()) {
            if (kind.unit().equals("ns")) {
                waits.add(kind);
            }
        }
        add(files, waits, true);
    }

    private void add(List<ProfileResult> files, Set<SampleKind> kinds, boolean waits) {
        Map<String, Long> own = new HashMap<>();
        Map<String, Long> all = new HashMap<>();
        long sum = 0;
        long count = 0;
        for (ProfileResult file : files) {
            Waits kindsOfWaits = Waits.of(file);
            for (Sample sample : file.samples()) {
                WaitKind wait = kindsOfWaits.of(sample);
                boolean idle = wait == WaitKind.IDLE || wait == WaitKind.CLIENT;
                if (kinds.contains(sample.kind()) && !(waits && idle)) {
                    add(sample, own, all);
                    sum += sample.weight();
                    count += sample.count();
                }
            }
        }
        if (waits || count >= SAMPLES_MIN) {
            keep(own, OWN_MIN, sum);
            keep(all, WITH_CALLEES_MIN, sum);
        }
    }

    private static void add(Sample sample, Map<String, Long> own, Map<String, Long> all) {
        Set<String> seen = new HashSet<>();
        for (StackFrame frame : sample.stack()) {
            if (isOfTheProgram(frame)) {
                String pattern = pattern(frame.owner(), frame.method());
                if (seen.isEmpty()) {
                    own.merge(pattern, sample.weight(), Long::sum);
                }
                if (seen.add(pattern)) {
                    all.merge(pattern, sample.weight(), Long::sum);
                }
            }
        }
    }

    /// The agent's pattern for a method. Languages other than Java allow commas in names, which would separate two
    /// patterns: a `*` stands for each.
    static String pattern(String owner, String method) {
        String wild = method.startsWith("lambda$") ? "*" : ""; // a lambda's number may be left out
        return owner.replace(',', '*') + "::" + method.replace(',', '*') + wild;
    }

    /// Whether the method of `frame` can have a probe, and is neither the JDK's nor the profiler's own.
    private static boolean isOfTheProgram(StackFrame frame) {
        String owner = frame.owner();
        return !owner.isEmpty()
                && !WaitKind.isOfTheJdk(frame)
                && !owner.endsWith(HIDDEN)
                && !owner.startsWith(PROFILER);
    }

    private void keep(Map<String, Long> weights, double least, long sum) {
        weights.forEach((pattern, weight) -> {
            double share = (double) weight / sum;
            if (share >= least) {
                shares.merge(pattern, share / least, Math::max);
            }
        });
    }

    /// Patterns of the methods, the most promising first; empty if there are none.
    String patterns() {
        List<String> patterns =
                shares.entrySet().stream()
                        .sorted(
                                Map.Entry.<String, Double>comparingByValue(
                                                Comparator.reverseOrder())
                                        .thenComparing(Map.Entry.comparingByKey()))
                        .limit(COUNT_MAX)
                        .map(Map.Entry::getKey)
                        .toList();
        return String.join(",", patterns);
    }
}
