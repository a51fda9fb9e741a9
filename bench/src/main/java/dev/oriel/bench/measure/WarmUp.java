package dev.oriel.bench.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Repeats work until it gets no faster or the time has expired. It gets no faster if three consecutive windows were no
/// faster than the best one before them, and the JVM hardly compiled.
///
/// The time needed differs by a factor of ten between subjects. Code that was compiled ahead of time is flat at
/// once; code that the JVM compiles while it runs takes seconds. Each gets the time it needs, so that a figure
/// shows the steady state of the subject, and `cold` the rest.
///
/// @param window least duration of one window
/// @param max time after which no further window is begun
public record WarmUp(Duration window, Duration max) {
    private static final double FASTER = 1.03;
    private static final int FLAT_WINDOWS = 3;

    /// Greatest share of a window's time that the JVM may compile in the steady state. It takes processor time
    /// from the measured work, and counts in it.
    private static final double COMPILING = 0.1;

    private static final @Nullable CompilationMXBean COMPILER =
            ManagementFactory.getCompilationMXBean();

    /// Work to repeat.
    @FunctionalInterface
    public interface Work<E extends Exception> {
        /// Does some work, and returns its number of operations.
        long run() throws E;
    }

    /// Repeats the work until it gets no faster.
    public <E extends Exception> void repeat(Work<E> work) throws E {
        Meter all = Meter.start();
        Curve curve = new Curve();
        while (!curve.isFlat() && all.elapsed() < max.toNanos()) {
            long began = all.elapsed();
            long compiled = compiledMillis();
            double rate = rate(work);
            curve.add(rate, 1e6 * (compiledMillis() - compiled) / (all.elapsed() - began));
        }
    }

    /// The rates of the windows so far. Confined to one thread.
    static final class Curve {
        private double best;
        private int flat;

        /// Adds the next window.
        ///
        /// @param rate operations a second
        /// @param compiling share of the window's time that the JVM compiled
        void add(double rate, double compiling) {
            flat = rate > best * FASTER || compiling > COMPILING ? 0 : flat + 1;
            best = Math.max(best, rate);
        }

        boolean isFlat() {
            return flat >= FLAT_WINDOWS;
        }
    }

    private static long compiledMillis() {
        return COMPILER == null ? 0 : COMPILER.getTotalCompilationTime();
    }

    private <E extends Exception> double rate(Work<E> work) throws E {
        Meter meter = Meter.start();
        long operations = 0;
        do {
            operations += work.run();
        } while (meter.elapsed() < window.toNanos());
        return meter.stop(operations).perSecond();
    }
}
