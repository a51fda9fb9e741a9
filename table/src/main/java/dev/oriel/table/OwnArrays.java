package dev.oriel.table;

import dev.oriel.store.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// The ARRAY indexes as one transaction sees them: of its snapshot, and what it has made of them since, which its
/// commit publishes.
final class OwnArrays {
    private final Transaction store;

    /// Immutable while it is empty: most transactions change none.
    private Map<IndexEntry, ArrayWrites> changed = Map.of();

    OwnArrays(Transaction store) {
        this.store = store;
    }

    /// The entries that this transaction sees.
    SortedArray seen(IndexEntry index) {
        ArrayWrites own = changed.isEmpty() ? null : changed.get(index);
        return own != null ? own.now() : index.versions().at(store.snapshot());
    }

    /// As [#seen], and what others have committed since the snapshot too.
    SortedArray newest(IndexEntry index) {
        ArrayWrites own = changed.get(index);
        return own == null ? index.versions().newest() : overNewest(index, own);
    }

    private static SortedArray overNewest(IndexEntry index, ArrayWrites own) {
        return own.base() == null ? own.now() : own.over(index.versions().newest()).now();
    }

    /// What it has made of `index` so far.
    ArrayWrites writes(IndexEntry index) {
        ArrayWrites own = changed.get(index);
        return own != null ? own : ArrayWrites.on(index.versions().at(store.snapshot()));
    }

    void put(IndexEntry index, ArrayWrites writes) {
        if (changed.isEmpty()) {
            changed = new HashMap<>(4);
        }
        changed.put(index, writes);
    }

    /// The store's transaction stands on another snapshot, perhaps.
    void moved() {
        if (!changed.isEmpty()) {
            changed.replaceAll((index, own) ->
                    own.base() == null ? own : own.over(index.versions().at(store.snapshot())));
        }
    }

    /// What there is to come back to by [#restore].
    Map<IndexEntry, ArrayWrites> remembered() {
        return changed.isEmpty() ? Map.of() : new HashMap<>(changed);
    }

    void restore(Map<IndexEntry, ArrayWrites> remembered) {
        changed = remembered.isEmpty() ? Map.of() : new HashMap<>(remembered);
    }

    /// Inside the commit `txid`.
    ///
    /// @param oldest asks for the oldest snapshot that somebody reads
    void publish(long txid, LongSupplier oldest) {
        if (!changed.isEmpty()) {
            changed.forEach(
                    (index, own) -> index.versions().publish(txid, overNewest(index, own), oldest));
        }
    }
}
