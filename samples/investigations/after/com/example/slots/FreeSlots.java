package com.example.slots;

/// Which slots are free: those that were given back, on a stack, and all that were never taken.
final class FreeSlots {
    private final int[] given;
    private int givenCount;
    private int next;

    FreeSlots(int count) {
        given = new int[count];
    }

    int take() {
        if (givenCount > 0) {
            return given[--givenCount];
        }
        if (next == given.length) {
            throw new IllegalStateException("All slots are taken");
        }
        return next++;
    }

    void free(int slot) {
        given[givenCount++] = slot;
    }
}
