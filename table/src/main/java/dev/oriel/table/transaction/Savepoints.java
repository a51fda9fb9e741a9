package dev.oriel.table.transaction;

import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.array.ArrayWrites;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.array.Versions;
import dev.oriel.table.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The savepoints of one transaction that can still be returned to, with the state of each outside the trees.
final class Savepoints {
    private final List<Moment> moments = new ArrayList<>(0);
    private final DrawnSequences drawn;

    /// Number of returns to a savepoint, or to the beginning.
    private long returns;

    /// @param drawn sequences to be set back with them
    Savepoints(DrawnSequences drawn) {
        this.drawn = drawn;
    }

    /// State at a savepoint. Immutable.
    ///
    /// @param defined whether definitions had been changed
    /// @param putOff the queues of the foreign keys
    /// @param loaded progress of a bulk load
    record Moment(
            Transaction.Savepoint savepoint,
            Schema schema,
            boolean defined,
            Map<Versions<SortedArray>, ArrayWrites> arrays,
            ForeignKeys.Remembered putOff,
            long loaded) {}

    void add(Moment moment) {
        moments.add(moment);
        drawn.enter();
    }

    /// State at `savepoint`; later savepoints are gone.
    Moment backTo(Transaction.Savepoint savepoint) {
        int at = indexOf(savepoint);
        returns++;
        moments.subList(at + 1, moments.size()).clear();
        drawn.backTo(moments.size());
        return moments.get(at);
    }

    /// Removes `savepoint` and all later ones.
    void release(Transaction.Savepoint savepoint) {
        moments.subList(indexOf(savepoint), moments.size()).clear();
        drawn.keepTo(moments.size());
    }

    long returns() {
        return returns;
    }

    void clear() {
        returns++;
        moments.clear();
        drawn.backTo(0);
    }

    @SuppressWarnings("ReferenceEquality") // the very savepoint
    private int indexOf(Transaction.Savepoint savepoint) {
        for (int i = moments.size() - 1; i >= 0; i--) {
            if (moments.get(i).savepoint == savepoint) {
                return i;
            }
        }
        throw new UsageException(
                "The savepoint is not of this transaction, or was rolled over or released", "");
    }
}
