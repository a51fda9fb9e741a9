package dev.oriel.graph.memory;

import dev.oriel.store.LimitException;

/// Heap memory that a piece of work may take. What grows asks before it does.
public final class Budget {
    private final String what;
    private final long bytesMax;
    private long bytes;

    /// A budget of which nothing is taken yet.
    ///
    /// @param what the work, as it is called in the error
    public Budget(String what, long bytesMax) {
        this.what = what;
        this.bytesMax = bytesMax;
    }

    /// So much of the heap that the rest of a program can go on: a half of what the JVM may use.
    public static long usualBytesMax() {
        return Runtime.getRuntime().maxMemory() / 2;
    }

    public boolean has(long more) {
        return more <= bytesMax - bytes;
    }

    /// Takes more of it.
    ///
    /// @throws LimitException if there is less
    public void take(long more) {
        if (!has(more)) {
            throw new LimitException(
                    "%s needs more memory than it may take; allow it more, or do less at once"
                            .formatted(what),
                    "memoryBytesMax=%d taken=%d wanted=%d".formatted(bytesMax, bytes, more));
        }
        bytes += more;
    }

    public void giveBack(long less) {
        bytes -= less;
    }
}
