package dev.oriel.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Lets the work of a thread end orderly if the JVM is told to end, as by Ctrl-C. The thread is
/// interrupted, and the JVM waits until it has closed this. So no process and no folder of the work is left.
final class TidyEnd implements AutoCloseable {
    private static final long SECONDS_MAX = 10;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook;

    /// For the work of the current thread.
    TidyEnd() {
        Thread working = Thread.currentThread();
        hook = new Thread(() -> end(working), "oriel-tidy-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void end(Thread working) {
        working.interrupt();
        try {
            boolean tidy = closed.await(SECONDS_MAX, TimeUnit.SECONDS);
            if (!tidy) {
                System.err.println(
                        "oriel: processes and files may be left, since they did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            closed.countDown(); // the JVM ends: the hook runs, and may go on
        }
    }
}
