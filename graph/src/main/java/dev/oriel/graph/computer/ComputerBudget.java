package dev.oriel.graph.computer;

import dev.oriel.store.LimitException;
import java.util.concurrent.atomic.LongAdder;

/// About how much memory the values and messages of a graph computer take, and how much they may: each is
/// counted with what a small object takes, whatever it is. Threads count as they go on, and look at the sum
/// now and then.
final class ComputerBudget {
    /// A value of a vertex, or a message, with the entry that holds it.
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

    /// @throws LimitException if more was taken than may be
    void check() {
        long taken = bytes.sum();
        if (taken > bytesMax) {
            throw new LimitException(
                    "A graph computer needs more memory than it may take; allow it more, or filter"
                            + " the graph",
                    "memoryBytesMax=%d taken=%d".formatted(bytesMax, taken));
        }
    }
}
