package dev.oriel.table.transaction;

import dev.oriel.store.Transaction;
import dev.oriel.table.definition.Catalog;
import java.util.HashMap;
import java.util.Map;

/// The counters that an exclusive transaction has drawn from. Its commit writes the numbers drawn; others wait for
/// it until it ends.
final class DrawnSequences {
    /// By the numbers of their sequences. Immutable while it is empty: most transactions draw from none.
    private Map<Long, SequenceCounter> drawn = Map.of();

    /// Number of savepoints that can be returned to.
    private int depth;

    int depth() {
        return depth;
    }

    /// A savepoint has been made.
    void enter() {
        depth++;
    }

    /// Savepoints past `left` are gone; changes since them stay.
    void keepTo(int left) {
        depth = left;
        if (!drawn.isEmpty()) {
            drawn.forEach((_, counter) -> counter.keepTo(left));
        }
    }

    /// The transaction is back at savepoint `at`, counted from 1, which remains; with 0, at its beginning.
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

    /// Forgets the counter of `sequence`: a sequence of that number is about to be created, perhaps after the rollback
    /// of an earlier one to a savepoint.
    void forget(long sequence) {
        if (!drawn.isEmpty()) {
            drawn.remove(sequence);
        }
    }

    /// Writes the counters whose sequences are in `catalog`, as part of `store`.
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
