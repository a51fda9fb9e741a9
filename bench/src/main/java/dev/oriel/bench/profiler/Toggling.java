package dev.oriel.bench.profiler;

import dev.oriel.compare.Interval;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/// Measures what a switch costs inside one JVM: the same work in many short blocks, off and on in
/// turns.
///
/// Four blocks are one comparison: off, on, on, off, or the other way round, by chance. What drifts
/// evenly (a heap that fills, a processor that gets warm) cancels out in each of them. A comparison
/// says the logarithm of how many times as long the two blocks took that had the switch on. A fifth
/// of the comparisons at either end is cut off, because what disturbs a block (a collection,
/// another process) makes it longer only; the interval is the one that goes with such a mean (Yuen
/// 1974).
final class Toggling {
    /// Of the comparisons, at either end.
    private static final double CUT = 0.2;

    /// Fewer say nothing.
    static final int COMPARISONS_MIN = 20;

    /// Two-sided, 95 of 100, for 20 comparisons or more.
    private static final double ERRORS = 2.1;

    private final LongSupplier clock;
    private final LongSupplier wall;
    private final SplittableRandom random;

    /// @param clock what blocks are timed by
    /// @param wall what says how long it goes on
    Toggling(LongSupplier clock, LongSupplier wall, long seed) {
        this.clock = clock;
        this.wall = wall;
        this.random = new SplittableRandom(seed);
    }

    /// By processor time of this thread: what other processes do to a machine that is not quiet is
    /// left out, but for what they do to its caches.
    static Toggling byProcessorTime(long seed) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return new Toggling(threads::getCurrentThreadCpuTime, System::nanoTime, seed);
    }

    /// By wall-clock time.
    static Toggling byWallTime(long seed) {
        return new Toggling(System::nanoTime, System::nanoTime, seed);
    }

    /// What is measured.
    interface Work {
        /// Turns the switch; not timed.
        void turn(boolean on) throws Exception;

        /// Does one block.
        ///
        /// @param on what the switch is turned to, for work that has a loop of its own for each
        void block(boolean on) throws Exception;
    }

    /// What was found.
    ///
    /// @param ratio how many times as long a block takes with the switch on
    /// @param offNanos what a block takes without, the median
    record Outcome(Interval ratio, double offNanos) {
        /// What a block takes with the switch on.
        double onNanos() {
            return offNanos * ratio.value();
        }

        /// What it takes longer, with its interval.
        Interval cost() {
            return new Interval(
                    offNanos * (ratio.value() - 1),
                    offNanos * (ratio.low() - 1),
                    offNanos * (ratio.high() - 1),
                    ratio.runs());
        }
    }

    /// Compares for so long, and so often at least as it takes to tell anything.
    Outcome measure(Work work, long nanos, int comparisonsMin) throws Exception {
        double[] logs = new double[1 << 8];
        double[] off = new double[2 << 8];
        int n = 0;
        long end = wall.getAsLong() + nanos;
        while (n < comparisonsMin || wall.getAsLong() < end) {
            if (n == logs.length) {
                logs = Arrays.copyOf(logs, 2 * n);
                off = Arrays.copyOf(off, 4 * n);
            }
            boolean first = random.nextBoolean();
            long outer = block(work, first);
            long inner = block(work, !first) + block(work, !first);
            long last = block(work, first);
            double sumOn = first ? outer + last : inner;
            double sumOff = first ? inner : outer + last;
            logs[n] = Math.log(sumOn / sumOff);
            off[n] = sumOff / 2;
            n++;
        }
        double[] blocks = Arrays.copyOf(off, n);
        Arrays.sort(blocks);
        return new Outcome(ratio(Arrays.copyOf(logs, n)), blocks[n / 2]);
    }

    private long block(Work work, boolean on) throws Exception {
        work.turn(on);
        long begun = clock.getAsLong();
        work.block(on);
        return Math.max(1, clock.getAsLong() - begun);
    }

    /// The mean without its ends, of logarithms.
    private static Interval ratio(double[] logs) {
        Arrays.sort(logs);
        int n = logs.length;
        int cut = (int) (CUT * n);
        int kept = n - 2 * cut;
        double mean = Arrays.stream(logs, cut, n - cut).sum() / kept;
        double winsorized = 0;
        for (int i = 0; i < n; i++) {
            winsorized += Math.clamp(logs[i], logs[cut], logs[n - 1 - cut]);
        }
        winsorized /= n;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double from = Math.clamp(logs[i], logs[cut], logs[n - 1 - cut]) - winsorized;
            squares += from * from;
        }
        double half = ERRORS * Math.sqrt(squares / (n - 1)) / ((1 - 2 * CUT) * Math.sqrt(n));
        return new Interval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), n);
    }
}
