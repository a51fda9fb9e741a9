package dev.oriel.store.transaction;

import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.StoreThreads;
import dev.oriel.store.log.Log;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Writes the buffered records of ASYNC commits, some milliseconds later at most, in a thread of its own. Without
/// records for a while it sleeps until a commit wakes it, so an idle store uses no processor time.
final class LogWriter implements Runnable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int VAIN_MAX = 25;

    private final CommitLog commits;
    private final Log log;
    private final StoreThreads threads;
    private volatile @Nullable Thread thread;
    private volatile boolean asleep;
    private volatile boolean closed;

    /// Whether the lack of a thread was logged.
    private boolean warned;

    LogWriter(CommitLog commits, Log log, StoreThreads threads) {
        this.commits = commits;
        this.log = log;
        this.threads = threads;
    }

    /// Notifies it of a record in the buffer. Called by the holder of the write role. False if the JVM can create
    /// no thread: then the caller has to write it.
    boolean wake() {
        Thread there = thread;
        if (there == null || !there.isAlive()) { // one may have died of an error
            return start();
        }
        if (asleep) {
            LockSupport.unpark(there);
        }
        return true;
    }

    private synchronized boolean start() {
        if ((thread != null && thread.isAlive()) || closed) {
            return true;
        }
        try {
            thread = threads.start("oriel-log", this);
            return true;
        } catch (LimitException e) { // each commit tries again
            warned = EventLog.sayOnce(warned, "Commits of class ASYNC write the log themselves", e);
            return false;
        }
    }

    @Override
    public void run() {
        int vain = 0;
        while (!closed) {
            if (log.hasUnwritten()) {
                vain = 0;
                try {
                    commits.write();
                } catch (StorageException e) { // the next commit reports it too
                    EventLog.say(
                            System.Logger.Level.ERROR,
                            "Commits that were acknowledged cannot be written and will be lost",
                            e);
                    return;
                }
            }
            if (++vain < VAIN_MAX) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            } else {
                sleep();
                vain = 0;
            }
        }
    }

    /// A commit sets the unwritten LSN first and reads `asleep` then; here it is the other way round.
    private void sleep() {
        asleep = true;
        if (!log.hasUnwritten() && !closed) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /// Ends the thread, and waits for it; the caller must write the buffered records.
    synchronized void close() {
        closed = true;
        StoreThreads.join(thread);
    }
}
