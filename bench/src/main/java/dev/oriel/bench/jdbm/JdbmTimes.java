package dev.oriel.bench.jdbm;

import dev.oriel.bench.Scale;
import dev.oriel.bench.measure.WarmUp;
import java.time.Duration;

/// Times of the warm-up and the measurement of a run of records.
///
/// @param warmUp of each kind of operation
/// @param measured of each operation that can be repeated
/// @param loadMax time limit of inserting, if the JVM has so long; a slower subject is stopped
record JdbmTimes(WarmUp warmUp, Duration measured, Duration loadMax) {
    static JdbmTimes of(Scale scale) {
        return switch (scale) {
            case QUICK -> new JdbmTimes(warmUp(5), Duration.ofMillis(600), Duration.ofSeconds(30));
            case FULL -> new JdbmTimes(warmUp(6), Duration.ofSeconds(2), Duration.ofMinutes(15));
        };
    }

    private static WarmUp warmUp(int secondsMax) {
        return new WarmUp(Duration.ofMillis(200), Duration.ofSeconds(secondsMax));
    }

    /// These times for a subject whose code is warm from work of the same kind.
    JdbmTimes warm() {
        return new JdbmTimes(warmUp(1), measured, loadMax);
    }

    Duration commits() {
        return measured.multipliedBy(5).dividedBy(3);
    }
}
