package dev.oriel.store;

import java.util.concurrent.ThreadFactory;

/// The threads of a store. Whoever notes that there is one does so when it runs: a JVM may be able to make none, and
/// nobody must wait for what never began.
///
/// @param factory what makes them
/// @param attending whether some may be there that nobody has asked for something: to write what ASYNC commits
///     leave, and to end what is idle
record StoreThreads(ThreadFactory factory, boolean attending) {
    /// Those of any store.
    static final StoreThreads PLAIN = new StoreThreads(Thread::new, true);

    /// A thread that does `work`, and keeps no JVM from ending.
    ///
    /// @throws LimitException if the JVM can make none
    Thread start(String name, Runnable work) {
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
