package dev.oriel.table;

import dev.oriel.store.Transaction;
import java.util.HashMap;
import java.util.Map;

/// The counters of sequences that an exclusive transaction has drawn from: what it drew is written by its own
/// commit, and others wait for it until it ends.
final class DrawnSequences {
    /// By the numbers of their sequences. Immutable while it is empty: most transactions draw from none.
    private Map<Long, SequenceCounter> drawn = Map.of();

    /// How many savepoints can be gone back to.
    private int depth;

    int depth() {
        return depth;
    }

    /// A savepoint has been made.
    void enter() {
        depth++;
    }

    /// Savepoints past `left` cannot be gone back to any more; what has happened since them stays.
    void keepTo(int left) {
        depth = left;
        if (!drawn.isEmpty()) {
            drawn.forEach((_, counter) -> counter.keepTo(left));
        }
    }

    /// The savepoint `at`, counted from 1, has been gone back to, and can be again; with 0, the beginning.
    void backTo(int at) {
        depth = at;
        if (!drawn.isEmpty()) {
            drawn.forEach((_, counter) -> counter.backTo(at));
        }
    }

    void add(long sequence, SequenceCounter counter) {
        if (drawn.isEmpty()) {
            drawn = new HashMap<>(2);
        }
        drawn.put(sequence, counter);
    }

    /// A sequence of this number is about to be made, where one may have been that a savepoint has undone.
    void forget(long sequence) {
        if (!drawn.isEmpty()) {
            drawn.remove(sequence);
        }
    }

    /// Writes where those stand that are in `catalog`, as part of `store`.
    void write(Transaction store, Catalog catalog) {
        if (!drawn.isEmpty()) {
            drawn.forEach((sequence, counter) -> {
                if (catalog.sequence(sequence) != null) {
                    counter.write(store, sequence);
                }
            });
        }
    }

    /// The transaction has ended.
    void release(boolean committed) {
        if (!drawn.isEmpty()) {
            drawn.forEach((_, counter) -> counter.released(committed));
            drawn = Map.of();
        }
    }
}
