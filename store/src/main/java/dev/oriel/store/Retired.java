package dev.oriel.store;

import java.util.Arrays;

/// Versions of pages that are on their way out of the [PageTable]: each was superseded, or written to
/// the data file, at a moment, its tag. A snapshot needs a version if it is as new as the version and
/// older than the tag.
///
/// They stand in the order of their tags. What was added since the last sweep is looked at each time:
/// most of it no snapshot has ever seen. The rest is looked at where the oldest snapshot has passed
/// it by, and all of it when it has grown by a quarter; so the work is constant for each version, and
/// what is kept is at most that quarter more than the open snapshots need. Guarded by the table's
/// monitor.
final class Retired {
    private static final int SMALLEST = 64;

    /// A ring; its length is a power of two.
    private long[] tags = new long[SMALLEST];

    private int[] entries = new int[SMALLEST];
    private long[] pages = new long[SMALLEST];
    private int head;
    private int count;

    /// How many of them a sweep has looked at.
    private int seen;

    /// So many make the next sweep look at all of them.
    private int fullAt = SMALLEST;

    @FunctionalInterface
    interface Target {
        void drop(int entry, long page);
    }

    void add(long tag, int entry, long page) {
        if (count == tags.length) {
            grow();
        }
        put(count++, tag, entry, page);
    }

    private void put(int index, long tag, int entry, long page) {
        int at = (head + index) & (tags.length - 1);
        tags[at] = tag;
        entries[at] = entry;
        pages[at] = page;
    }

    private void grow() {
        int length = tags.length;
        tags = Arrays.copyOf(tags, length * 2);
        entries = Arrays.copyOf(entries, length * 2);
        pages = Arrays.copyOf(pages, length * 2);
        System.arraycopy(tags, 0, tags, length, head); // what had wrapped goes on behind
        System.arraycopy(entries, 0, entries, length, head);
        System.arraycopy(pages, 0, pages, length, head);
    }

    /// Drops what none of the first `open` of `snapshots` needs, which are in order. `txids` tells of
    /// each entry which version it is.
    void sweep(long[] snapshots, int open, Target target, long[] txids) {
        dropOutdated(snapshots[0], target);
        boolean full = seen >= fullAt;
        int kept = full ? 0 : seen;
        for (int i = kept; i < count; i++) {
            int at = (head + i) & (tags.length - 1);
            int entry = entries[at];
            if (isSeen(snapshots, open, txids[entry], tags[at])) {
                put(kept++, tags[at], entry, pages[at]);
            } else {
                target.drop(entry, pages[at]);
            }
        }
        count = kept;
        seen = kept;
        if (full) {
            fullAt = kept + kept / 4 + SMALLEST;
        }
    }

    private void dropOutdated(long oldest, Target target) {
        int mask = tags.length - 1;
        while (count > 0 && tags[head] <= oldest) {
            target.drop(entries[head], pages[head]);
            head = (head + 1) & mask;
            count--;
            seen = Math.max(0, seen - 1);
        }
    }

    private static boolean isSeen(long[] snapshots, int open, long txid, long tag) {
        for (int i = 0; i < open; i++) {
            if (snapshots[i] >= txid) {
                return snapshots[i] < tag;
            }
        }
        return false;
    }
}
