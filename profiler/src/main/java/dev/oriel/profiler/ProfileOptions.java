package dev.oriel.profiler;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Options of a profile.
///
/// @param samples the kinds of samples to take as well; they need the module `jdk.jfr`
/// @param sampleEvery the time between two samples of a thread
/// @param stackDepthMax the frames kept of a sample's stack. The JVM takes this setting only before
///     its first recording of the Flight Recorder, and only with the module `java.management`;
///     otherwise it keeps 64
/// @param tree how the exact tree is recorded
/// @param recording file for a copy of the Flight Recorder's own file; null keeps none
/// @param engine the source of CPU samples
/// @param waitsMin the shortest wait, read or write that is recorded
/// @param calls whether the exact call tree is recorded, with the totals of the process
public record ProfileOptions(
        Set<SampleKind> samples,
        Duration sampleEvery,
        int stackDepthMax,
        TreeOptions tree,
        @Nullable Path recording,
        Engine engine,
        Duration waitsMin,
        boolean calls) {

    /// The source of CPU samples.
    public enum Engine {
        /// The JDK's Flight Recorder.
        JFR,
        /// async-profiler, which must be on the class path.
        ASYNC
    }

    /// The kinds taken by default: all that the Flight Recorder takes reliably.
    public static final Set<SampleKind> USUAL_SAMPLES =
            Set.copyOf(
                    EnumSet.complementOf(
                            EnumSet.of(SampleKind.CPU_TIME, SampleKind.WALL, SampleKind.OTHER)));

    /// Number of frames that the JVM keeps of a stack if it was not told otherwise.
    public static final int STACK_DEPTH_USUAL = 64;

    /// Checks the ranges and copies the set.
    public ProfileOptions {
        samples = Set.copyOf(samples);
        check(sampleEvery.toMillis() >= 1, "sampleEvery is below a millisecond");
        check(stackDepthMax >= 1 && stackDepthMax <= 2048, "stackDepthMax is not in 1..2048");
    }

    /// The exact tree and the usual kinds of samples, every 10 ms.
    public static ProfileOptions everything() {
        return exactOnly().withSamples(USUAL_SAMPLES);
    }

    /// The exact tree alone: starts and stops within milliseconds and needs no optional module of the JVM.
    public static ProfileOptions exactOnly() {
        return new ProfileOptions(
                Set.of(),
                Duration.ofMillis(10),
                512,
                TreeOptions.USUAL,
                null,
                Engine.JFR,
                Duration.ofMillis(1),
                true);
    }

    /// Samples alone: no call is recorded, and nothing is known of the process. It starts sooner.
    public static ProfileOptions samplesOnly(Set<SampleKind> kinds) {
        ProfileOptions usual = exactOnly();
        return new ProfileOptions(
                kinds,
                usual.sampleEvery,
                usual.stackDepthMax,
                usual.tree,
                null,
                usual.engine,
                usual.waitsMin,
                false);
    }

    /// These options with other kinds of samples.
    public ProfileOptions withSamples(Set<SampleKind> kinds) {
        return new ProfileOptions(
                kinds, sampleEvery, stackDepthMax, tree, recording, engine, waitsMin, calls);
    }

    /// These options with another time between two samples.
    public ProfileOptions withSampleEvery(Duration time) {
        return new ProfileOptions(
                samples, time, stackDepthMax, tree, recording, engine, waitsMin, calls);
    }

    /// These options with another number of frames of a sample's stack. With [#STACK_DEPTH_USUAL] or fewer the first
    /// profile of a JVM starts sooner, but its later ones keep no more frames either.
    public ProfileOptions withStackDepthMax(int frames) {
        return new ProfileOptions(
                samples, sampleEvery, frames, tree, recording, engine, waitsMin, calls);
    }

    /// These options with another way to record the tree.
    public ProfileOptions withTree(TreeOptions other) {
        return new ProfileOptions(
                samples, sampleEvery, stackDepthMax, other, recording, engine, waitsMin, calls);
    }

    /// These options with a file for the Flight Recorder's own recording.
    public ProfileOptions withRecording(Path file) {
        return new ProfileOptions(
                samples, sampleEvery, stackDepthMax, tree, file, engine, waitsMin, calls);
    }

    /// These options with another engine of CPU samples.
    public ProfileOptions withEngine(Engine other) {
        return new ProfileOptions(
                samples, sampleEvery, stackDepthMax, tree, recording, other, waitsMin, calls);
    }

    /// These options with another least duration of recorded waits.
    public ProfileOptions withWaitsMin(Duration time) {
        return new ProfileOptions(
                samples, sampleEvery, stackDepthMax, tree, recording, engine, time, calls);
    }

    private static void check(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }
}
