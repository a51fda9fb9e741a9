package dev.oriel.table.array;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Changes of one transaction to an ARRAY index: the array it began with, the steps since, and the resulting
/// array. Others may commit meanwhile. So at commit, and when the transaction moves to another snapshot, the steps
/// are replayed from there. Locks on rows and unique keys keep the steps of two transactions apart. Immutable.
///
/// @param base null if this transaction has created the index: then no other has changed it
public record ArrayWrites(@Nullable SortedArray base, SortedArray now, @Nullable Step last) {
    /// @param rowKeyAt offset of the row key in the entry; -1 if the entry was removed
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Step(@Nullable Step before, byte[] entry, int length, int rowKeyAt) {
        SortedArray on(SortedArray array) {
            if (rowKeyAt >= 0) {
                return array.with(entry, length, rowKeyAt);
            }
            long position = array.ceiling(entry, length);
            return array.is(position, entry, length) ? array.without(position) : array;
        }
    }

    /// The changes to an index that this transaction has created.
    public static ArrayWrites created(SortedArray built) {
        return new ArrayWrites(null, built, null);
    }

    public static ArrayWrites on(SortedArray base) {
        return new ArrayWrites(base, base, null);
    }

    /// These steps with one more entry, the first `length` bytes of `entry`, which must not change afterwards.
    public ArrayWrites with(byte[] entry, int length, int rowKeyAt) {
        Step step = new Step(last, entry, length, rowKeyAt);
        return new ArrayWrites(base, step.on(now), step);
    }

    public ArrayWrites without(byte[] entry, int length) {
        return with(entry, length, -1);
    }

    /// These steps replayed from `other`.
    ///
    /// @param known an earlier replay of some of them, from there or from elsewhere, or null. It spares a caller
    ///     that asks
    ///     after each step to replay all of them
    @SuppressWarnings("ReferenceEquality") // the same version of the array, the same step
    public ArrayWrites over(SortedArray other, @Nullable ArrayWrites known) {
        if (base == null || base == other) {
            return this;
        }
        Step taken = known != null && known.base == other ? known.last : null;
        Deque<Step> steps = new ArrayDeque<>();
        Step step = last;
        while (step != null && step != taken) {
            steps.push(step);
            step = step.before;
        }
        SortedArray array = step == null || known == null ? other : known.now;
        for (Step next : steps) {
            array = next.on(array);
        }
        return new ArrayWrites(other, array, last);
    }
}
