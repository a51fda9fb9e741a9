package dev.oriel.store.file;

import dev.oriel.store.LimitException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The threads of a store. A thread's existence is noted only once it runs: a JVM may be unable to start one, and
/// no other thread must wait for it then.
///
/// @param factory creates the threads
/// @param attending whether unsolicited background threads are allowed, to write ASYNC commits, to end idle
///     transactions, and to bring gathered entries into pages
public record StoreThreads(ThreadFactory factory, boolean attending) {
    /// Plain threads, for any store.
    public static final StoreThreads PLAIN = new StoreThreads(Thread::new, true);

    /// Wakes a thread that has been told to end, and waits for its end. An interrupt is kept for later.
    public static void join(@Nullable Thread ending) {
        boolean interrupted = false;
        while (ending != null && ending.isAlive()) {
            LockSupport.unpark(ending);
            try {
                ending.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Starts a daemon thread that does `work`.
    ///
    /// @throws LimitException if the JVM can make none
    public Thread start(String name, Runnable work) {
        try {
            Thread thread = factory.newThread(work);
            thread.setName(name);
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
