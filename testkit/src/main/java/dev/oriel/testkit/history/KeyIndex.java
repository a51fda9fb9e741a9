package dev.oriel.testkit.history;

import java.util.Arrays;

/// Numbers keys in the order of their first occurrence.
final class KeyIndex {
    private long[] keys = new long[16];
    private int[] slots = emptySlots(32);
    private int count;

    private static int[] emptySlots(int count) {
        int[] slots = new int[count];
        Arrays.fill(slots, -1);
        return slots;
    }

    int size() {
        return count;
    }

    long key(int number) {
        return keys[number];
    }

    /// The number of `key`; a new one if it was not met before.
    int number(long key) {
        int slot = slot(key);
        if (slots[slot] < 0) {
            if (count == keys.length) {
                keys = Arrays.copyOf(keys, 2 * count);
                slots = emptySlots(4 * count);
                for (int i = 0; i < count; i++) {
                    slots[slot(keys[i])] = i;
                }
                slot = slot(key);
            }
            keys[count] = key;
            slots[slot] = count++;
        }
        return slots[slot];
    }

    private int slot(long key) {
        int mask = slots.length - 1;
        int slot = (int) (mix(key) >>> 32) & mask;
        while (slots[slot] >= 0 && keys[slots[slot]] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    static long mix(long value) {
        long mixed = (value ^ value >>> 31) * 0x9e6b_41d3_7fa5_c287L;
        return (mixed ^ mixed >>> 29) * 0xd13f_8a5c_b6e2_9471L;
    }
}
