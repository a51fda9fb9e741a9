package dev.oriel.io;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// Runs work on a thread of our own, which is never interrupted, for the few calls that need a `FileChannel`. An
/// interrupt of the caller must not close the channel in the middle of a call. Each call starts a thread; mapping,
/// locking and syncing a folder are rare enough.
final class Uninterrupted {
    private Uninterrupted() {}

    /// Input and output with a result.
    @FunctionalInterface
    interface Call<T> {
        T call() throws IOException;
    }

    /// Input and output without one.
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    static void run(Action action) throws IOException {
        var _ =
                call(() -> {
                    action.run();
                    return true;
                });
    }

    /// Returns the result of `call`. The caller waits for it in any case; its interrupt flag stays as it was.
    static <T> T call(Call<T> call) throws IOException {
        FutureTask<T> task = new FutureTask<>(call::call);
        Thread.ofPlatform().daemon().name("oriel-io").start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw failure(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        return switch (cause) {
            case IOException io -> io;
            case RuntimeException bug -> throw bug;
            case Error error -> throw error;
            case null, default -> new IOException("input or output failed", cause);
        };
    }
}
