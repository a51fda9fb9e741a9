package dev.oriel.bench.graph;

import dev.oriel.bench.Scale;
import dev.oriel.bench.measure.WarmUp;
import java.time.Duration;

/// Sizes and times of a run of a graph.
///
/// @param vertices of one load
/// @param edges of one load, between an eighth as many vertices
/// @param people of the graph that is read
/// @param friendships of the graph that is read: edges
/// @param starts number of vertices from which single hops are counted; a quarter for two hops, a sixteenth for
///     three
/// @param linkNodes of LinkBench's graph
/// @param requests of LinkBench
/// @param bulkEdges of the graph that is loaded from files
/// @param warmUp before each kind of operation, at most
/// @param measured at least, of each
/// @param loadMax time limit of inserting; a slower subject is stopped
/// @param graphMax time limit of loading; a slower subject is not queried
record HugegraphSizes(
        int vertices,
        int edges,
        int people,
        int friendships,
        int starts,
        int linkNodes,
        int requests,
        int bulkEdges,
        Duration warmUp,
        Duration measured,
        Duration loadMax,
        Duration graphMax) {
    static HugegraphSizes of(Scale scale) {
        return switch (scale) {
            case QUICK ->
                    new HugegraphSizes(
                            200_000,
                            100_000,
                            20_000,
                            200_000,
                            400,
                            5_000,
                            10_000,
                            400_000,
                            Duration.ofMillis(1_200),
                            Duration.ofMillis(600),
                            Duration.ofMillis(1_500),
                            Duration.ofSeconds(40));
            case FULL ->
                    new HugegraphSizes(
                            1_000_000,
                            1_000_000,
                            1_000_000,
                            10_000_000,
                            1_600,
                            1_000_000,
                            500_000,
                            10_000_000,
                            Duration.ofSeconds(12),
                            Duration.ofSeconds(4),
                            Duration.ofMinutes(5),
                            Duration.ofMinutes(40));
        };
    }

    /// Warm-up before each kind of operation.
    WarmUp warming() {
        return new WarmUp(warmUp.dividedBy(6), warmUp);
    }

    /// Warm-up before the first operation of a kind in a JVM, for which most is compiled.
    WarmUp firstWarming() {
        return new WarmUp(warmUp.dividedBy(6), warmUp.multipliedBy(5));
    }

    /// Number of vertices from which `hops` hops are counted.
    int starts(int hops) {
        return Math.max(5, starts >> (2 * (hops - 1)));
    }
}
