package dev.oriel.table;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What one transaction has made of an ARRAY index: the array it began with, the steps since, and the
/// array they led to. Others may commit meanwhile, so at commit, and where the transaction moves to
/// another snapshot, the steps are taken again from there. Locks on rows and unique keys keep the steps
/// of two transactions apart. Immutable.
///
/// @param base null where this transaction has created the index: then nobody else has changed it
record ArrayWrites(@Nullable SortedArray base, SortedArray now, @Nullable Step last) {
    /// @param rowKeyAt where in the entry the row key begins; -1 where the entry was removed
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

    /// Of an index that this transaction has created.
    static ArrayWrites created(SortedArray built) {
        return new ArrayWrites(null, built, null);
    }

    static ArrayWrites on(SortedArray base) {
        return new ArrayWrites(base, base, null);
    }

    /// With the entry of the first `length` bytes of `entry` too, which are not changed any more.
    ArrayWrites with(byte[] entry, int length, int rowKeyAt) {
        Step step = new Step(last, entry, length, rowKeyAt);
        return new ArrayWrites(base, step.on(now), step);
    }

    ArrayWrites without(byte[] entry, int length) {
        return with(entry, length, -1);
    }

    /// The same steps from `other` on.
    ///
    /// @param known what some of them have led to already, from there or from elsewhere; null where nothing is
    ///     known. So who asks after each step does not take all of them again and again
    @SuppressWarnings("ReferenceEquality") // the same version of the array, the same step
    ArrayWrites over(SortedArray other, @Nullable ArrayWrites known) {
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
