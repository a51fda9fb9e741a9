package dev.oriel.bench.profiler;

import dev.oriel.compare.Interval;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/// Measures the cost of a switch inside one JVM: the same work in many short blocks, off and on in turns.
///
/// Four blocks are one comparison: off, on, on, off, or the other way round, by chance. A steady drift (a heap
/// that fills, a processor that gets warm) cancels out in each of them. The result of a comparison is the
/// logarithm of the ratio of the times of the two blocks with the switch on and the two with it off. A fifth of
/// the comparisons at either end is cut off, because a disturbance of a block (a collection, another process) only
/// makes it longer. The interval is the one for such a trimmed mean (Yuen 1974).
final class Toggling {
    /// Share of the comparisons that is cut off at either end.
    private static final double CUT = 0.2;

    /// Least number of comparisons.
    static final int COMPARISONS_MIN = 20;

    /// Quantile of Student's t, two-sided, 95 of 100, for 20 comparisons or more.
    private static final double ERRORS = 2.1;

    private final LongSupplier clock;
    private final LongSupplier wall;
    private final SplittableRandom random;

    /// @param clock clock that times blocks
    /// @param wall clock that bounds the whole measurement
    Toggling(LongSupplier clock, LongSupplier wall, long seed) {
        this.clock = clock;
        this.wall = wall;
        this.random = new SplittableRandom(seed);
    }

    /// By processor time of this thread: the effects of other processes are left out, except for their effects on
    /// its caches.
    static Toggling byProcessorTime(long seed) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return new Toggling(threads::getCurrentThreadCpuTime, System::nanoTime, seed);
    }

    /// By wall-clock time.
    static Toggling byWallTime(long seed) {
        return new Toggling(System::nanoTime, System::nanoTime, seed);
    }

    /// The measured work.
    interface Work {
        /// Turns the switch; not timed.
        void turn(boolean on) throws Exception;

        /// Does one block.
        ///
        /// @param on position of the switch, for work that has a loop of its own for each
        void block(boolean on) throws Exception;
    }

    /// The result of a measurement.
    ///
    /// @param ratio ratio of a block's time with the switch on to its time with the switch off
    /// @param offNanos time of a block with the switch off, the median
    record Outcome(Interval ratio, double offNanos) {
        /// Time of a block with the switch on.
        double onNanos() {
            return offNanos * ratio.value();
        }

        /// Additional time of a block with the switch on, with its interval.
        Interval cost() {
            return new Interval(
                    offNanos * (ratio.value() - 1),
                    offNanos * (ratio.low() - 1),
                    offNanos * (ratio.high() - 1),
                    ratio.runs());
        }
    }

    /// Compares for `nanos` nanoseconds, and at least `comparisonsMin` times.
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

    /// The trimmed mean of logarithms.
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
