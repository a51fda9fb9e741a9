package dev.oriel.graph.memory;

import dev.oriel.store.LimitException;

/// Heap memory budget of an operation. Data structures take memory from it before they grow.
public final class Budget {
    private final String what;
    private final long bytesMax;
    private long bytes;

    /// A budget of which nothing is taken yet.
    ///
    /// @param what the name of the operation, for the error
    public Budget(String what, long bytesMax) {
        this.what = what;
        this.bytesMax = bytesMax;
    }

    /// The default limit, half of the JVM's maximum heap, so that the rest of the program can continue.
    public static long usualBytesMax() {
        return Runtime.getRuntime().maxMemory() / 2;
    }

    public boolean has(long more) {
        return more <= bytesMax - bytes;
    }

    /// Takes more of it.
    ///
    /// @throws LimitException if less is left
    public void take(long more) {
        if (!has(more)) {
            throw new LimitException(
                    "%s has exceeded its memory limit; raise the limit, or do less at once"
                            .formatted(what),
                    "memoryBytesMax=%d taken=%d wanted=%d".formatted(bytesMax, bytes, more));
        }
        bytes += more;
    }

    public void giveBack(long less) {
        bytes -= less;
    }
}
