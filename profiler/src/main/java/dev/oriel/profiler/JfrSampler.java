package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/// Samples by the JDK's Flight Recorder: a recording of its own, concurrent with any other. At its end it is written to
/// a temporary file, read by [JfrReader] and deleted. Loaded only if the module `jdk.jfr` is present.
///
/// The Flight Recorder ends all recordings when the JVM ends. Other shutdown hooks run at the same time, perhaps one
/// that stops the profile. So the first of the two ends the recording, and [#stop] waits until it is closed: then the
/// file is complete.
final class JfrSampler implements Sampler, FlightRecorderListener {
    /// Greatest duration in seconds for samples of processor time: an experiment of the JDK's that has crashed
    /// JVMs.
    private static final long CPU_TIME_SECONDS_MAX = 300;

    private static final long CLOSE_SECONDS_MAX = 30;

    private final Recording recording = new Recording();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Path file;
    private final @Nullable Path kept;

    /// Whether whole stacks are wanted, however deep.
    private final boolean deep;

    private JfrSampler(Path file, @Nullable Path kept, boolean deep) {
        this.file = file;
        this.kept = kept;
        this.deep = deep;
    }

    static Sampler start(ProfileOptions options, List<String> notes) {
        if (!FlightRecorder.isAvailable()) {
            notes.add("No samples: this JVM has no Flight Recorder.");
            return NONE;
        }
        boolean deep = options.stackDepthMax() > ProfileOptions.STACK_DEPTH_USUAL;
        if (deep && !FlightRecorder.isInitialized()) {
            JfrPreparation.start(); // while the JVM's management starts
            JfrStackDepth.raise(options.stackDepthMax(), notes);
        }
        JfrPreparation.await();
        try {
            Path file = JfrPlace.file();
            file.toFile().deleteOnExit();
            JfrSampler sampler = new JfrSampler(file, options.recording(), deep);
            sampler.begin(options, notes);
            return sampler;
        } catch (IOException e) {
            notes.add("No samples: the recording needs a temporary file: " + e);
            return NONE;
        }
    }

    private void begin(ProfileOptions options, List<String> notes) throws IOException {
        recording.setName("oriel-profile");
        recording.setDestination(file);
        recording.setDumpOnExit(true);
        for (SampleKind kind : wanted(options, notes)) {
            JfrEvents.enable(recording, kind, options);
        }
        if (kept != null) {
            JfrEvents.enableSurroundings(recording);
        }
        FlightRecorder.addListener(this);
        recording.start();
        if (options.samples().contains(SampleKind.CPU_TIME)) {
            Thread.ofVirtual().name("oriel-profile-limit").start(this::limitCpuTime);
        }
    }

    /// The kinds to enable in the Flight Recorder: one sampler of the processor at a time.
    private static Set<SampleKind> wanted(ProfileOptions options, List<String> notes) {
        Set<SampleKind> wanted = EnumSet.noneOf(SampleKind.class);
        wanted.addAll(options.samples());
        if (options.engine() == ProfileOptions.Engine.ASYNC) {
            wanted.removeAll(AsyncSampler.KINDS);
        } else if (wanted.contains(SampleKind.CPU_TIME)) {
            wanted.remove(SampleKind.CPU);
            notes.add(
                    "CPU time is sampled by an experimental event of the JDK that has crashed JVMs:"
                            + " for short sessions, not for production. It ends by itself after "
                            + CPU_TIME_SECONDS_MAX
                            + " s.");
            if (!System.getProperty("os.name").equals("Linux")) {
                notes.add("CPU time is sampled on Linux only; CPU samples are taken instead.");
                wanted.remove(SampleKind.CPU_TIME);
                wanted.add(SampleKind.CPU);
            }
        }
        return wanted;
    }

    private void limitCpuTime() {
        try {
            if (!closed.await(CPU_TIME_SECONDS_MAX, TimeUnit.SECONDS)) {
                JfrEvents.of(SampleKind.CPU_TIME).forEach(recording::disable);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
            if (kept != null) {
                keep(kept, notes);
            }
            return JfrReader.read(file, startedAt, wallNanos, deep ? notes : new ArrayList<>());
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

    private void keep(Path to, List<String> notes) {
        try {
            Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            notes.add("The recording could not be kept in " + to + ": " + e);
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
}
