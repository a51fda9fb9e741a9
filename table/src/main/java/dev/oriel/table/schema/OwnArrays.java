package dev.oriel.table.schema;

import dev.oriel.store.Transaction;
import dev.oriel.table.array.ArrayWrites;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.array.Versions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// The ARRAY indexes of a transaction: those of its snapshot with its own changes, which its commit publishes.
public final class OwnArrays {
    private final Transaction store;

    /// Own changes by the committed versions, which stay the same object if an index is renamed. Immutable while
    /// it is empty: most transactions change none.
    private Map<Versions<SortedArray>, ArrayWrites> changed = Map.of();

    /// Own changes over the newest committed array, as of the last call, if others have committed.
    private final Map<Versions<SortedArray>, ArrayWrites> newest = new HashMap<>(0);

    public OwnArrays(Transaction store) {
        this.store = store;
    }

    /// The entries that this transaction sees.
    public SortedArray seen(IndexEntry index) {
        ArrayWrites own = changed.isEmpty() ? null : changed.get(index.versions());
        return own != null ? own.now() : index.versions().at(store.snapshot());
    }

    /// Like [#seen], with later commits of others.
    public SortedArray newest(IndexEntry index) {
        ArrayWrites own = changed.get(index.versions());
        return own == null ? index.versions().newest() : overNewest(index.versions(), own);
    }

    private SortedArray overNewest(Versions<SortedArray> versions, ArrayWrites own) {
        if (own.base() == null) {
            return own.now();
        }
        ArrayWrites over = own.over(versions.newest(), newest.get(versions));
        newest.put(versions, over);
        return over.now();
    }

    /// The transaction's changes of `index` so far.
    public ArrayWrites writes(IndexEntry index) {
        ArrayWrites own = changed.get(index.versions());
        return own != null ? own : ArrayWrites.on(index.versions().at(store.snapshot()));
    }

    public void put(IndexEntry index, ArrayWrites writes) {
        if (changed.isEmpty()) {
            changed = new HashMap<>(4);
        }
        changed.put(index.versions(), writes);
    }

    /// The store's transaction is perhaps on another snapshot now.
    public void moved() {
        if (!changed.isEmpty()) {
            changed.replaceAll((versions, own) ->
                    own.base() == null
                            ? own
                            : own.over(versions.at(store.snapshot()), newest.get(versions)));
        }
    }

    /// State for a later [#restore].
    public Map<Versions<SortedArray>, ArrayWrites> remembered() {
        return changed.isEmpty() ? Map.of() : new HashMap<>(changed);
    }

    public void restore(Map<Versions<SortedArray>, ArrayWrites> remembered) {
        changed = remembered.isEmpty() ? Map.of() : new HashMap<>(remembered);
    }

    /// Publishes the changes, inside the commit `txid`.
    ///
    /// @param oldest returns the oldest snapshot that any reader uses
    public void publish(long txid, LongSupplier oldest) {
        if (!changed.isEmpty()) {
            changed.forEach(
                    (versions, own) -> versions.publish(txid, overNewest(versions, own), oldest));
        }
    }
}
