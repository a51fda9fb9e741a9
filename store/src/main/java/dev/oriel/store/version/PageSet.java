package dev.oriel.store.version;

import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntPredicate;

/// Versions of pages, one a page, in the order of page numbers: the work list of a checkpoint. Belongs to the
/// thread that made it.
public final class PageSet {
    /// Slot of a version that the shadow file lacks.
    public static final int NOWHERE = -1;

    public long[] pages = new long[64];
    public long[] txids = new long[64];
    int[] frames = new int[64];

    /// Slot of each version in the shadow file, or [#NOWHERE].
    public int[] slots = new int[64];

    public int[] checksums = new int[64];
    public int count;

    void add(long page) {
        if (count == pages.length) {
            grow(count * 2);
        }
        pages[count++] = page;
    }

    private void grow(int length) {
        pages = Arrays.copyOf(pages, length);
        txids = Arrays.copyOf(txids, length);
        frames = Arrays.copyOf(frames, length);
        slots = Arrays.copyOf(slots, length);
        checksums = Arrays.copyOf(checksums, length);
    }

    void sort() {
        Arrays.sort(pages, 0, count);
    }

    /// Looks up the version of each page that `snapshot` sees, and drops pages without one.
    void fill(PageTable.View view, long snapshot) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int entry = view.entry(pages[i], snapshot);
            if (entry != PageTable.NONE) {
                pages[kept] = pages[i];
                txids[kept] = view.txid(entry);
                frames[kept] = view.frame(entry);
                slots[kept++] = NOWHERE;
            }
        }
        count = kept;
    }

    /// Number of versions not newer than `txid`.
    public int countUpTo(long txid) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            found += txids[i] <= txid ? 1 : 0;
        }
        return found;
    }

    /// Adds a version with a known place, after all smaller page numbers.
    public void add(long page, long txid, int slot, int checksum) {
        add(page);
        txids[count - 1] = txid;
        slots[count - 1] = slot;
        checksums[count - 1] = checksum;
    }

    /// Takes out the pages with numbers from `limit` on and returns them: pages and versions, no places.
    public PageSet splitAt(long limit) {
        PageSet beyond = new PageSet();
        int kept = count;
        while (kept > 0 && pages[kept - 1] >= limit) {
            kept--;
        }
        for (int i = kept; i < count; i++) {
            beyond.addFrom(this, i);
        }
        count = kept;
        return beyond;
    }

    /// Takes out the versions that `other` has too and returns them: pages and versions, no places.
    public PageSet takeThoseIn(PageSet other) {
        PageSet taken = new PageSet();
        int kept = 0;
        int j = 0;
        for (int i = 0; i < count; i++) {
            while (j < other.count && other.pages[j] < pages[i]) {
                j++;
            }
            if (j < other.count && other.pages[j] == pages[i] && other.txids[j] == txids[i]) {
                taken.addFrom(this, i);
            } else {
                pages[kept] = pages[i];
                txids[kept] = txids[i];
                frames[kept++] = frames[i];
            }
        }
        count = kept;
        return taken;
    }

    /// Appends all of `other`, whose page numbers are all greater.
    public void addAll(PageSet other) {
        for (int i = 0; i < other.count; i++) {
            addFrom(other, i);
        }
    }

    private void addFrom(PageSet other, int i) {
        add(other.pages[i], other.txids[i], NOWHERE, 0);
        frames[count - 1] = other.frames[i];
    }

    /// Returns the elements whose index `which` accepts: pages and versions, no places.
    public PageSet only(IntPredicate which) {
        PageSet chosen = new PageSet();
        for (int i = 0; i < count; i++) {
            if (which.test(i)) {
                chosen.addFrom(this, i);
            }
        }
        return chosen;
    }

    /// Returns the elements from `from` (inclusive) to `to` (exclusive): pages and versions, no places.
    public PageSet range(int from, int to) {
        PageSet chosen = new PageSet();
        for (int i = from; i < to; i++) {
            chosen.addFrom(this, i);
        }
        return chosen;
    }

    /// Returns the union of two sets without a common page: pages and versions, no places.
    public static PageSet merged(PageSet one, PageSet other) {
        PageSet all = new PageSet();
        int j = 0;
        for (int i = 0; i < one.count; i++) {
            while (j < other.count && other.pages[j] < one.pages[i]) {
                all.addFrom(other, j++);
            }
            all.addFrom(one, i);
        }
        while (j < other.count) {
            all.addFrom(other, j++);
        }
        return all;
    }

    /// Replaces the content by the content of `other`: pages and versions, no places.
    public void become(PageSet other) {
        count = 0;
        addAll(other);
    }

    /// Returns the bytes of version `i`, in scratch memory.
    public MemorySegment page(int i, MemorySegment[] memory) {
        return FramePool.chunk(memory, frames[i]).asSlice(FramePool.offset(frames[i]), Page.BYTES);
    }

    /// Takes over the places of the versions that `other` has too.
    public void takePlacesOf(PageSet other) {
        int j = 0;
        for (int i = 0; i < count; i++) {
            while (j < other.count && other.pages[j] < pages[i]) {
                j++;
            }
            if (j < other.count && other.pages[j] == pages[i] && other.txids[j] == txids[i]) {
                slots[i] = other.slots[j];
                checksums[i] = other.checksums[j];
            }
        }
    }
}
