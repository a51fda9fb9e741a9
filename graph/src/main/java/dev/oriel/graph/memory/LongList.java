package dev.oriel.graph.memory;

import java.util.Arrays;

/// A list of longs, limited by a [Budget]. Used by one thread.
public final class LongList {
    private static final int FIRST = 16;

    private final Budget budget;
    private long[] values = new long[FIRST];
    private int size;

    public LongList(Budget budget) {
        this.budget = budget;
        budget.take((long) FIRST * Long.BYTES);
    }

    public int size() {
        return size;
    }

    public long get(int at) {
        return values[at];
    }

    public void add(long value) {
        if (size == values.length) {
            int length = Math.multiplyExact(size, 2);
            budget.take((long) length * Long.BYTES);
            values = Arrays.copyOf(values, length);
            budget.giveBack((long) size * Long.BYTES);
        }
        values[size++] = value;
    }

    public void clear() {
        size = 0;
    }

    /// A copy of the elements.
    public long[] toArray() {
        return Arrays.copyOf(values, size);
    }

    /// Gives its memory back; it must not be used after that.
    public void release() {
        budget.giveBack((long) values.length * Long.BYTES);
    }
}
