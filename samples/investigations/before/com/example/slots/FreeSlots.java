package com.example.slots;

/// Which slots are free. The first free one is found by looking at all of them.
final class FreeSlots {
    private final boolean[] taken;

    FreeSlots(int count) {
        taken = new boolean[count];
    }

    int take() {
        for (int slot = 0; slot < taken.length; slot++) {
            if (isFree(slot)) {
                taken[slot] = true;
                return slot;
            }
        }
        throw new IllegalStateException("All slots are taken");
    }

    void free(int slot) {
        taken[slot] = false;
    }

    private boolean isFree(int slot) {
        return !taken[slot];
    }
}
