package dev.oriel.cli;

import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The work of the demo, sampled by the Flight Recorder and once more by async-profiler: which
/// methods each of them calls hot. Run by hand it prints both as a table, for the documents; best
/// with `-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints`, without which a sample may be
/// given to a neighbour of the line it was taken at.
final class DemoProfiles {
    private static final int ROWS = 12;

    private final Path folder;
    private final Demo.Size size;
    private int runs;

    DemoProfiles(Path folder, Demo.Size size) {
        this.folder = folder;
        this.size = size;
    }

    /// What one sampler saw.
    ///
    /// @param self shares of all samples that were taken in the method itself
    /// @param total shares of those in it or in what it called
    record Shares(long samples, Map<String, Double> self, Map<String, Double> total) {
        static Shares of(List<Sample> samples) {
            Map<String, Double> self = new LinkedHashMap<>();
            Map<String, Double> total = new LinkedHashMap<>();
            for (Sample sample : samples) {
                Set<String> met = new HashSet<>();
                boolean innermost = true;
                for (Sample.StackFrame frame : sample.stack()) {
                    if (isOurs(frame)) {
                        double share = 1.0 / samples.size();
                        if (innermost) {
                            self.merge(frame.name(), share, Double::sum);
                            innermost = false;
                        }
                        if (met.add(frame.name())) {
                            total.merge(frame.name(), share, Double::sum);
                        }
                    }
                }
            }
            return new Shares(samples.size(), self, total);
        }

        /// These and others, which were taken of the same work.
        Shares and(Shares others) {
            long all = samples + others.samples;
            return new Shares(
                    all,
                    sum(self, (double) samples / all, others.self, (double) others.samples / all),
                    sum(
                            total,
                            (double) samples / all,
                            others.total,
                            (double) others.samples / all));
        }

        private static Map<String, Double> sum(
                Map<String, Double> a, double weightA, Map<String, Double> b, double weightB) {
            Map<String, Double> sum = new LinkedHashMap<>();
            a.forEach((name, share) -> sum.merge(name, share * weightA, Double::sum));
            b.forEach((name, share) -> sum.merge(name, share * weightB, Double::sum));
            return sum;
        }

        /// What a method of the JDK or of the kernel costs counts for the method of ours that
        /// called it.
        private static boolean isOurs(Sample.StackFrame frame) {
            return frame.owner().startsWith("dev.oriel.");
        }

        /// The methods with the greatest shares, the greatest first.
        static List<String> hottest(Map<String, Double> shares, int count) {
            return shares.entrySet().stream()
                    .sorted(
                            Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                                    .thenComparing(Map.Entry.comparingByKey()))
                    .limit(count)
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /// Does the work of the demo under one sampler.
    Shares run(ProfileOptions.Engine engine) throws Exception {
        Screen nowhere = new Screen(new PrintWriter(Writer.nullWriter()), Screen.ENDLESS, false);
        SampleKind kind =
                engine == ProfileOptions.Engine.JFR ? SampleKind.CPU : SampleKind.CPU_TIME;
        Profile profile =
                Profile.start(
                        ProfileOptions.exactOnly()
                                .withSamples(Set.of(kind))
                                .withSampleEvery(Duration.ofMillis(5))
                                .withEngine(engine));
        try {
            new Demo(nowhere, folder.resolve("db" + runs++), size).run();
        } finally {
            profile.close();
        }
        ProfileResult result = profile.stop();
        if (result.samples(kind).isEmpty()) {
            throw new IllegalStateException(String.join(" ", result.notes()));
        }
        List<Sample> inUse =
                result.samples(kind).stream()
                        .filter(sample -> sample.stack().stream().anyMatch(Shares::isOurs))
                        .toList();
        return Shares.of(inUse);
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("demo-profiles");
        Demo.Size size = arguments.length == 0 ? Demo.Size.WHOLE : Demo.Size.PROFILED;
        DemoProfiles profiles = new DemoProfiles(folder, size);
        Shares jfr = profiles.run(ProfileOptions.Engine.JFR);
        Shares async = profiles.run(ProfileOptions.Engine.ASYNC);
        DemoFolder.delete(folder);
        System.out.printf(
                "| method | Oriel, %d samples | async-profiler, %d |%n",
                jfr.samples, async.samples);
        System.out.println("|---|---:|---:|");
        for (String method : Shares.hottest(async.self, ROWS)) {
            System.out.printf(
                    "| `%s` | %s | %s |%n",
                    method.replace("dev.oriel.", ""),
                    share(method, jfr.self),
                    share(method, async.self));
        }
    }

    private static String share(String method, Map<String, Double> of) {
        int rank = Shares.hottest(of, Integer.MAX_VALUE).indexOf(method) + 1;
        return rank == 0 ? "-" : "%.1f %% (%d)".formatted(100 * of.getOrDefault(method, 0.0), rank);
    }
}
