package dev.oriel.bench.axion;

import dev.oriel.bench.Scale;
import dev.oriel.bench.measure.WarmUp;
import java.time.Duration;

/// How long the workload stays with each of its parts.
///
/// @param rows of the table
/// @param cold queries that make up the cold case, if they do not take longer than `coldMax`
/// @param warmUp of what is repeated
/// @param warm queries that make up the warm case, if they take between `warmMin` and `warmMax`;
///     else as many as fit
/// @param latencies how long queries are timed one by one
/// @param write how long each kind of writing and of opening lasts
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
