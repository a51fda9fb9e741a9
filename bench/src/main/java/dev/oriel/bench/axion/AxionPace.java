package dev.oriel.bench.axion;

import dev.oriel.bench.Scale;
import dev.oriel.bench.measure.WarmUp;
import java.time.Duration;

/// Sizes and durations of the parts of the workload.
///
/// @param rows of the table
/// @param cold number of queries in the cold case, if they take at most `coldMax`
/// @param warmUp warm-up of repeated operations
/// @param warm number of queries in the warm case, if they take between `warmMin` and `warmMax`;
///     else as many as fit
/// @param latencies duration of timing queries one by one
/// @param write duration of each kind of write and of opening
public record AxionPace(
        int rows,
        int cold,
        Duration coldMax,
        WarmUp warmUp,
        int warm,
        Duration warmMin,
        Duration warmMax,
        Duration latencies,
        Duration write) {
    /// The article's sizes.
    public static AxionPace of(Scale scale) {
        return switch (scale) {
            case QUICK -> article(2_000, 3_000, 400, 1_200, 200, 450);
            case FULL -> article(20_000, 10_000, 1_000, 4_000, 1_000, 1_500);
        };
    }

    private static AxionPace article(
            int coldMax, int warmUp, int warmMin, int warmMax, int latencies, int write) {
        return new AxionPace(
                5_000,
                5_000,
                Duration.ofMillis(coldMax),
                new WarmUp(Duration.ofMillis(200), Duration.ofMillis(warmUp)),
                50_000,
                Duration.ofMillis(warmMin),
                Duration.ofMillis(warmMax),
                Duration.ofMillis(latencies),
                Duration.ofMillis(write));
    }
}
