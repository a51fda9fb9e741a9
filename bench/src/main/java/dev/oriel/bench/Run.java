package dev.oriel.bench;

import dev.oriel.bench.measure.Latencies;
import dev.oriel.bench.measure.Meter;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The surroundings of a workload inside a fresh JVM: its folder, the requested cases, and the output of figures.
/// Everything is reported to the parent process as lines.
public final class Run {
    /// System property with the number of seconds after which this JVM is ended.
    public static final String SECONDS = "oriel.bench.seconds";

    private final Scale scale;
    private final Path folder;
    private final Predicate<String> wanted;
    private final PrintStream out;
    private final long seed;
    private final long begun = System.nanoTime();

    /// @param wanted whether the user requested the case of that name
    public Run(Scale scale, Path folder, long seed, Predicate<String> wanted, PrintStream out) {
        this.scale = scale;
        this.folder = folder;
        this.seed = seed;
        this.wanted = wanted;
        this.out = out;
    }

    /// Amount of work.
    public Scale scale() {
        return scale;
    }

    /// An empty folder on a disk, deleted after the run.
    public Path folder() {
        return folder;
    }

    /// The seed of all data: the same for all subjects and rounds of an invocation.
    public long seed() {
        return seed;
    }

    /// A share of the time left until this JVM is ended, but at most `most`. Work with this bound can still report
    /// how far it came.
    public Duration left(double share, Duration most) {
        long seconds = Long.getLong(SECONDS, 0);
        if (seconds == 0) {
            return most;
        }
        long nanos = seconds * 1_000_000_000L - (System.nanoTime() - begun);
        Duration left = Duration.ofNanos(Math.max(0, (long) (nanos * share)));
        return left.compareTo(most) < 0 ? left : most;
    }

    /// Whether the user requested this case.
    public boolean wants(String caseName) {
        return wanted.test(caseName);
    }

    /// Reports one figure.
    public void measured(Measurement measurement) {
        out.println(Lines.of(measurement));
    }

    /// Reports a line of another kind; its producer knows its format.
    public void line(String line) {
        out.println(line);
    }

    /// Reports the rate of `reading`, and its cost.
    public void rate(String caseName, Meter.Reading reading, Durability durability, long checksum) {
        measured(
                new Measurement(
                        caseName,
                        "rate",
                        "ops/s",
                        reading.perSecond(),
                        reading.cpuPerOp(),
                        reading.bytesPerOp(),
                        durability,
                        checksum));
    }

    /// Reports a figure without a cost: a size, a share, a start time.
    public void figure(
            String caseName, String metric, String unit, double value, Durability durability) {
        measured(
                new Measurement(
                        caseName, metric, unit, value, Double.NaN, Double.NaN, durability, 0));
    }

    /// Reports the percentiles of a case.
    public void latencies(String caseName, Latencies latencies, Durability durability) {
        figure(caseName, "p50", "ns", (double) latencies.percentile(0.5), durability);
        figure(caseName, "p99", "ns", (double) latencies.percentile(0.99), durability);
        figure(caseName, "p99.9", "ns", (double) latencies.percentile(0.999), durability);
        figure(caseName, "max", "ns", (double) latencies.percentile(1), durability);
    }

    /// Reports that the subject cannot do a case, and why; the report repeats it.
    public void cannot(String caseName, String why) {
        out.println(Lines.cannot(caseName, why));
    }

    /// Reports that the subject was stopped in a case because its time expired, and its progress ("at 700 records
    /// after 3 s"). It is not given the scenario again.
    public void stopped(String caseName, String how) {
        out.println(Lines.stopped(caseName, how));
    }

    /// Reports the current phase, for the progress line.
    public void phase(@Nullable String what) {
        out.println(Lines.phase(what == null ? "" : what));
    }
}
