package dev.oriel.bench.report;

import java.util.ArrayList;
import java.util.List;

/// A logarithmic axis.
///
/// @param low the value at 0
/// @param high the value at 1
record Axis(double low, double high) {
    private static final double[] POWERS = {1};
    private static final double[][] SERIES = {
        {1, 1.1, 1.2, 1.3, 1.5, 2, 3, 4, 5, 6, 7, 8, 9},
        {1, 1.2, 1.5, 2, 3, 5, 8},
        {1, 2, 5},
        {1, 3}
    };

    /// An axis that holds the values with some margin.
    static Axis around(double low, double high) {
        double room = Math.pow(high / low, 0.04);
        return new Axis(low / Math.max(room, 1.05), high * Math.max(room, 1.05));
    }

    /// The position of a value, from 0 to 1; values outside are clamped.
    double at(double value) {
        double share = Math.log(value / low) / Math.log(high / low);
        return Math.max(0, Math.min(1, share));
    }

    /// At most `ticksMax` round values, from the finest of four series that fits; else the powers of ten.
    List<Double> ticks(int ticksMax) {
        for (double[] steps : SERIES) {
            List<Double> ticks = ticks(steps);
            if (ticks.size() <= ticksMax) {
                return ticks;
            }
        }
        return ticks(POWERS);
    }

    /// The powers of ten.
    List<Double> powers() {
        return ticks(POWERS);
    }

    private List<Double> ticks(double[] steps) {
        List<Double> ticks = new ArrayList<>();
        int last = (int) Math.floor(Math.log10(high));
        for (int exponent = (int) Math.floor(Math.log10(low)); exponent <= last; exponent++) {
            for (double step : steps) {
                double tick =
                        exponent < 0
                                ? step / Math.pow(10, -exponent)
                                : step * Math.pow(10, exponent);
                if (tick >= low && tick <= high) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
