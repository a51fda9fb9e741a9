package dev.oriel.bench;

/// Ends this JVM when its parent process has ended: its figures would be lost, and it would disturb a resumed run.
public final class ParentWatchdog {
    /// System property with the parent's process id; not set if this JVM was started by hand.
    public static final String PARENT = "oriel.bench.parent";

    private static final int ABANDONED = 3;

    /// Interval of checks, long enough not to affect a measurement.
    private static final long LOOK_MILLIS = 5_000;

    private ParentWatchdog() {}

    /// Starts watching. The parent may have ended already.
    public static void watch() {
        long parent = Long.getLong(PARENT, 0);
        if (parent != 0) {
            Thread thread = new Thread(() -> waitFor(parent), "orphan");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void waitFor(long parent) {
        try {
            while (ProcessHandle.of(parent).filter(ProcessHandle::isAlive).isPresent()) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        Runtime.getRuntime().halt(ABANDONED);
    }
}
