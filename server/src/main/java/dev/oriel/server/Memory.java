package dev.oriel.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// A budget of memory for long values, shared by all connections. Short values are not counted: each connection
/// has at most one, and there is a limit on connections. Requests that wait get their memory in the order of their
/// coming, each all of it at once: so the first can always go on. Safe for use by any number of threads.
final class Memory {
    /// Length from which a value is counted.
    static final int COUNTED_BYTES_MIN = 64 << 10;

    /// Pause between two checks whether a waiting request is still wanted.
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long bytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Condition> waiting = new ArrayDeque<>(); // guarded by lock
    private volatile int waitingCount;
    private long taken; // guarded by lock

    Memory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// Takes `bytes` if they are left and no other request waits. A request larger than the whole budget gets all of
    /// it, alone.
    boolean take(long bytes) {
        lock.lock();
        try {
            if (!waiting.isEmpty() || !fits(bytes)) {
                return false;
            }
            taken += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Takes `bytes` when all earlier requests have theirs and there is room; false if `ended` says that they are no
    /// longer wanted.
    boolean await(long bytes, BooleanSupplier ended) {
        lock.lock();
        try {
            Condition mine = lock.newCondition();
            waiting.addLast(mine);
            waitingCount = waiting.size();
            try {
                return awaitTurn(mine, bytes, ended);
            } finally {
                waiting.remove(mine);
                waitingCount = waiting.size();
                wakeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // conditions have no other
    private boolean awaitTurn(Condition mine, long bytes, BooleanSupplier ended) {
        while (waiting.getFirst() != mine || !fits(bytes)) {
            if (ended.getAsBoolean()) {
                return false;
            }
            try {
                long _ = mine.awaitNanos(LOOK_NANOS);
            } catch (InterruptedException e) { // an interrupted thread does not wait
                Thread.currentThread().interrupt();
                return false;
            }
        }
        taken += bytes;
        return true;
    }

    private boolean fits(long bytes) {
        return taken + Math.min(bytes, bytesMax) <= bytesMax;
    }

    private void wakeFirst() {
        Condition first = waiting.peekFirst();
        if (first != null) {
            first.signal();
        }
    }

    void giveBack(long bytes) {
        if (bytes == 0) {
            return;
        }
        lock.lock();
        try {
            taken -= bytes;
            wakeFirst();
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

    long bytesMax() {
        return bytesMax;
    }

    /// Number of requests that wait.
    int waiting() {
        return waitingCount;
    }
}
