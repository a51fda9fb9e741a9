package dev.oriel.table;

import dev.oriel.store.Transaction;
import java.util.HashMap;
import java.util.Map;

/// The counters of sequences that an exclusive transaction has drawn from: what it drew is written by its own
/// commit, and others wait for it until it ends.
final class DrawnSequences {
    /// By the numbers of their sequences.
    private final Map<Long, SequenceCounter> drawn = new HashMap<>(2);

    void add(long sequence, SequenceCounter counter) {
        drawn.put(sequence, counter);
    }

    /// Writes where they stand, as part of `store`.
    void write(Transaction store) {
        drawn.forEach((sequence, counter) -> counter.write(store, sequence));
    }

    /// The transaction has ended.
    void release(boolean committed) {
        drawn.forEach((_, counter) -> counter.released(committed));
        drawn.clear();
    }
}
