package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/// Samples by the JDK's Flight Recorder: a recording of our own beside any other, which writes itself
/// into a temporary file when it ends, is read by [JfrReader] and deleted. Loaded only where the
/// module `jdk.jfr` is present.
///
/// The Flight Recorder ends all recordings when the JVM ends, at the same time as other shutdown
/// hooks run, among them perhaps one that stops the profile. So whoever comes first ends the
/// recording, and [#stop] waits until it is closed, which it is when the file is complete.
final class JfrSampler implements Sampler, FlightRecorderListener {
    private static final Duration LONG = Duration.ofMillis(1);
    private static final long CLOSE_SECONDS_MAX = 30;

    private final Recording recording = new Recording();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Path file;

    private JfrSampler(Path file) {
        this.file = file;
    }

    static Sampler start(ProfileOptions options, List<String> notes) {
        if (!FlightRecorder.isAvailable()) {
            notes.add("No samples: this JVM has no Flight Recorder.");
            return NONE;
        }
        if (!FlightRecorder.isInitialized()) {
            JfrStackDepth.raise(options.stackDepthMax(), notes);
        }
        try {
            Path file = Files.createTempFile("oriel-profile", ".jfr");
            file.toFile().deleteOnExit();
            JfrSampler sampler = new JfrSampler(file);
            sampler.start(options);
            return sampler;
        } catch (IOException e) {
            notes.add("No samples: the recording needs a temporary file: " + e);
            return NONE;
        }
    }

    private void start(ProfileOptions options) throws IOException {
        recording.setName("oriel-profile");
        recording.setDestination(file);
        recording.setDumpOnExit(true);
        for (SampleKind kind : options.samples()) {
            enable(recording, kind, options.sampleEvery());
        }
        FlightRecorder.addListener(this);
        recording.start();
    }

    @Override
    public void recordingStateChanged(Recording changed) {
        if (changed.equals(recording) && changed.getState() == RecordingState.CLOSED) {
            closed.countDown();
        }
    }

    @Override
    public List<Sample> stop(Instant startedAt, long wallNanos, List<String> notes) {
        try {
            if (recording.getState() == RecordingState.RUNNING) {
                end();
            }
            if (!closed.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                notes.add("No samples: the Flight Recorder did not finish its file in time.");
                return List.of();
            }
            return new JfrReader(startedAt, wallNanos).read(file);
        } catch (IOException e) {
            notes.add("No samples: the recording could not be read: " + e);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            notes.add("No samples: interrupted while the recording was being written.");
            return List.of();
        } finally {
            FlightRecorder.removeListener(this);
            delete(notes);
        }
    }

    private void end() {
        try {
            recording.stop();
        } catch (IllegalStateException e) {
            if (recording.getState() == RecordingState.RUNNING) {
                throw e;
            }
        }
    }

    private void delete(List<String> notes) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            notes.add("The temporary file " + file + " could not be deleted: " + e);
        }
    }

    private static void enable(Recording recording, SampleKind kind, Duration every) {
        String event = JfrReader.event(kind);
        switch (kind) {
            case CPU, NATIVE -> recording.enable(event).withPeriod(every);
            case ALLOCATION -> recording.enable(event).with("throttle", "300/s").withStackTrace();
            case FILE_FORCE -> recording.enable(event).withoutThreshold().withStackTrace();
            case FILE_WRITE, FILE_READ, MONITOR ->
                    recording.enable(event).withThreshold(LONG).withStackTrace();
        }
    }
}
