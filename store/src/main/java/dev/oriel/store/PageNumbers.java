package dev.oriel.store;

import java.util.ArrayList;
import java.util.List;

/// Numbers for pages of trees that are being filled, perhaps several at a time: each filler claims some in a
/// row, so that its pages lie side by side, and gives back what it has not used. They ascend from the first on.
/// Safe for use by any number of threads.
final class PageNumbers {
    private final int claimed;
    private long next;
    private final List<Long> unused = new ArrayList<>();

    /// @param first no page from this one on is of any use to anybody
    /// @param claimed how many are claimed at a time
    PageNumbers(long first, int claimed) {
        this.next = first;
        this.claimed = claimed;
    }

    int claimed() {
        return claimed;
    }

    /// The first of the numbers that are claimed now.
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

    /// The number behind all that were claimed.
    synchronized long end() {
        return next;
    }

    /// Numbers that were claimed and not used.
    synchronized List<Long> unused() {
        return List.copyOf(unused);
    }
}
