package dev.oriel.server;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A budget of memory for long values, shared by all connections. Short values are not counted: each connection
/// has at most one, and there is a limit on connections. Safe for use by any number of threads.
final class Memory {
    /// Length from which a value is counted.
    static final int COUNTED_BYTES_MIN = 64 << 10;

    private final long bytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private long taken; // guarded by lock

    Memory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// Takes `bytes` if they are left.
    boolean take(long bytes) {
        lock.lock();
        try {
            if (taken + bytes > bytesMax) {
                return false;
            }
            taken += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Takes `bytes`, and waits for them up to `nanos`; false if there was no room all the time. A request larger
    /// than the whole budget gets all of it, alone.
    boolean await(long bytes, long nanos) {
        long wanted = Math.min(bytes, bytesMax);
        long left = nanos;
        lock.lock();
        try {
            while (taken + wanted > bytesMax) {
                if (left <= 0) {
                    return false;
                }
                left = given.awaitNanos(left);
            }
            taken += bytes;
            return true;
        } catch (InterruptedException e) { // an interrupted thread does not wait
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    void giveBack(long bytes) {
        if (bytes == 0) {
            return;
        }
        lock.lock();
        try {
            taken -= bytes;
            given.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long takenBytes() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
