package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Samples of real work by the real Flight Recorder.
class JfrSamplerTest {
    /// By the times of two clocks: one that is set meanwhile may take an event out of the profile.
    @Test
    void forcesOfFilesAreSampledWithTheirStacks(@TempDir Path directory) throws IOException {
        ProfileResult result = forced(directory, forces());
        for (int i = 0; i < 5 && result.samples(SampleKind.FILE_FORCE).size() != 3; i++) {
            result = forced(directory, forces());
        }
        assertEquals(List.of(), result.notes());
        List<Sample> forces = result.samples(SampleKind.FILE_FORCE);
        assertEquals(3, forces.size());
        for (Sample force : forces) {
            assertTrue(force.weight() > 0);
            assertTrue(force.atNanos() >= 0 && force.atNanos() <= result.wallNanos());
            assertTrue(
                    force.stack().stream()
                            .anyMatch(
                                    frame -> frame.method().equals("forced") && frame.line() > 0));
        }
    }

    @Test
    void aRecordingThatCannotBeKeptCostsNoSamples(@TempDir Path directory) throws IOException {
        Path kept = directory.resolve("no").resolve("such.jfr");
        ProfileResult result = forced(directory, forces().withRecording(kept));
        for (int i = 0; i < 5 && result.samples(SampleKind.FILE_FORCE).size() != 3; i++) {
            result = forced(directory, forces().withRecording(kept));
        }
        assertEquals(3, result.samples(SampleKind.FILE_FORCE).size());
        assertEquals(1, result.notes().size());
        String note = result.notes().getFirst();
        assertTrue(note.startsWith("The recording could not be kept in " + kept), note);
    }

    /// The engine's probes have the names of interfaces. A wait within an implementation is in the call, too.
    @Test
    void waitsInImplementationsOfAProbesInterfaceAreInItsCalls() throws InterruptedException {
        Probe probe = Probe.of(Waiter.class, "rest");
        Waiter waiter =
                new Waiter() {
                    @Override
                    public void rest() throws InterruptedException {
                        long entered = probe.enter();
                        try {
                            Thread.sleep(300);
                        } finally {
                            probe.exit(entered);
                        }
                    }
                };
        Profile profile =
                Profile.start(ProfileOptions.exactOnly().withSamples(Set.of(SampleKind.WAIT)));
        waiter.rest();
        Bottleneck verdict = Bottleneck.of(profile.stop());
        assertEquals(Bottleneck.Cause.SLEEP, verdict.cause(), verdict.line());
    }

    private interface Waiter {
        void rest() throws InterruptedException;
    }

    private static ProfileOptions forces() {
        return ProfileOptions.exactOnly().withSamples(Set.of(SampleKind.FILE_FORCE));
    }

    private static ProfileResult forced(Path directory, ProfileOptions options) throws IOException {
        Profile profile = Profile.start(options);
        try (FileChannel file =
                FileChannel.open(
                        directory.resolve("f"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            for (int i = 0; i < 3; i++) {
                file.write(ByteBuffer.allocate(100));
                file.force(true);
            }
        }
        return profile.stop();
    }

    /// The sampler sees a few threads a tick, and a busy machine skips ticks: so it has some tries.
    @Test
    void runningThreadsAreSampledAtTheirMethodAndLine() {
        List<Sample> samples = List.of();
        for (int attempt = 0; attempt < 60 && !samples.stream().anyMatch(this::isBusy); attempt++) {
            samples = samplesOfBusyThread();
        }
        assertFalse(samples.isEmpty());
        assertTrue(samples.stream().anyMatch(this::isBusy), () -> "no sample in busy()");
    }

    private boolean isBusy(Sample sample) {
        return sample.stack().stream()
                .anyMatch(frame -> frame.toString().contains("JfrSamplerTest.busy:"));
    }

    private static List<Sample> samplesOfBusyThread() {
        Profile profile =
                Profile.start(ProfileOptions.everything().withSampleEvery(Duration.ofMillis(10)));
        assertTrue(busy(System.nanoTime() + 500_000_000) != 0);
        return profile.stop().samples(SampleKind.CPU);
    }

    /// As async-profiler names and fills it.
    @Enabled(false) // in the recordings of others
    @Name("profiler.WallClockSample")
    private static final class WallClockSample extends Event {
        @SuppressWarnings("UnusedVariable") // read from the recording
        private final Thread sampledThread = Thread.currentThread();

        @SuppressWarnings("UnusedVariable")
        private final int samples;

        WallClockSample(int samples) {
            this.samples = samples;
        }
    }

    @Test
    void samplesByTheClockOnTheWallCountAsOftenAsTheySay(@TempDir Path directory)
            throws IOException {
        Path file = directory.resolve("wall.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(WallClockSample.class);
            recording.start();
            new WallClockSample(7).commit();
            new WallClockSample(1).commit();
            recording.stop();
            recording.dump(file);
        }
        ProfileResult read = ProfileReader.read(file);
        List<Sample> samples = read.samples(SampleKind.OTHER); // nothing tells the interval
        assertEquals(List.of(7L, 1L), samples.stream().map(Sample::count).toList());
        assertEquals(8, read.weight(SampleKind.OTHER));
        assertEquals(Thread.currentThread().getName(), samples.getFirst().thread());
        assertTrue(read.notes().getFirst().contains("the clock on the wall"), "the note");
    }

    @Test
    void theIntervalOfTheClockOnTheWallIsToldBySettings() {
        WallInterval both = new WallInterval();
        both.setting("event", "cpu");
        both.setting("interval", "10000000");
        assertEquals(0, both.nanos());
        both.setting("wall", "20000000");
        assertEquals(20_000_000, both.nanos());
        WallInterval alone = new WallInterval();
        alone.setting("event", "wall");
        alone.setting("interval", "5000000");
        assertEquals(5_000_000, alone.nanos());
        alone.setting("interval", "0");
        assertEquals(WallInterval.USUAL_NANOS, alone.nanos());
        alone.setting("interval", "10 ms");
        assertEquals(0, alone.nanos());
    }

    @Test
    void namesOfHiddenClassesAreTheSameInEveryRun() {
        assertEquals("a.B$$Lambda", JfrReader.className("a.B$$Lambda.0x00000000740c5448"));
        assertEquals("a.B$$Lambda", JfrReader.className("a.B$$Lambda/0x00000000740c5448"));
        assertEquals("a.B0xf", JfrReader.className("a.B0xf"));
    }

    /// The loop is in here: of a method that the compiler inlines into a loop, samples name the
    /// loop's line.
    private static double busy(long until) {
        double x = 1;
        while (System.nanoTime() < until) {
            for (int i = 0; i < 10_000; i++) {
                x = Math.sin(x + i) + Math.sqrt(i);
            }
        }
        return x;
    }
}
