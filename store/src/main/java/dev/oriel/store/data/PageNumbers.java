package dev.oriel.store.data;

import java.util.ArrayList;
import java.util.List;

/// Allots page numbers for trees being filled, perhaps several at a time. Each filler claims a contiguous range,
/// so that its pages are adjacent, and gives back the unused rest. Numbers ascend from the first on. Safe for use
/// by any number of threads.
public final class PageNumbers {
    private final int claimed;
    private long next;
    private final List<Long> unused = new ArrayList<>();

    /// @param first the first number; no page from it on is in use
    /// @param claimed size of a claimed range
    public PageNumbers(long first, int claimed) {
        this.next = first;
        this.claimed = claimed;
    }

    int claimed() {
        return claimed;
    }

    /// Claims a range and returns its first number.
    synchronized long claim() {
        long first = next;
        next += claimed;
        return first;
    }

    /// Gives the numbers from `from` to `to` back.
    synchronized void giveBack(long from, long to) {
        for (long page = from; page < to; page++) {
            if (!PageWriter.isFreeMap(page)) {
                unused.add(page);
            }
        }
    }

    /// The end of the claimed numbers.
    public synchronized long end() {
        return next;
    }

    /// The numbers claimed and not used.
    public synchronized List<Long> unused() {
        return List.copyOf(unused);
    }
}
