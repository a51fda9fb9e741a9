package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Profiles a program from the end of its warm-up to its own end, and writes a [RunFile]. The file is named after
/// the process, so that a program may start others. Thread-safe: the end may come while the profile starts.
final class ForkRecording {
    /// The result of a program that ended within its warm-up.
    private static final ProfileResult NOTHING =
            new ProfileResult(Instant.EPOCH, 0, 0, 0, List.of(), List.of(), List.of());

    private final Path folder;
    private final ProfileOptions options;
    private final Consumer<String> complain;
    private @Nullable Profile profile;
    private boolean ended;

    private ForkRecording(Path folder, ProfileOptions options, Consumer<String> complain) {
        this.folder = folder;
        this.options = options;
        this.complain = complain;
    }

    /// Starts once `warmup` has passed, and writes into `folder` when the JVM ends.
    static void start(
            Path folder, Duration warmup, ProfileOptions options, Consumer<String> complain) {
        ForkRecording recording = new ForkRecording(folder, options, complain);
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

    private synchronized void begin() {
        if (!ended) {
            profile = Profile.start(options);
        }
    }

    private synchronized void end() {
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
