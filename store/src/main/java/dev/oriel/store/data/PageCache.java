package dev.oriel.store.data;

import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A cache of pages of an unmapped data file. It is set associative: a page new to a full set replaces any page
/// of it. A reader of a page keeps its memory reachable, so nothing is counted or pinned.
///
/// A copy is as good as the file. A writer of a page in the file forgets the copy afterwards, and before any
/// reader is sent to the file for it. By the invariants of `Checkpoint`, no thread reads a page from the file
/// while it is written there; so no older copy can slip in.
///
/// For any number of threads, without locks.
public final class PageCache {
    private static final int WAYS = 4;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private record Copy(long page, MemorySegment bytes) {}

    private final AtomicReferenceArray<@Nullable Copy> copies;
    private final int shift;
    private final AtomicInteger turn = new AtomicInteger();

    /// @param bytesMax maximum bytes of the cached pages; at least 64 KB
    public PageCache(long bytesMax) {
        long sets = Math.max(1, Long.highestOneBit((bytesMax >>> Page.SHIFT) / WAYS));
        int bits = Math.min(Long.numberOfTrailingZeros(sets), 26);
        this.shift = 64 - bits;
        this.copies = new AtomicReferenceArray<>(WAYS << bits);
    }

    private int first(long page) {
        return shift == 64 ? 0 : (int) ((page * SPREAD) >>> shift) * WAYS;
    }

    /// Returns the copy of `page`, or null.
    public @Nullable MemorySegment get(long page) {
        int first = first(page);
        for (int i = 0; i < WAYS; i++) {
            Copy copy = copies.getAcquire(first + i);
            if (copy != null && copy.page == page) {
                return copy.bytes;
            }
        }
        return null;
    }

    public void put(long page, MemorySegment bytes) {
        int first = first(page);
        int place = first + (turn.getAndIncrement() & (WAYS - 1));
        for (int i = 0; i < WAYS; i++) {
            Copy there = copies.getAcquire(first + i);
            if (there == null || there.page == page) {
                place = first + i;
                break;
            }
        }
        copies.setRelease(place, new Copy(page, bytes));
    }

    /// Forgets the pages from `from` to `to`.
    public void forget(long from, long to) {
        for (long page = from; page < to; page++) {
            int first = first(page);
            for (int i = 0; i < WAYS; i++) {
                Copy there = copies.get(first + i);
                if (there != null && there.page == page) {
                    copies.compareAndSet(first + i, there, null);
                }
            }
        }
    }
}
