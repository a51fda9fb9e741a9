package dev.oriel.bench.faces;

import dev.oriel.bench.Scale;
import dev.oriel.bench.measure.WarmUp;
import java.time.Duration;

/// Times of the warm-up and the measurement of a run of transactions.
record FacesPace(WarmUp warmUp, Duration measured) {
    static FacesPace of(Scale scale) {
        return switch (scale) {
            case QUICK -> new FacesPace(warmUp(6), Duration.ofSeconds(2));
            case FULL -> new FacesPace(warmUp(12), Duration.ofSeconds(5));
        };
    }

    private static WarmUp warmUp(int secondsMax) {
        return new WarmUp(Duration.ofMillis(400), Duration.ofSeconds(secondsMax));
    }
}
