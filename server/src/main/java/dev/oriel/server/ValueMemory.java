package dev.oriel.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The memory that a client has of the server's three budgets for long values: for its request, for its answer and
/// for its change. They are taken in this order, so that no two clients wait for each other. Used by one thread at a
/// time; others look whether the client is too slow.
final class ValueMemory {
    /// Bytes a second of a long value at which a client is too slow, if others wait for its memory.
    private static final int SLOW_BYTES_A_SECOND = 256 << 10;

    /// Factor of a value's length to the native memory of its change: the old row (twice) and the new one. The new one
    /// is in the write set, in a page version, and in the log, whose buffer grows.
    private static final int CHANGE_COPIES = 8;

    private final OrielServer server;
    private final BooleanSupplier left;

    /// Memory for the request being received, and the time at which it was reserved.
    private volatile long reserved;

    private volatile long reservedNanos;

    /// Bytes of answers sent since then; other threads may see an older number.
    private long sentBytes;

    /// Memory for an answer, and the time at which it was reserved.
    private volatile long answering;

    private volatile long answeringNanos;

    /// Native memory for the change of the current request.
    private long changing;

    /// @param left whether the client has gone: it need not wait any longer
    ValueMemory(OrielServer server, BooleanSupplier left) {
        this.server = server;
        this.left = left;
    }

    /// Takes `bytes` of `budget`, and waits for them; false if the client has gone meanwhile.
    private boolean take(Memory budget, long bytes) {
        server.longValues().add(bytes);
        if (budget.take(bytes)) {
            return true;
        }
        server.metrics().memoryWaits.increment();
        return budget.await(bytes, left);
    }

    /// Reserves memory for a request of `bytes`, in place of the earlier reservation, and waits for it; false if the
    /// client has gone meanwhile.
    boolean reserve(long bytes, boolean mayWait) {
        long wanted = bytes < Memory.COUNTED_BYTES_MIN ? 0 : bytes;
        if (wanted == reserved) {
            return true;
        }
        long given = reserved;
        reserved = 0;
        server.memory().giveBack(given);
        if (wanted == 0) {
            return true;
        }
        if (mayWait ? !take(server.memory(), wanted) : !server.memory().take(wanted)) {
            if (!mayWait) {
                throw MustWait.INSTANCE;
            }
            server.metrics().refused.increment();
            return false;
        }
        sentBytes = 0;
        reservedNanos = System.nanoTime();
        reserved = wanted;
        return true;
    }

    /// Whether an answer of `bytes` needs no more memory.
    boolean hasAnswer(int bytes) {
        return bytes < Memory.COUNTED_BYTES_MIN || answering >= bytes;
    }

    /// Gives back the memory of the last answer, which was sent, and waits for memory for the next one. False if the
    /// client leaves during the wait.
    boolean awaitAnswer(int bytes) {
        sent();
        if (!take(server.answers(), bytes)) {
            return false;
        }
        answeringNanos = System.nanoTime();
        answering = bytes;
        return true;
    }

    /// The answer has `bytes` after all: if they are few, it gives back memory for a long one.
    void answered(int bytes) {
        if (bytes < Memory.COUNTED_BYTES_MIN) {
            sent();
        }
    }

    /// Bytes of answers were handed to the system.
    void wrote(int bytes) {
        sentBytes += bytes;
    }

    /// The answers so far were sent.
    void sent() {
        long given = answering;
        if (given > 0) {
            answering = 0;
            server.answers().giveBack(given);
        }
    }

    /// Whether memory for the current change is reserved.
    boolean hasChange() {
        return changing > 0;
    }

    /// Waits for memory for a change of `bytes`; false if the client has gone meanwhile.
    boolean awaitChange(long bytes) {
        long wanted = CHANGE_COPIES * bytes;
        if (!take(server.changes(), wanted)) {
            return false;
        }
        changing = wanted;
        return true;
    }

    /// Waits until no other long value is being changed.
    boolean awaitWholeChange() {
        endChange();
        long all = server.changes().bytesMax();
        if (!take(server.changes(), all)) {
            return false;
        }
        changing = all;
        return true;
    }

    void endChange() {
        long given = changing;
        changing = 0;
        server.changes().giveBack(given);
    }

    /// Whether it holds memory that others wait for, and is too slow.
    ///
    /// @param heardNanos time at which it last sent something
    /// @param tookNanos time at which it last took a part of an answer
    /// @param working whether a request of it is being executed or answered
    /// @param sends whether an answer waits until the client reads
    boolean isStalled(long heardNanos, long tookNanos, boolean working, boolean sends) {
        if (!sends && working) {
            return false; // it waits for the server
        }
        long now = System.nanoTime();
        long sinceTook = now - tookNanos;
        long sinceMoved = sends ? sinceTook : Math.min(sinceTook, now - heardNanos);
        boolean slowRequest =
                reserved > 0
                        && server.memory().waiting() > 0
                        && isTooSlow(reserved + sentBytes, now - reservedNanos, sinceMoved);
        return slowRequest
                || (sends
                        && answering > 0
                        && server.answers().waiting() > 0
                        && isTooSlow(answering, now - answeringNanos, sinceTook));
    }

    private boolean isTooSlow(long bytes, long heldNanos, long sinceMovedNanos) {
        long stall = server.stallNanos();
        long whole = stall + TimeUnit.SECONDS.toNanos(bytes / SLOW_BYTES_A_SECOND);
        return Math.min(sinceMovedNanos, heldNanos) > stall || heldNanos > whole;
    }

    void close() {
        long given = reserved;
        reserved = 0;
        server.memory().giveBack(given);
        endChange();
        sent();
    }
}
