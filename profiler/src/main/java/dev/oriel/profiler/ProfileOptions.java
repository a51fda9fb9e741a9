package dev.oriel.profiler;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// What a profile records. The exact call tree is always recorded.
///
/// @param samples the kinds of samples to take as well; they need the module `jdk.jfr`
/// @param sampleEvery the time between two samples of a thread
/// @param stackDepthMax the frames kept of a sample's stack. The JVM takes this setting only before
///     its first recording of the Flight Recorder, and only with the module `java.management`;
///     otherwise it keeps 64
/// @param treeDepthMax levels of the call tree; deeper calls are counted in one node `(other)`.
///     Between 1 and 1,024, because trees are walked recursively
/// @param treeNodesMax nodes of a recorder's tree; calls on further paths are counted in `(other)`
public record ProfileOptions(
        Set<SampleKind> samples,
        Duration sampleEvery,
        int stackDepthMax,
        int treeDepthMax,
        int treeNodesMax) {

    /// Checks the ranges and copies the set.
    public ProfileOptions {
        samples = Set.copyOf(samples);
        check(sampleEvery.toMillis() >= 1, "sampleEvery is below a millisecond");
        check(stackDepthMax >= 1 && stackDepthMax <= 2048, "stackDepthMax is not in 1..2048");
        check(treeDepthMax >= 1 && treeDepthMax <= 1024, "treeDepthMax is not in 1..1024");
        check(treeNodesMax >= 1, "treeNodesMax is below 1");
    }

    /// The exact tree and every kind of sample, every 10 ms.
    public static ProfileOptions everything() {
        return exactOnly().withSamples(EnumSet.allOf(SampleKind.class));
    }

    /// The exact tree alone: starts and stops within milliseconds and needs nothing of the JVM.
    public static ProfileOptions exactOnly() {
        return new ProfileOptions(Set.of(), Duration.ofMillis(10), 512, 512, 1 << 20);
    }

    /// These options with other kinds of samples.
    public ProfileOptions withSamples(Set<SampleKind> kinds) {
        return new ProfileOptions(kinds, sampleEvery, stackDepthMax, treeDepthMax, treeNodesMax);
    }

    /// These options with another time between two samples.
    public ProfileOptions withSampleEvery(Duration time) {
        return new ProfileOptions(samples, time, stackDepthMax, treeDepthMax, treeNodesMax);
    }

    /// These options with other bounds of the call tree.
    public ProfileOptions withTree(int depthMax, int nodesMax) {
        return new ProfileOptions(samples, sampleEvery, stackDepthMax, depthMax, nodesMax);
    }

    private static void check(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }
}
