package dev.oriel.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/// The registry of open snapshots: one slot a reader, so that the writer and the checkpoint know
/// which versions of pages may still be read. To register takes no lock.
///
/// A reader writes the snapshot it wants into its slot and then looks at the published state again;
/// where that has moved on, it tries again. The checkpoint reads the published state first and the
/// slots after. So either the checkpoint sees the slot, or the reader sees the newer state: a
/// snapshot is never passed over (all accesses here are volatile, but for the one that lets go).
///
/// Slots are claimed from the first one on, and most stores have few readers at a time: nobody looks beyond the
/// highest slot that was ever claimed. A reader says so before it claims it, so whoever does not see that yet
/// would not have seen the slot taken either.
///
/// Invariant: a slot is FREE, or CLAIMED (being set), or the snapshot of exactly one open reader.
final class Readers {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    static final long FREE = Long.MAX_VALUE;

    /// Slots lie a cache line apart, so that readers do not slow each other down.
    private static final int STRIDE = 8;

    private static final int SLOTS = 64;

    /// Grown by whole arrays that are never dropped while the store is open: a slot stays where it is.
    private final AtomicReference<long[][]> banks = new AtomicReference<>(new long[][] {bank()});

    private static long[] bank() {
        long[] slots = new long[SLOTS * STRIDE];
        Arrays.fill(slots, FREE);
        return slots;
    }

    /// So many slots were ever claimed, or about to be. Only grows.
    private volatile int reached = 1;

    private long[] found = new long[8];
    private int foundCount;

    /// What the running checkpoint holds, else FREE. It is no reader to those who count readers.
    private volatile long held = FREE;

    /// The checkpoint's own slot; `FREE` lets go. Only one checkpoint runs at a time.
    void hold(long snapshot) {
        held = snapshot;
    }

    /// Claims a slot, preferring `hint` (a slot used before, or 0), and sets it to `snapshot`.
    int claim(int hint, long snapshot) {
        long[][] all = banks.get();
        if (tryClaim(all, hint, snapshot)) {
            return hint;
        }
        while (true) {
            for (int slot = 0; slot < all.length * SLOTS; slot++) {
                if (tryClaim(all, slot, snapshot)) {
                    return slot;
                }
            }
            long[][] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = bank();
            banks.compareAndSet(all, more);
            all = banks.get();
        }
    }

    private boolean tryClaim(long[][] all, int slot, long snapshot) {
        if (slot >= reached) {
            reach(slot + 1);
        }
        return LONGS.compareAndSet(all[slot / SLOTS], slot % SLOTS * STRIDE, FREE, snapshot);
    }

    private synchronized void reach(int slots) {
        reached = Math.max(reached, slots);
    }

    void set(int slot, long snapshot) {
        LONGS.setVolatile(banks.get()[slot / SLOTS], slot % SLOTS * STRIDE, snapshot);
    }

    /// All that the reader has read comes before; what follows need not wait until others see it.
    void release(int slot) {
        LONGS.setRelease(banks.get()[slot / SLOTS], slot % SLOTS * STRIDE, FREE);
    }

    /// The oldest registered snapshot, or `newest` where there is none older.
    long oldest(long newest) {
        long oldest = Math.min(newest, held);
        int end = reached;
        long[][] all = banks.get();
        for (int slot = 0; slot < end; slot++) {
            oldest = Math.min(oldest, snapshotIn(all, slot));
        }
        return oldest;
    }

    /// The open snapshots before `newest`, in order, and then `newest`, which any reader may be about
    /// to take. For one caller at a time; the array is used again.
    long[] snapshots(long newest) {
        foundCount = 0;
        addFound(newest, Math.min(newest, held));
        int end = reached;
        long[][] all = banks.get();
        for (int slot = 0; slot < end; slot++) {
            addFound(newest, snapshotIn(all, slot));
        }
        Arrays.sort(found, 0, foundCount);
        addFound(Long.MAX_VALUE, newest);
        return found;
    }

    /// How many snapshots the last call of [#snapshots] found.
    int snapshotCount() {
        return foundCount;
    }

    private void addFound(long before, long snapshot) {
        if (snapshot < before) {
            if (foundCount == found.length) {
                found = Arrays.copyOf(found, foundCount * 2);
            }
            found[foundCount++] = snapshot;
        }
    }

    /// How many snapshots are open, the checkpoint's not counted.
    int open() {
        int open = 0;
        int end = reached;
        long[][] all = banks.get();
        for (int slot = 0; slot < end; slot++) {
            if (snapshotIn(all, slot) != FREE) {
                open++;
            }
        }
        return open;
    }

    /// What stands in a slot that was reached.
    private static long snapshotIn(long[][] all, int slot) {
        return (long) LONGS.getVolatile(all[slot / SLOTS], slot % SLOTS * STRIDE);
    }
}
