package dev.oriel.store.version;

import dev.oriel.store.memory.HeapMemory;
import java.util.Arrays;

/// Versions of pages that are leaving the [PageTable]. Each was superseded, or written to the data file, at a
/// moment, its tag. A snapshot needs a version if it is as new as the version and older than the tag.
///
/// They are in the order of their tags. A sweep checks all versions added since the last one: most of them no
/// snapshot has ever seen. Older ones are checked when the oldest snapshot has passed them, and all of them after
/// growth by a quarter. So the work for each version is constant, and at most that quarter is kept beyond the
/// need of the open snapshots. Guarded by the table's monitor.
final class Retired {
    private static final int SMALLEST = 64;

    /// Tags, in a ring whose length is a power of two.
    private long[] tags = new long[SMALLEST];

    private int[] entries = new int[SMALLEST];
    private int head;
    private int count;

    /// Number of versions that a sweep has checked and kept.
    private int seen;

    /// Number of kept versions that makes the next sweep check all of them.
    private int fullAt = SMALLEST;

    @FunctionalInterface
    interface Target {
        void drop(int entry);
    }

    /// Makes room for `more` versions, so that adding them cannot fail.
    void reserve(int more) {
        while (tags.length - count < more) {
            grow();
        }
    }

    void add(long tag, int entry) {
        reserve(1);
        put(count++, tag, entry);
    }

    private void put(int index, long tag, int entry) {
        int at = (head + index) & (tags.length - 1);
        tags[at] = tag;
        entries[at] = entry;
    }

    private void grow() {
        int length = tags.length;
        long[] moreTags = HeapMemory.copy(tags, length * 2);
        entries = HeapMemory.copy(entries, length * 2);
        tags = moreTags; // both, or none if memory runs out
        System.arraycopy(tags, 0, tags, length, head); // the wrapped part continues after it
        System.arraycopy(entries, 0, entries, length, head);
    }

    /// Drops the versions that no snapshot needs. The first `open` of `snapshots` are the open ones, in order;
    /// `view` has the txid of each entry.
    void sweep(long[] snapshots, int open, Target target, PageTable.View view) {
        dropOutdated(snapshots[0], target);
        boolean full = seen >= fullAt;
        long newest = snapshots[open - 1];
        int kept = full ? 0 : seen;
        int i = kept;
        for (; i < count; i++) {
            int at = (head + i) & (tags.length - 1);
            if (tags[at] > newest) {
                break; // the newest snapshot sees all later ones
            }
            int entry = entries[at];
            if (isSeen(snapshots, open, view.txid(entry), tags[at])) {
                put(kept++, tags[at], entry);
            } else {
                target.drop(entry);
            }
        }
        seen = kept;
        if (full) {
            fullAt = kept + kept / 4 + SMALLEST;
        }
        closeUp(i, kept);
    }

    /// Moves the versions from `from` on to `to`.
    private void closeUp(int from, int to) {
        if (from != to) {
            int mask = tags.length - 1;
            for (int i = from; i < count; i++) {
                int at = (head + i) & mask;
                put(to + i - from, tags[at], entries[at]);
            }
            count -= from - to;
        }
    }

    private void dropOutdated(long oldest, Target target) {
        int mask = tags.length - 1;
        while (count > 0 && tags[head] <= oldest) {
            target.drop(entries[head]);
            head = (head + 1) & mask;
            count--;
            seen = Math.max(0, seen - 1);
        }
    }

    private static boolean isSeen(long[] snapshots, int open, long txid, long tag) {
        int first = Arrays.binarySearch(snapshots, 0, open, txid);
        int from = first < 0 ? -1 - first : first;
        return from < open && snapshots[from] < tag;
    }

    /// Takes out the versions superseded by the rolled back transaction `txid`, marked in `newer`. No later tag
    /// exists.
    void withdraw(long txid, int[] newer) {
        int mask = tags.length - 1;
        int from = count;
        while (from > 0 && tags[(head + from - 1) & mask] == txid) {
            from--;
        }
        int kept = from;
        for (int i = from; i < count; i++) {
            int entry = entries[(head + i) & mask];
            if (newer[entry] == PageTable.WITHDRAWN) {
                newer[entry] = PageTable.NONE;
            } else {
                put(kept++, txid, entry);
            }
        }
        count = kept;
        seen = Math.min(seen, kept);
    }
}
