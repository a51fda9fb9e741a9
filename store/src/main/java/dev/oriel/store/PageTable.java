package dev.oriel.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

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
/// 3. A version leaves its chain, and its frame is used again, only when no reader can stand on it:
///    a version superseded by commit `t` when every snapshot is `>= t`; a version that the data file
///    holds by now when every snapshot is newer than the moment it was unlinked.
/// 4. Views share arrays only where every change made through one is right when seen through the
///    other: entries are never reused while a reader of an older view is open, and heads are copied
///    when entries move to larger arrays.
/// 5. The table is sized to the versions that lived lately: chains are trimmed and keys without one
///    are dropped as readers move on. (A table that only grows makes every removal and many a miss
///    dearer: the lesson of the article on Voron's page table.)
/// 6. Arrays of keys and heads that were replaced are used again when every snapshot is one that was
///    published with later arrays.
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

    /// Entries of versions that were rolled back: a reader may still be on its way past them.
    private int[] rolledBack = new int[SMALLEST];

    private int rolledBackCount;

    /// Versions to be dropped, oldest first: ring of (tag, entry, the newer entry linked to it).
    private long[] retiredTags = new long[SMALLEST];

    private int[] retiredEntries = new int[SMALLEST];
    private int[] retiredNewer = new int[SMALLEST];
    private int retiredHead;
    private int retiredCount;

    /// Snapshots before this one are gone: their versions may have been freed.
    private long reclaimedTo;

    /// The most live keys of late: forgotten by a 256th at each reclaim, so that a table which each
    /// checkpoint empties is not made anew by doubling each time.
    private int recentKeys;

    /// The newest transaction that added a version.
    private long newestTxid;

    /// What the last rehash replaced, and the first snapshot that does not look at it.
    private long[] spareKeys = {};

    private int[] spareHeads = {};
    private long spareTag;

    PageTable(Scratch scratch) {
        this.scratch = scratch;
        this.view =
                new View(
                        new long[SMALLEST],
                        filled(new int[SMALLEST]),
                        new long[16],
                        new long[SMALLEST],
                        new int[SMALLEST],
                        new int[SMALLEST]);
    }

    /// What a reader holds: arrays that stay right for its snapshot while the table moves on.
    @SuppressWarnings("ArrayRecordComponent") // shared on purpose, see the invariants
    record View(
            long[] keys, int[] heads, long[] remapped, long[] txids, int[] frames, int[] olders) {
        /// The frame of the version of `page` that snapshot `snapshot` sees, or NONE: the data file.
        int find(long page, long snapshot) {
            if (!isRemapped(page)) {
                return NONE;
            }
            int mask = keys.length - 1;
            for (int i = hash(page) & mask; ; i = (i + 1) & mask) {
                long key = (long) LONGS.getAcquire(keys, i);
                if (key == page + 1) {
                    int entry = (int) INTS.getAcquire(heads, i);
                    while (entry != NONE && txids[entry] > snapshot) {
                        entry = (int) INTS.getAcquire(olders, entry);
                    }
                    return entry == NONE ? NONE : frames[entry];
                }
                if (key == 0) {
                    return NONE;
                }
            }
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

    int older(int entry) {
        return view.olders[entry];
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
        scratch.free(view.frames[entry]);
        if (rolledBackCount == rolledBack.length) {
            rolledBack = Arrays.copyOf(rolledBack, rolledBackCount * 2);
        }
        rolledBack[rolledBackCount++] = entry;
    }

    /// Tells that commit `txid` superseded the second version of `page`'s chain, if there is one.
    synchronized void superseded(long page, long txid) {
        int newest = head(page);
        int older = view.olders[newest];
        if (older != NONE) {
            retire(txid, older, newest);
        }
    }

    /// Tells that the data file holds `entry` of `page`. Where it is the newest version, readers are
    /// sent to the file, and its frame is free when all of them have a snapshot of `tag` or later.
    synchronized void written(long page, int entry, long tag) {
        int at = position(page);
        if (at < 0 || view.heads[at] != entry) {
            return; // superseded: it is retired by its successor
        }
        INTS.setRelease(view.heads, at, NONE);
        liveKeys--;
        clearRemapped(page);
        retire(tag, entry, NONE);
    }

    /// Frees the versions that no snapshot from `oldest` on can see. `alone` says that nobody has
    /// looked at the table since the last rollback but through the state published after it.
    synchronized void reclaim(long oldest, boolean alone) {
        if (alone) {
            while (rolledBackCount > 0) {
                freeEntry(rolledBack[--rolledBackCount]);
            }
        }
        reclaimedTo = Math.max(reclaimedTo, oldest);
        int mask = retiredTags.length - 1;
        while (retiredCount > 0 && retiredTags[retiredHead] <= oldest) {
            int entry = retiredEntries[retiredHead];
            int newer = retiredNewer[retiredHead];
            if (newer != NONE) {
                INTS.setRelease(view.olders, newer, NONE);
            }
            scratch.free(view.frames[entry]);
            freeEntry(entry);
            retiredHead = (retiredHead + 1) & mask;
            retiredCount--;
        }
        recentKeys = Math.max(liveKeys, recentKeys - (recentKeys >>> 8) - 1);
        if (view.keys.length > SMALLEST && recentKeys * 16L < view.keys.length) {
            rehash(newestTxid + 1);
        }
    }

    /// The oldest snapshot whose versions are all here.
    synchronized long reclaimedTo() {
        return reclaimedTo;
    }

    /// Visits the newest version with `txid <= upto` of every page that has one.
    synchronized void forEach(long upto, VersionVisitor visitor) {
        for (int i = 0; i < view.keys.length; i++) {
            if (view.keys[i] == 0) {
                continue;
            }
            int entry = view.heads[i];
            while (entry != NONE && view.txids[entry] > upto) {
                entry = view.olders[entry];
            }
            if (entry != NONE) {
                visitor.visit(view.keys[i] - 1, entry);
            }
        }
    }

    @FunctionalInterface
    interface VersionVisitor {
        void visit(long page, int entry);
    }

    /// Pages that have a version here.
    synchronized int livePages() {
        return liveKeys;
    }

    private void retire(long tag, int entry, int newer) {
        if (retiredCount == retiredTags.length) {
            growRetired();
        }
        int at = (retiredHead + retiredCount++) & (retiredTags.length - 1);
        retiredTags[at] = tag;
        retiredEntries[at] = entry;
        retiredNewer[at] = newer;
    }

    private void growRetired() {
        int length = retiredTags.length;
        long[] tags = new long[length * 2];
        int[] entries = new int[length * 2];
        int[] newer = new int[length * 2];
        for (int i = 0; i < retiredCount; i++) {
            int from = (retiredHead + i) & (length - 1);
            tags[i] = retiredTags[from];
            entries[i] = retiredEntries[from];
            newer[i] = retiredNewer[from];
        }
        retiredTags = tags;
        retiredEntries = entries;
        retiredNewer = newer;
        retiredHead = 0;
    }

    private int allocateEntry() {
        if (freeEntryCount > 0) {
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
                            Arrays.copyOf(view.olders, more));
        }
        return allottedEntries++;
    }

    private void freeEntry(int entry) {
        if (freeEntryCount == freeEntries.length) {
            freeEntries = Arrays.copyOf(freeEntries, freeEntryCount * 2);
        }
        freeEntries[freeEntryCount++] = entry;
    }

    /// Other keys and heads, without the dead ones. Snapshots from `tag` on are published with them.
    private void rehash(long tag) {
        int length = SMALLEST;
        while (length < (recentKeys + 1) * 2L) {
            length *= 2;
        }
        boolean spared = spareKeys.length == length && reclaimedTo >= spareTag;
        long[] keys = spared ? spareKeys : new long[length];
        int[] heads = spared ? spareHeads : new int[length];
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
        spareKeys = view.keys;
        spareHeads = view.heads;
        spareTag = tag;
        view = new View(keys, heads, view.remapped, view.txids, view.frames, view.olders);
    }

    private void setRemapped(long page) {
        int word = (int) (page >>> 6);
        if (word >= view.remapped.length) {
            long[] more = Arrays.copyOf(view.remapped, Math.max(word + 1, word * 2));
            view = new View(view.keys, view.heads, more, view.txids, view.frames, view.olders);
        }
        LONGS.setRelease(view.remapped, word, view.remapped[word] | 1L << page);
    }

    private void clearRemapped(long page) {
        int word = (int) (page >>> 6);
        LONGS.setRelease(view.remapped, word, view.remapped[word] & ~(1L << page));
    }
}
