package dev.oriel.cli;

import dev.oriel.server.ServerLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The end of a process that serves, as its shutdown hook: server and database are closed, in a limited time. The
/// exit code is 0 after an end in order, whatever signal has asked for it, and 1 otherwise, a failed start included.
/// Nothing answered is lost then either: the next start recovers it from the log.
final class ServeEnd implements Runnable {
    /// Less than the unit's TimeoutStopSec.
    private static final long END_MILLIS_MAX = 25_000;

    /// Time limit of other shutdown hooks, such as one that writes a recording.
    private static final long OTHERS_MILLIS_MAX = 3_000;

    private final Runnable closing;
    private final ServerLog log;
    private final Runnable ended;
    private volatile boolean startFailed;

    /// @param closing closes the server and the database
    /// @param ended is run at the end in any case
    ServeEnd(Runnable closing, ServerLog log, Runnable ended) {
        this.closing = closing;
        this.log = log;
        this.ended = ended;
    }

    /// To be called if the process ends because it could not begin to serve.
    void startFailed() {
        startFailed = true;
    }

    @Override
    public void run() {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("oriel-closing")
                        .uncaughtExceptionHandler((failed, e) -> failure.set(e))
                        .start(closing);
        boolean inTime = join(thread, END_MILLIS_MAX);
        Throwable failed = failure.get();
        if (!inTime) {
            log.notEnded(END_MILLIS_MAX);
        } else if (failed != null) {
            log.endFailed(failed);
        }
        ended.run();
        awaitOtherHooks();
        // A JVM that a signal ends returns 128 and the signal's number, unless a hook says
        // otherwise.
        Runtime.getRuntime().halt(inTime && failed == null && !startFailed ? 0 : 1);
    }

    private static boolean join(Thread thread, long millis) {
        try {
            return thread.join(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !thread.isAlive();
        }
    }

    /// Waits for the other hooks, which are among the few threads left that are no daemons.
    private static void awaitOtherHooks() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(OTHERS_MILLIS_MAX);
        Set<String> ofTheProcess =
                Set.of("main", "DestroyJavaVM", Thread.currentThread().getName());
        for (Thread other : Thread.getAllStackTraces().keySet()) {
            if (!other.isDaemon() && !ofTheProcess.contains(other.getName())) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                boolean _ = join(other, Math.max(1, left));
            }
        }
    }
}
