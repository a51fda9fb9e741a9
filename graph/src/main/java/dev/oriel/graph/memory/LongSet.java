package dev.oriel.graph.memory;

import java.util.Arrays;

/// A set of longs: open addressing, no object for an element. Used by one thread.
public final class LongSet {
    private static final long FREE = Long.MIN_VALUE;
    private static final int SLOTS_MIN = 16;

    /// The slots of every empty set, never written: many sets of a transaction stay empty.
    private static final long[] NONE = {FREE};

    private long[] slots = NONE;
    private int size;
    private boolean hasFree;

    public int size() {
        return size + (hasFree ? 1 : 0);
    }

    /// Adds `value`; false if the set contains it.
    public boolean add(long value) {
        if (value == FREE) {
            boolean added = !hasFree;
            hasFree = true;
            return added;
        }
        int at = slot(slots, value);
        if (slots[at] == value) {
            return false;
        }
        if (2 * (size + 1) > slots.length) {
            grow();
            at = slot(slots, value);
        }
        slots[at] = value;
        size++;
        return true;
    }

    public boolean contains(long value) {
        return value == FREE ? hasFree : slots[slot(slots, value)] == value;
    }

    public void clear() {
        hasFree = false;
        if (size == 0) {
            return;
        }
        size = 0;
        if (slots.length > 1 << 12) {
            slots = NONE;
        } else {
            Arrays.fill(slots, FREE);
        }
    }

    private void grow() {
        long[] larger = new long[Math.max(SLOTS_MIN, 2 * slots.length)];
        Arrays.fill(larger, FREE);
        for (long value : slots) {
            if (value != FREE) {
                larger[slot(larger, value)] = value;
            }
        }
        slots = larger;
    }

    private static int slot(long[] in, long value) {
        long mixed = value * 0x9E3779B97F4A7C15L;
        int at = (int) (mixed >>> 32) & (in.length - 1);
        while (in[at] != FREE && in[at] != value) {
            at = (at + 1) & (in.length - 1);
        }
        return at;
    }
}
