package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Profiles a program from the end of its warm-up to its own end, and writes a [RunFile]. The file is named after
/// the process, so that a program may start others.
///
/// Thread-safe: the end may come while the profile starts. It does not wait for the start, since the Flight Recorder
/// ends with the JVM too, and a start that it no longer serves never returns.
final class ForkRecording {
    /// The result of a program that ended within its warm-up, or while the profile started.
    private static final ProfileResult NOTHING =
            new ProfileResult(Instant.EPOCH, 0, 0, 0, List.of(), List.of(), List.of());

    private final Path folder;
    private final Supplier<Profile> starter;
    private final Consumer<String> complain;
    private volatile @Nullable Profile profile;
    private volatile boolean ended;

    ForkRecording(Path folder, Supplier<Profile> starter, Consumer<String> complain) {
        this.folder = folder;
        this.starter = starter;
        this.complain = complain;
    }

    /// Starts once `warmup` has passed, and writes into `folder` when the JVM ends.
    static void start(
            Path folder, Duration warmup, ProfileOptions options, Consumer<String> complain) {
        JfrPlace.set(folder);
        ForkRecording recording = new ForkRecording(folder, () -> Profile.start(options), complain);
        Runtime.getRuntime().addShutdownHook(new Thread(recording::end, "oriel-run-end"));
        if (warmup.isZero()) {
            recording.begin();
            return;
        }
        // The profiler's own first steps take tenths of a second: they are done before the program
        // starts.
        Profile.start(options).stop();
        Thread waiting =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(warmup);
                            } catch (InterruptedException e) {
                                return; // never expected: then there is no profile
                            }
                            recording.begin();
                        },
                        "oriel-run-warmup");
        waiting.setDaemon(true);
        waiting.start();
    }

    void begin() {
        if (!ended) {
            profile = starter.get();
        }
    }

    void end() {
        ended = true;
        Profile running = profile;
        try {
            Path file = folder.resolve("run-" + ProcessHandle.current().pid() + ".run");
            RunFile.write(running == null ? NOTHING : running.stop(), file);
        } catch (IOException e) {
            complain.accept("The run could not be handed over: " + e);
        }
    }
}
