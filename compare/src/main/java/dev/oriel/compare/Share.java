package dev.oriel.compare;

import java.util.Arrays;

/// The share of a method in samples, or the number of samples for a time.
///
/// @param error its standard error: by the number of samples, or by the spread of the runs if that is greater. The
///     compiler may inline a method in one run and not in the next, which moves samples
record Share(double value, double error) {
    /// Difference over its standard error that is beyond chance: one of 700 unchanged methods reaches it.
    static final double SIGMAS = 3;

    /// Number of runs whose spread says something.
    private static final int RUNS_MIN = 3;

    /// The share of samples in others, of runs together.
    ///
    /// @param parts samples of each run, some of `wholes`
    static Share of(double[] parts, double[] wholes, int from, int to) {
        double part = sum(parts, from, to);
        double whole = sum(wholes, from, to);
        double smooth = (part + 0.5) / (whole + 1);
        double counting = Math.sqrt(smooth * (1 - smooth) / whole);
        return new Share(part / whole, Math.max(counting, spread(parts, wholes, from, to)));
    }

    /// Samples for a nanosecond.
    static Share rate(double[] samples, double[] nanos, int from, int to) {
        double seen = sum(samples, from, to);
        double whole = sum(nanos, from, to);
        double counting = Math.sqrt(seen) / whole;
        return new Share(seen / whole, Math.max(counting, spread(samples, nanos, from, to)));
    }

    private static double spread(double[] parts, double[] wholes, int from, int to) {
        if (to - from < RUNS_MIN) {
            return 0;
        }
        double whole = sum(wholes, from, to);
        double value = sum(parts, from, to) / whole;
        double squares = 0;
        for (int run = from; run < to; run++) {
            double residual = parts[run] - value * wholes[run];
            squares += residual * residual;
        }
        double runs = (double) to - from;
        return Math.sqrt(squares * runs / (runs - 1)) / whole;
    }

    /// Whether the share became less, beyond chance, though the whole costs more, or the reverse. Then the method is
    /// not what the difference comes from: samples seem to cost more since something without samples does.
    ///
    /// @param delta difference of the whole
    boolean movesAgainst(Share later, double delta) {
        double moved = later.value - value;
        return moved * delta < 0 && Math.abs(moved) > SIGMAS * Math.hypot(error, later.error);
    }

    static double sum(double[] values, int from, int to) {
        return Arrays.stream(values, from, to).sum();
    }
}
