package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// Threads of a store. Whoever notes that there is one does so when it runs: a JVM may be able to make none, and
/// nobody must wait for what never began.
final class StoreThread {
    /// Runs before each start, so that a test can have it fail.
    static volatile @Nullable Runnable before;

    private StoreThread() {}

    /// A thread that does `work`, and keeps no JVM from ending.
    ///
    /// @throws LimitException if the JVM can make none
    static Thread start(String name, Runnable work) {
        Runnable step = before;
        try {
            if (step != null) {
                step.run();
            }
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            thread.start();
            return thread;
        } catch (OutOfMemoryError e) {
            throw new LimitException(
                    "The JVM can make no more threads; let the process have more of them, or more memory",
                    "thread=" + name,
                    e);
        }
    }
}
