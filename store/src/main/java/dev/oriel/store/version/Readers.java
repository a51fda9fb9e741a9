package dev.oriel.store.version;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/// The registry of open snapshots, a slot for each reader. It tells the writer and the checkpoint which versions
/// of pages may still be read. Registering takes no lock.
///
/// A reader writes its wanted snapshot into its slot and then checks the published state again; if that has moved
/// on, it retries. The checkpoint reads the published state first and the slots after. So either the checkpoint
/// sees the slot, or the reader sees the newer state: a snapshot is never missed. All accesses here are volatile,
/// except the release.
///
/// Slots are claimed from the first one on, and most stores have few readers at a time. So scans stop at the
/// highest slot ever claimed. A reader raises that bound before it claims a slot. A scan that does not see the
/// new bound would not have seen the claim either.
///
/// Invariant: a slot is FREE, or CLAIMED (being set), or the snapshot of exactly one open reader.
public final class Readers {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    public static final long FREE = Long.MAX_VALUE;

    /// Distance between slots: a cache line, so that readers do not slow each other down.
    private static final int STRIDE = 8;

    private static final int SLOTS = 64;

    /// Slots in banks that are added and never dropped while the store is open: a slot stays in place.
    private final AtomicReference<long[][]> banks = new AtomicReference<>(new long[][] {bank()});

    private static long[] bank() {
        long[] slots = new long[SLOTS * STRIDE];
        Arrays.fill(slots, FREE);
        return slots;
    }

    /// Number of slots ever claimed, or about to be. Only grows.
    private volatile int reached = 1;

    private long[] found = new long[8];
    private int foundCount;

    /// Snapshot held by the running checkpoint, else FREE. It does not count as a reader.
    private volatile long held = FREE;

    /// Sets the checkpoint's own slot; `FREE` releases it. Only one checkpoint runs at a time.
    public void hold(long snapshot) {
        held = snapshot;
    }

    /// Claims a slot, preferring `hint` (a slot used before, or 0), and sets it to `snapshot`.
    public int claim(int hint, long snapshot) {
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

    public void set(int slot, long snapshot) {
        LONGS.setVolatile(banks.get()[slot / SLOTS], slot % SLOTS * STRIDE, snapshot);
    }

    /// Releases a slot. The release store keeps the reader's reads before it; others may see it with a delay.
    public void release(int slot) {
        LONGS.setRelease(banks.get()[slot / SLOTS], slot % SLOTS * STRIDE, FREE);
    }

    /// Returns the oldest registered snapshot, at most `newest`.
    public long oldest(long newest) {
        long oldest = Math.min(newest, held);
        int end = reached;
        long[][] all = banks.get();
        for (int slot = 0; slot < end; slot++) {
            oldest = Math.min(oldest, snapshotIn(all, slot));
        }
        return oldest;
    }

    /// Returns the open snapshots before `newest`, in order, and then `newest`, which any reader may be about to
    /// take. Called by one thread at a time; the array is reused.
    public long[] snapshots(long newest) {
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

    /// Number of snapshots in the last result of [#snapshots].
    public int snapshotCount() {
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

    /// Number of open snapshots, without the checkpoint's.
    public int open() {
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

    /// Returns the content of a slot below `reached`.
    private static long snapshotIn(long[][] all, int slot) {
        return (long) LONGS.getVolatile(all[slot / SLOTS], slot % SLOTS * STRIDE);
    }
}
