package dev.oriel.graph.computer;

import dev.oriel.store.LimitException;
import java.util.concurrent.atomic.LongAdder;

/// Memory budget of a graph computer for values and messages. The estimate counts each as a small object, whatever
/// its size. Threads count while they work, and check the sum periodically.
final class ComputerBudget {
    /// Estimated bytes of a value or a message, with the entry that holds it.
    static final long ENTRY_BYTES = 96;

    private final long bytesMax;
    private final LongAdder bytes = new LongAdder();

    ComputerBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    void take(long entries) {
        bytes.add(entries * ENTRY_BYTES);
    }

    void giveBack(long entries) {
        bytes.add(-entries * ENTRY_BYTES);
    }

    /// @throws LimitException if the budget is exceeded
    void check() {
        long taken = bytes.sum();
        if (taken > bytesMax) {
            throw new LimitException(
                    "A graph computer has exceeded its memory limit; raise the limit, or filter"
                            + " the graph",
                    "memoryBytesMax=%d taken=%d".formatted(bytesMax, taken));
        }
    }
}
