package dev.oriel.testkit.history;

import java.util.Arrays;

/// Finds the write of a value: from key and value to the number of the operation.
final class WriteIndex {
    private final History history;
    private final int[] slots;

    /// @throws IllegalArgumentException if a value was written to a key twice
    WriteIndex(History history) {
        this.history = history;
        int writes = 0;
        for (int op = 0; op < history.operationCount(); op++) {
            writes += history.isWrite(op) ? 1 : 0;
        }
        slots = new int[Integer.highestOneBit(Math.max(8, writes)) * 4];
        Arrays.fill(slots, -1);
        for (int op = 0; op < history.operationCount(); op++) {
            if (history.isWrite(op)) {
                int slot = slot(history.key(op), history.value(op));
                if (slots[slot] >= 0) {
                    throw new IllegalArgumentException(
                            "written twice, so that its reads cannot be told apart: "
                                    + history.text(op));
                }
                slots[slot] = op;
            }
        }
    }

    /// The operation that wrote `value`, or -1.
    int find(int key, long value) {
        return slots[slot(key, value)];
    }

    private int slot(int key, long value) {
        int mask = slots.length - 1;
        int slot = (int) (KeyIndex.mix(value + KeyIndex.mix(key)) >>> 32) & mask;
        while (slots[slot] >= 0
                && (history.value(slots[slot]) != value || history.key(slots[slot]) != key)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
