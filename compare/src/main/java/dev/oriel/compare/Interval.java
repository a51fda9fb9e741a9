package dev.oriel.compare;

import java.util.Locale;

/// An estimate of a positive quantity and its 95 % interval. Without enough runs the interval is open: from 0 to
/// infinity.
///
/// @param value the geometric mean
/// @param low the lower end
/// @param high the upper end
/// @param runs number of values it was computed from
public record Interval(double value, double low, double high, int runs) {
    /// Distance from the value to the farther end, as a share: 0.05 for 5 %.
    public double halfWidth() {
        return Math.max(high / value - 1, 1 - low / value);
    }

    /// This estimate with ends `factor` times as far away, as ratios.
    public Interval widened(double factor) {
        return closed()
                ? new Interval(
                        value,
                        value * Math.pow(low / value, factor),
                        value * Math.pow(high / value, factor),
                        runs)
                : this;
    }

    /// Whether there is an interval at all.
    public boolean closed() {
        return high < Double.POSITIVE_INFINITY;
    }

    @Override
    public String toString() {
        return closed()
                ? String.format(Locale.ROOT, "%.4g [%.4g, %.4g]", value, low, high)
                : String.format(Locale.ROOT, "%.4g [one run]", value);
    }
}
