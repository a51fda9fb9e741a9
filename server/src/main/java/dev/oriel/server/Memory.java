package dev.oriel.server;

import java.util.concurrent.atomic.AtomicLong;

/// How much of the memory is taken that all connections share for long values on their way in. Short ones
/// are not counted: each connection has at most one, and there is a limit on connections. Safe for use by
/// any number of threads.
final class Memory {
    /// What is shorter is not counted.
    static final int COUNTED_BYTES_MIN = 64 << 10;

    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    Memory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// Takes `bytes` where they are left.
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) > bytesMax) {
            taken.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long takenBytes() {
        return taken.get();
    }
}
