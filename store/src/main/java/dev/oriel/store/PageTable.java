package dev.oriel.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The versions of pages that lie in scratch memory: `page -> chain of (txid, frame)`, newest first.
/// A page without a chain is read from the data file.
///
/// ```
/// remapped  1 bit a page, the answer to most questions: "no, read the file"
/// keys[]    page + 1, open addressing, linear probing      keys and heads are replaced together
/// heads[]   newest version: an entry, or NONE              when they grow or shrink
/// txids[] frames[] olders[]                                one entry a version, linked by index
/// ```
/// One mutator at a time (the monitor: the writer touches a page, commits or rolls back, or the
/// checkpoint retires what the file holds by now). Readers take no lock: they work on the [View]
/// that their [State] was published with, and read heads and links with acquire.
///
/// Invariants:
/// 1. A chain is ordered by txid, newest first. Only its head may belong to an open transaction.
/// 2. A reader of snapshot `s` takes the first version with `txid <= s` and never looks behind it.
/// 3. A version leaves its chain, and its frame is used again, only when no snapshot sees it: a
///    version `v` superseded by commit `t` when no snapshot lies in `v .. t - 1`; one that the data
///    file holds by now when none lies in `v .. tag - 1`, the tag being the moment it was unlinked.
/// 4. Readers may walk past an entry that leaves the middle of a chain. Before such an entry is used
///    for another version, `turn` changes; a reader that sees it change looks again.
/// 5. Views share arrays only where every change made through one is right when seen through the
///    other. When entries move to larger arrays, or keys to others, all arrays but `remapped` are
///    copied, and what older views hold is never changed again.
/// 6. The table is sized to the versions that lived lately: those that no snapshot sees are dropped,
///    also those between two snapshots, and so are keys without a chain. (A table that only grows
///    makes every removal and many a miss dearer: the lesson of the article on Voron's page table.)
/// 7. Arrays that were replaced are used again when every snapshot is one that was published with
///    later arrays.
final class PageTable {
    static final int NONE = -1;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int SMALLEST = 64;

    private final Scratch scratch;
    private View view;
    private int usedKeys;
    private int liveKeys;
    private int allottedEntries;
    private int[] freeEntries = new int[SMALLEST];
    private int freeEntryCount;

    /// Entries were unlinked since `turn` was last changed.
    private boolean unlinked;

    /// Superseded or written, and perhaps still seen by somebody.
    private final Retired retired = new Retired();

    /// The most live keys of late: forgotten by a 256th at each reclaim, so that a table which each
    /// checkpoint empties is not made anew by doubling each time.
    private int recentKeys;

    /// The newest transaction that added a version.
    private long newestTxid;

    /// What the last rehash replaced, and the first snapshot that does not look at it.
    private View spare;

    private long spareTag = Long.MAX_VALUE;

    /// The oldest snapshot at the last reclaim.
    private long oldestOpen;

    PageTable(Scratch scratch) {
        this.scratch = scratch;
        this.view =
                new View(
                        new long[SMALLEST],
                        filled(new int[SMALLEST]),
                        new long[16],
                        new long[SMALLEST],
                        new int[SMALLEST],
                        new int[SMALLEST],
                        new long[1]);
        this.spare = view;
    }

    /// What a reader holds: arrays that stay right for its snapshot while the table moves on.
    @SuppressWarnings("ArrayRecordComponent") // shared on purpose, see the invariants
    record View(
            long[] keys,
            int[] heads,
            long[] remapped,
            long[] txids,
            int[] frames,
            int[] olders,
            long[] turn) {
        /// The frame of the version of `page` that snapshot `snapshot` sees, or NONE: the data file.
        int find(long page, long snapshot) {
            if (!isRemapped(page)) {
                return NONE;
            }
            int entry = entry(page, snapshot);
            return entry == NONE ? NONE : frames[entry];
        }

        /// The entry of that version. What is found stays as it is while the snapshot is open.
        int entry(long page, long snapshot) {
            while (true) {
                long before = (long) LONGS.getAcquire(turn, 0);
                int entry = walk(page, snapshot);
                VarHandle.acquireFence();
                if ((long) LONGS.getOpaque(turn, 0) == before) {
                    return entry;
                }
            }
        }

        private int walk(long page, long snapshot) {
            int mask = keys.length - 1;
            for (int i = hash(page) & mask; ; i = (i + 1) & mask) {
                long key = (long) LONGS.getAcquire(keys, i);
                if (key == page + 1) {
                    int entry = (int) INTS.getAcquire(heads, i);
                    while (entry != NONE && txids[entry] > snapshot) {
                        entry = (int) INTS.getAcquire(olders, entry);
                    }
                    return entry;
                }
                if (key == 0) {
                    return NONE;
                }
            }
        }

        /// Collects the pages that have a version which `snapshot` sees.
        void collect(long snapshot, PageSet into) {
            for (int i = 0; i < keys.length; i++) {
                long key = (long) LONGS.getAcquire(keys, i);
                if (key != 0) {
                    into.add(key - 1);
                }
            }
            into.sort();
            into.fill(page -> entry(page, snapshot), txids, frames);
        }

        private boolean isRemapped(long page) {
            int word = (int) (page >>> 6);
            return word < remapped.length
                    && ((long) LONGS.getAcquire(remapped, word) & 1L << page) != 0;
        }
    }

    private static int hash(long page) {
        return (int) ((page * 0x9E3779B97F4A7C15L) >>> 40);
    }

    private static int[] filled(int[] heads) {
        Arrays.fill(heads, NONE);
        return heads;
    }

    /// The arrays as they are now; to be published with the next [State].
    synchronized View view() {
        return view;
    }

    /// The newest version of `page`, or NONE.
    int head(long page) {
        int at = position(page);
        return at < 0 ? NONE : view.heads[at];
    }

    long txid(int entry) {
        return view.txids[entry];
    }

    int frame(int entry) {
        return view.frames[entry];
    }

    private int position(long page) {
        int mask = view.keys.length - 1;
        for (int i = hash(page) & mask; ; i = (i + 1) & mask) {
            long key = view.keys[i];
            if (key == page + 1) {
                return i;
            }
            if (key == 0) {
                return -1 - i;
            }
        }
    }

    /// Adds the version `txid` of `page`, which becomes the newest one.
    synchronized void add(long page, long txid, int frame) {
        newestTxid = Math.max(newestTxid, txid);
        if ((usedKeys + 1) * 4L > view.keys.length * 3L) {
            rehash(txid);
        }
        int entry = allocateEntry();
        int at = position(page);
        boolean known = at >= 0;
        int slot = known ? at : -1 - at;
        int older = known ? view.heads[slot] : NONE;
        view.txids[entry] = txid;
        view.frames[entry] = frame;
        INTS.setRelease(view.olders, entry, older);
        INTS.setRelease(view.heads, slot, entry);
        if (!known) {
            LONGS.setRelease(view.keys, slot, page + 1);
            usedKeys++;
        }
        if (older == NONE) {
            liveKeys++;
            recentKeys = Math.max(recentKeys, liveKeys);
            setRemapped(page);
        }
    }

    /// Says that commit `txid` is the last one whose changes the newest version of `page` holds. Only
    /// recovery may: nobody reads yet.
    synchronized void renumber(long page, long txid) {
        view.txids[head(page)] = txid;
    }

    /// Takes back the newest version of `page`, of a transaction that rolls back. No reader uses its
    /// frame, but one may be looking behind its entry for an older version.
    synchronized void removeNewest(long page) {
        int at = position(page);
        int entry = view.heads[at];
        int older = view.olders[entry];
        INTS.setRelease(view.heads, at, older);
        if (older == NONE) {
            liveKeys--;
            clearRemapped(page);
        }
        free(entry);
    }

    /// Tells that commit `txid` superseded the second version of `page`'s chain, if there is one.
    synchronized void superseded(long page, long txid) {
        int older = view.olders[head(page)];
        if (older != NONE) {
            retired.add(txid, older, page);
        }
    }

    /// Tells that the data file holds version `txid` of `page`, which no snapshot is older than.
    /// Where it is the newest version, readers are sent to the file, and its frame is free when all
    /// of them have a snapshot of `tag` or later. A superseded one is retired by its successor.
    synchronized boolean written(long page, long txid, long tag) {
        int at = position(page);
        int entry = at < 0 ? NONE : view.heads[at];
        if (entry == NONE || view.txids[entry] != txid) {
            return false;
        }
        INTS.setRelease(view.heads, at, NONE);
        liveKeys--;
        clearRemapped(page);
        retired.add(tag, entry, page);
        return true;
    }

    /// Frees the versions that none of the first `count` of `snapshots` sees: those that are open, in
    /// order, the newest commit last.
    synchronized void reclaim(long[] snapshots, int count) {
        retired.sweep(snapshots, count, this::drop, view.txids);
        oldestOpen = snapshots[0];
        recentKeys = Math.max(liveKeys, recentKeys - (recentKeys >>> 8) - 1);
        if (view.keys.length > SMALLEST && recentKeys * 16L < view.keys.length) {
            rehash(newestTxid + 1);
        }
    }

    private void drop(int entry, long page) {
        int at = position(page);
        int newer = at < 0 ? NONE : view.heads[at];
        while (newer != NONE && view.olders[newer] != entry) {
            newer = view.olders[newer];
        }
        if (newer != NONE) { // else it left the chain with its head
            INTS.setRelease(view.olders, newer, view.olders[entry]);
        }
        free(entry);
    }

    private void free(int entry) {
        scratch.free(view.frames[entry]);
        if (freeEntryCount == freeEntries.length) {
            freeEntries = Arrays.copyOf(freeEntries, freeEntryCount * 2);
        }
        freeEntries[freeEntryCount++] = entry;
        unlinked = true;
    }

    /// Versions that are here, also those that are on their way out.
    synchronized int versions() {
        return allottedEntries - freeEntryCount;
    }

    /// Pages that have a version here.
    synchronized int livePages() {
        return liveKeys;
    }

    private int allocateEntry() {
        if (freeEntryCount > 0) {
            if (unlinked) {
                LONGS.setRelease(view.turn, 0, view.turn[0] + 1);
                VarHandle.releaseFence(); // before whatever is written to the entry
                unlinked = false;
            }
            return freeEntries[--freeEntryCount];
        }
        if (allottedEntries == view.txids.length) {
            int more = allottedEntries * 2;
            view = // heads of entries that older views do not have must not show in them
                    new View(
                            view.keys.clone(),
                            view.heads.clone(),
                            view.remapped,
                            Arrays.copyOf(view.txids, more),
                            Arrays.copyOf(view.frames, more),
                            Arrays.copyOf(view.olders, more),
                            new long[1]);
        }
        return allottedEntries++;
    }

    /// Other keys and heads, without the dead ones, and copies of the entries: heads that only older
    /// views have must not lead to entries that are used again. Snapshots from `tag` on are published
    /// with them.
    private void rehash(long tag) {
        int length = SMALLEST;
        while (length < (recentKeys + 1) * 2L) {
            length *= 2;
        }
        boolean spared = spare.keys.length == length && oldestOpen >= spareTag;
        long[] keys = spared ? spare.keys : new long[length];
        int[] heads = spared ? spare.heads : new int[length];
        if (spared) {
            Arrays.fill(keys, 0);
        }
        Arrays.fill(heads, NONE);
        for (int i = 0; i < view.keys.length; i++) {
            if (view.heads[i] != NONE) {
                int at = hash(view.keys[i] - 1) & (length - 1);
                while (keys[at] != 0) {
                    at = (at + 1) & (length - 1);
                }
                keys[at] = view.keys[i];
                heads[at] = view.heads[i];
            }
        }
        usedKeys = liveKeys;
        View replaced = view;
        boolean entriesSpared = spared && spare.txids.length == replaced.txids.length;
        view =
                new View(
                        keys,
                        heads,
                        replaced.remapped,
                        copied(replaced.txids, entriesSpared ? spare.txids : null),
                        copied(replaced.frames, entriesSpared ? spare.frames : null),
                        copied(replaced.olders, entriesSpared ? spare.olders : null),
                        new long[1]);
        spare = replaced;
        spareTag = tag;
    }

    private static long[] copied(long[] from, long @Nullable [] into) {
        if (into == null) {
            return from.clone();
        }
        System.arraycopy(from, 0, into, 0, from.length);
        return into;
    }

    private static int[] copied(int[] from, int @Nullable [] into) {
        if (into == null) {
            return from.clone();
        }
        System.arraycopy(from, 0, into, 0, from.length);
        return into;
    }

    private void setRemapped(long page) {
        int word = (int) (page >>> 6);
        if (word >= view.remapped.length) {
            long[] more = Arrays.copyOf(view.remapped, Math.max(word + 1, word * 2));
            view =
                    new View(
                            view.keys,
                            view.heads,
                            more,
                            view.txids,
                            view.frames,
                            view.olders,
                            view.turn);
        }
        LONGS.setRelease(view.remapped, word, view.remapped[word] | 1L << page);
    }

    private void clearRemapped(long page) {
        int word = (int) (page >>> 6);
        LONGS.setRelease(view.remapped, word, view.remapped[word] & ~(1L << page));
    }
}
