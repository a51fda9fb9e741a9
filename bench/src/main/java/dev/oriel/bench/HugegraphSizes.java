package dev.oriel.bench;

import java.time.Duration;

/// How much a run of a graph does.
///
/// @param vertices of one load
/// @param edges of one load, between a quarter as many vertices
/// @param starts from how many vertices paths are walked
/// @param warmUp before each kind of operation
/// @param measured at least, of each
/// @param loadMax after which a subject that is still inserting is stopped
record HugegraphSizes(
        int vertices, int edges, int starts, Duration warmUp, Duration measured, Duration loadMax) {
    static HugegraphSizes of(Scale scale) {
        return switch (scale) {
            case QUICK ->
                    new HugegraphSizes(
                            200_000,
                            100_000,
                            500,
                            Duration.ofMillis(1_000),
                            Duration.ofMillis(600),
                            Duration.ofSeconds(10));
            case FULL ->
                    new HugegraphSizes(
                            1_000_000,
                            1_000_000,
                            2_000,
                            Duration.ofSeconds(4),
                            Duration.ofSeconds(4),
                            Duration.ofMinutes(5));
        };
    }
}
