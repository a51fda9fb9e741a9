package dev.oriel.store.version;

import dev.oriel.store.LimitException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// The versions of pages in scratch memory: `page -> chain of (txid, frame)`, newest first.
/// A page without a chain is read from the data file.
///
/// ```
/// remapped   1 bit a page, the answer to most lookups: "no, read the file"
///
/// slots[]    page + 1 and its newest entry in one word, open addressing, linear probing
/// entries[]  two words a version: its txid; its frame and the next older entry
/// ```
///
/// One mutator at a time, under the monitor: the writer touches a page, commits or rolls back, or the checkpoint
/// retires versions that the data file holds. Readers take no lock: they work on the [View] published with their
/// [State], and read slots and links with acquire.
///
/// Invariants:
/// 1. A chain is ordered by txid, newest first. Only its head may belong to an open transaction.
/// 2. A reader of snapshot `s` takes the first version with `txid <= s` and never follows its link.
/// 3. A version leaves its chain, and its frame is reused, only when no snapshot sees it. A version `v`
///    superseded by commit `t` is unseen when no snapshot lies in `v .. t - 1`. A version that is in the data
///    file is unseen when none lies in `v .. tag - 1`, the tag being the moment it was unlinked.
/// 4. Readers may walk past an entry that leaves the middle of a chain. Before such an entry is reused, `turn`
///    changes; a reader that sees the change looks again.
/// 5. Views share an array only if every change made through one is right when seen through the other. When
///    entries or slots move to new arrays, all arrays but `remapped` are copied, and the arrays of older views
///    never change again.
/// 6. The table is sized to the recently live versions: versions that no snapshot sees are dropped, also between
///    two snapshots, and so are slots without a chain. A table that only grows makes every removal and many a
///    miss dearer (the lesson of the article on Voron's page table).
/// 7. A slot stays in place as long as its page has a version. It is emptied only if the next slot is empty too.
///    Otherwise it is marked dead, and other pages may use it. So a probe never meets an empty slot before the
///    slot of its page.
public final class PageTable implements Retired.Target {
    public static final int NONE = -1;

    /// Mark in `newer`: the superseding version is rolled back.
    static final int WITHDRAWN = -2;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SMALLEST = 64;

    /// A slot is EMPTY, or DEAD, or `page + 1` above this many bits of its newest entry.
    private static final int ENTRY_BITS = 31;

    private static final long EMPTY = 0;
    private static final long DEAD = 1;

    /// Maximum page number: 64 TB of pages of 8 KB.
    private static final long PAGES_MAX = (1L << 33) - 1;

    private static final long[] NO_SLOTS = {};
    private static final long OLDER = 0xFFFF_FFFFL;

    /// Number of slots in one part of [#written(long, long, long, int)].
    private static final int PART = 1024;

    private final FramePool framePool;
    private View view;

    /// Number of slots that are not empty; `liveKeys` also leaves out the dead ones.
    private int usedKeys;

    private int liveKeys;

    private int allottedEntries;
    private int[] freeEntries = new int[SMALLEST];
    private int freeEntryCount;

    /// Predecessor in the chain, by entry; NONE if that is a slot, or if the entry is unlinked.
    private int[] newer = new int[SMALLEST];

    /// Whether entries were unlinked since `turn` was last changed.
    private boolean unlinked;

    /// Versions that were superseded or written, and that a snapshot may still see.
    private final Retired retired = new Retired();

    /// Recent maximum of live keys. It decays by a 256th at each reclaim, so that a table emptied by each
    /// checkpoint is not regrown by doubling each time.
    private int recentKeys;

    /// Slots array at the start of the running pass; `leaving` has the bits that one part of the pass clears.
    private long[] passing = NO_SLOTS;

    private long[] leaving = new long[1];

    public PageTable(FramePool framePool) {
        this.framePool = framePool;
        this.view = new View(new long[SMALLEST], new long[16], new long[2 * SMALLEST], new long[1]);
    }

    /// A reader's view: arrays that stay right for its snapshot while the table moves on.
    @SuppressWarnings("ArrayRecordComponent") // shared on purpose, see the invariants
    public record View(long[] slots, long[] remapped, long[] entries, long[] turn) {
        /// Returns the frame of the version of `page` that `snapshot` sees, or NONE: read the data file.
        public int find(long page, long snapshot) {
            if (!isRemapped(page)) {
                return NONE;
            }
            int entry = entry(page, snapshot);
            return entry == NONE ? NONE : frame(entry);
        }

        /// Returns the entry of that version, which stays unchanged while the snapshot is open.
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
            int mask = slots.length - 1;
            for (int i = hash(page) & mask; ; i = (i + 1) & mask) {
                long slot = (long) LONGS.getAcquire(slots, i);
                if (isOf(page, slot)) {
                    int entry = newest(slot);
                    while (entry != NONE && entries[2 * entry] > snapshot) {
                        entry = (int) (long) LONGS.getAcquire(entries, 2 * entry + 1);
                    }
                    return entry;
                }
                if (slot == EMPTY) {
                    return NONE;
                }
            }
        }

        long txid(int entry) {
            return entries[2 * entry];
        }

        int frame(int entry) {
            return (int) ((long) LONGS.getOpaque(entries, 2 * entry + 1) >>> 32);
        }

        private int older(int entry) {
            return (int) entries[2 * entry + 1];
        }

        /// Collects the pages with a version that `snapshot` sees.
        public void collect(long snapshot, PageSet into) {
            for (int i = 0; i < slots.length; i++) {
                long slot = (long) LONGS.getAcquire(slots, i);
                if (isLive(slot)) {
                    into.add(page(slot));
                }
            }
            into.sort();
            into.fill(this, snapshot);
        }

        private boolean isRemapped(long page) {
            long word = page >>> 6; // perhaps a number out of a damaged tree
            return word < remapped.length
                    && ((long) LONGS.getAcquire(remapped, (int) word) & 1L << page) != 0;
        }
    }

    private static int hash(long page) {
        return (int) ((page * 0x9E3779B97F4A7C15L) >>> 32);
    }

    private static boolean isOf(long page, long slot) {
        return slot >>> ENTRY_BITS == page + 1;
    }

    private static boolean isLive(long slot) {
        return slot >>> ENTRY_BITS != 0;
    }

    private static long page(long slot) {
        return (slot >>> ENTRY_BITS) - 1;
    }

    private static int newest(long slot) {
        return (int) slot & Integer.MAX_VALUE;
    }

    private static long slot(long page, int entry) {
        return ((page + 1) << ENTRY_BITS) | entry;
    }

    /// The current arrays, to be published with the next [State]. Called by the holder of the write role, the only
    /// one to replace them.
    public View view() {
        return view;
    }

    /// Returns the newest entry of `page`, or NONE.
    public int head(long page) {
        int at = position(page);
        return at < 0 ? NONE : newest(view.slots[at]);
    }

    public long txid(int entry) {
        return view.txid(entry);
    }

    public int frame(int entry) {
        return view.frame(entry);
    }

    /// Returns the slot of `page`, or NONE.
    private int position(long page) {
        long[] slots = view.slots;
        int mask = slots.length - 1;
        for (int i = hash(page) & mask; ; i = (i + 1) & mask) {
            if (isOf(page, slots[i])) {
                return i;
            }
            if (slots[i] == EMPTY) {
                return NONE;
            }
        }
    }

    /// Whether a commit up to `committed` has superseded version `txid` of `page`. Then it is never the newest
    /// again, whatever the outcome of the open transaction.
    public synchronized boolean isSuperseded(long page, long txid, long committed) {
        int entry = head(page);
        while (entry != NONE && view.txid(entry) > committed) {
            entry = view.older(entry);
        }
        return entry != NONE && view.txid(entry) > txid;
    }

    /// Adds version `txid` of `page` as the newest one. The one before is retired: no snapshot from `txid` on
    /// sees it.
    ///
    /// @throws LimitException if the page number is beyond any possible database
    public synchronized void add(long page, long txid, int frame) {
        if ((usedKeys + 1) * 4L > view.slots.length * 3L) {
            rehash();
        }
        if (page >>> 6 >= view.remapped.length) {
            growRemapped(page);
        }
        retired.reserve(1);
        int entry = allocateEntry(); // the last step that may fail: links are made as a whole
        long[] slots = view.slots;
        int mask = slots.length - 1;
        int at = hash(page) & mask;
        int dead = NONE;
        while (slots[at] != EMPTY && !isOf(page, slots[at])) {
            if (slots[at] == DEAD && dead == NONE) {
                dead = at;
            }
            at = (at + 1) & mask;
        }
        int older = slots[at] == EMPTY ? NONE : newest(slots[at]);
        view.entries[2 * entry] = txid;
        LONGS.setRelease(view.entries, 2 * entry + 1, ((long) frame << 32) | (older & OLDER));
        newer[entry] = NONE;
        if (older != NONE) {
            newer[older] = entry;
            retired.add(txid, older);
        } else {
            if (dead != NONE) {
                at = dead;
            } else {
                usedKeys++;
            }
            liveKeys++;
            recentKeys = Math.max(recentKeys, liveKeys);
            int word = (int) (page >>> 6);
            LONGS.setRelease(view.remapped, word, view.remapped[word] | 1L << page);
        }
        LONGS.setRelease(slots, at, slot(page, entry));
    }

    /// Moves the newest version of `page`, which no reader sees yet, to `frame`; returns its old frame.
    public synchronized int replaceFrame(long page, int frame) {
        int entry = head(page);
        long before = view.entries[2 * entry + 1];
        LONGS.setRelease(view.entries, 2 * entry + 1, ((long) frame << 32) | (before & OLDER));
        return (int) (before >>> 32);
    }

    /// Sets the txid of the newest version of `page`, the last commit that it includes. Used only by recovery,
    /// before any reader.
    public synchronized void renumber(long page, long txid) {
        view.entries[2 * head(page)] = txid;
    }

    /// Removes the newest version of `page`, at a rollback. No reader uses its frame, but one may be following
    /// its link to an older version. After the last removal, [#endRollback] has to follow under the same hold of
    /// the monitor.
    public synchronized void removeNewest(long page) {
        int at = position(page);
        int entry = newest(view.slots[at]);
        int older = view.older(entry);
        if (older == NONE) {
            empty(at);
            clearRemapped(page);
        } else {
            LONGS.setRelease(view.slots, at, slot(page, older));
            newer[older] = WITHDRAWN;
        }
        free(entry);
    }

    /// Makes the versions that transaction `txid` superseded the newest again.
    public synchronized void endRollback(long txid) {
        retired.withdraw(txid, newer);
    }

    /// Notes that the data file holds version `txid` of `page`, and that no snapshot is older than that. If it is
    /// the newest version, readers go to the file, and its frame is freed when all snapshots are `tag` or later.
    /// A superseded version is retired already.
    public synchronized boolean written(long page, long txid, long tag) {
        int at = position(page);
        int entry = at == NONE ? NONE : newest(view.slots[at]);
        if (entry == NONE || view.txid(entry) != txid) {
            return false;
        }
        retired.reserve(1); // the last step that may fail
        empty(at);
        clearRemapped(page);
        retired.add(tag, entry);
        return true;
    }

    /// Retires the newest versions not newer than `upto` of all pages below `pageCount`: the data file holds them.
    /// One call handles one part of the table. `from` is 0 at first, then the result of the call before, until
    /// that is NONE. Called by one thread at a time, which may release the monitor between calls.
    @SuppressWarnings("ReferenceEquality") // identity is meant
    public synchronized int written(long upto, long pageCount, long tag, int from) {
        View now = view;
        long[] slots = now.slots;
        int begin = from != 0 && passing != slots ? 0 : from; // the slots were replaced meanwhile
        int end = Math.min(begin + PART, slots.length);
        boolean many = (end - begin) * 2L > now.remapped.length; // then store each word only once
        long[] bits = many ? leavingBits(now.remapped.length) : now.remapped;
        retired.reserve(
                end - begin); // the last that may fail: no bit of `leaving` outlives this call
        for (int i = begin; i < end; i++) {
            long slot = slots[i];
            int entry = newest(slot);
            if (isLive(slot) && now.txid(entry) <= upto && page(slot) < pageCount) {
                empty(i);
                retired.add(tag, entry);
                if (many) {
                    bits[(int) (page(slot) >>> 6)] |= 1L << page(slot);
                } else {
                    clearRemapped(page(slot));
                }
            }
        }
        for (int word = 0; many && word < now.remapped.length; word++) {
            if (bits[word] != 0) {
                LONGS.setRelease(now.remapped, word, now.remapped[word] & ~bits[word]);
                bits[word] = 0;
            }
        }
        boolean done = end == slots.length;
        passing = done ? NO_SLOTS : slots;
        return done ? NONE : end;
    }

    private long[] leavingBits(int words) {
        if (leaving.length < words) {
            leaving = new long[words];
        }
        return leaving;
    }

    /// Empties the slot at `at`, whose page has lost its last version.
    private void empty(int at) {
        long[] slots = view.slots;
        int mask = slots.length - 1;
        liveKeys--;
        if (slots[(at + 1) & mask] != EMPTY) {
            LONGS.setRelease(slots, at, DEAD);
            return;
        }
        int i = at;
        do { // also dead slots before it: nothing lies after them any more
            LONGS.setRelease(slots, i, EMPTY);
            usedKeys--;
            i = (i - 1) & mask;
        } while (slots[i] == DEAD);
    }

    /// Frees the versions that no open snapshot sees. The first `count` of `snapshots` are the open ones in
    /// order, with the newest commit last.
    public synchronized void reclaim(long[] snapshots, int count) {
        retired.sweep(snapshots, count, this, view);
        recentKeys = Math.max(liveKeys, recentKeys - (recentKeys >>> 8) - 1);
        if (view.slots.length > SMALLEST && recentKeys * 16L < view.slots.length) {
            rehash();
        }
    }

    /// Unlinks the version of `entry`, which no snapshot sees any longer. Called only by [Retired].
    @Override
    public void drop(int entry) {
        int link = newer[entry];
        int older = view.older(entry);
        if (link != NONE) { // otherwise it left the chain with its head
            long[] entries = view.entries;
            long linked = (entries[2 * link + 1] & ~OLDER) | (older & OLDER);
            LONGS.setRelease(entries, 2 * link + 1, linked);
        }
        if (older != NONE) {
            newer[older] = link;
        }
        free(entry);
    }

    private void free(int entry) {
        framePool.free(view.frame(entry));
        freeEntries[freeEntryCount++] = entry;
        unlinked = true;
    }

    /// See [FramePool#memoryBytesMax()].
    public long memoryBytesMax() {
        return framePool.memoryBytesMax();
    }

    /// Number of versions in the table, retired ones included.
    public synchronized int versions() {
        return allottedEntries - freeEntryCount;
    }

    /// Number of pages with a version in the table.
    public synchronized int livePages() {
        return liveKeys;
    }

    private int allocateEntry() {
        if (freeEntryCount > 0) {
            if (unlinked) {
                LONGS.setRelease(view.turn, 0, view.turn[0] + 1);
                VarHandle.releaseFence(); // before any write to the entry
                unlinked = false;
            }
            return freeEntries[--freeEntryCount];
        }
        if (allottedEntries == newer.length) {
            int more = allottedEntries * 2;
            int[] moreNewer = Arrays.copyOf(newer, more);
            freeEntries = Arrays.copyOf(freeEntries, more); // so that freeing cannot fail
            view = // slots of entries that older views lack must not show in them
                    new View(
                            view.slots.clone(),
                            view.remapped,
                            Arrays.copyOf(view.entries, 2 * more),
                            new long[1]);
            newer = moreNewer;
        }
        return allottedEntries++;
    }

    /// Replaces the slots by new ones without the dead, and copies the entries. Slots seen only by older views
    /// must not lead to entries that are reused.
    private void rehash() {
        int length = SMALLEST;
        while (length < (recentKeys + 1) * 2L) {
            length *= 2;
        }
        long[] slots = new long[length];
        for (long slot : view.slots) {
            if (isLive(slot)) {
                int at = hash(page(slot)) & (length - 1);
                while (slots[at] != EMPTY) {
                    at = (at + 1) & (length - 1);
                }
                slots[at] = slot;
            }
        }
        view = new View(slots, view.remapped, view.entries.clone(), new long[1]);
        usedKeys = liveKeys;
    }

    private void growRemapped(long page) {
        if (page >= PAGES_MAX) {
            throw new LimitException(
                    "The data file cannot have so many pages; use several databases",
                    "page=" + page);
        }
        int words = (int) (page >>> 6) + 1;
        long[] more = Arrays.copyOf(view.remapped, Math.max(words, view.remapped.length * 2));
        view = new View(view.slots, more, view.entries, view.turn);
    }

    private void clearRemapped(long page) {
        int word = (int) (page >>> 6);
        LONGS.setRelease(view.remapped, word, view.remapped[word] & ~(1L << page));
    }
}
