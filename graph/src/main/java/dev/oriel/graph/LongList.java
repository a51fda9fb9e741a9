package dev.oriel.graph;

import java.util.Arrays;

/// Longs one after the other, as many as a [Budget] lets there be. For use by one thread.
final class LongList {
    private static final int FIRST = 16;

    private final Budget budget;
    private long[] values = new long[FIRST];
    private int size;

    LongList(Budget budget) {
        this.budget = budget;
        budget.take((long) FIRST * Long.BYTES);
    }

    int size() {
        return size;
    }

    long get(int at) {
        return values[at];
    }

    void add(long value) {
        if (size == values.length) {
            int length = Math.multiplyExact(size, 2);
            budget.take((long) length * Long.BYTES);
            values = Arrays.copyOf(values, length);
            budget.giveBack((long) size * Long.BYTES);
        }
        values[size++] = value;
    }

    void clear() {
        size = 0;
    }

    /// Exactly what it holds.
    long[] toArray() {
        return Arrays.copyOf(values, size);
    }

    /// Gives its memory back; it is not used after that.
    void release() {
        budget.giveBack((long) values.length * Long.BYTES);
    }
}
