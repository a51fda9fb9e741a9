package dev.oriel.store.data;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.log.LogRecord;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageMarks;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageSet;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The pages of the open writing transaction: copies a page to scratch memory at its first touch, allots and
/// frees page numbers, and tracks changes. One per store, used by the holder of the write role.
///
/// A transaction too large for memory is written to the log in parts. After each ([#endPart]) its changed pages
/// are evicted from memory ([FramePool#evict]). A page that is changed again comes back, and the next part logs
/// its differences from the last one.
///
/// Invariant: a page in `modified` has a version of `txid` at the head of its chain, and this transaction writes
/// to no other version.
public final class PageWriter extends PageSpace {
    /// Number of pages that one page of the free map describes, a bit each; 1 is "in use".
    public static final long SPAN = (Page.BYTES - Page.HEADER_BYTES) * 8L;

    private static final long FRESH = 1L << 62;

    private final PageTable table;
    private final FramePool framePool;
    private long txid;
    private long pageCount;
    private long pageCountBefore;
    private long freePages;
    private long lowestFree;
    private long[] modified = new long[64];

    /// Byte ranges of these pages that may have changed.
    private final PageMarks marks = new PageMarks();

    /// Frame of the page touched last.
    private int touched;

    private int modifiedCount;

    /// Number of entries of `modified` that belong to ended parts.
    private int endedCount;

    /// Pages of ended parts that were changed again; `againFrames` has the frames with their content before that.
    private long[] again = {};

    private int[] againFrames = {};
    private int againCount;

    /// Whether pages have been freed since the last part.
    private boolean freed;

    /// Txid of the newest transaction that lowered the page count, committed or not.
    private volatile long loweredAt;

    public PageWriter(@Nullable DataFile file, PageTable table, FramePool framePool, State state) {
        super(new Pages(file, state));
        this.table = table;
        this.framePool = framePool;
    }

    public void begin(State state) {
        txid = state.txid() + 1;
        pageCount = state.pageCount();
        pageCountBefore = pageCount;
        freePages = state.freePages();
        lowestFree = state.lowestFree();
        modifiedCount = 0;
        endedCount = 0;
        againCount = 0;
        freed = false;
        marks.clear();
        pages.use(txid, table.view(), framePool.chunks());
    }

    public long txid() {
        return txid;
    }

    public long pageCount() {
        return pageCount;
    }

    /// Number of pages of which the open transaction has versions.
    public int modifiedPages() {
        return modifiedCount;
    }

    public boolean isUnchanged() {
        return modifiedCount == 0 && pageCount == pageCountBefore;
    }

    @Override
    public void touch(long page) {
        touchPart(page);
        marks.setWhole(touched);
    }

    @Override
    public void touchPart(long page) {
        if (locateOwn(page)) {
            return;
        }
        pages.locate(page);
        MemorySegment from = pages.segment;
        long fromAt = pages.at;
        int frame = addVersion(page, 0);
        marks.setNone(frame);
        pages.atFrame(frame);
        MemorySegment.copy(from, fromAt, pages.segment, pages.at, Page.BYTES);
    }

    @Override
    public void changed(int from, int to) {
        if (to - from == Page.BYTES) {
            marks.setWhole(touched);
        } else {
            marks.add(touched, from, to);
        }
    }

    /// Points [#pages] at the page for writing, with undefined content: the caller formats it.
    private void touchFresh(long page) {
        if (locateOwn(page)) {
            marks.setWhole(touched);
        } else {
            pages.atFrame(addVersion(page, FRESH));
        }
    }

    private boolean locateOwn(long page) {
        int head = table.head(page);
        if (head == PageTable.NONE || table.txid(head) != txid) {
            return false;
        }
        int frame = table.frame(head);
        if (endedCount > 0 && framePool.isEvicted(frame)) {
            frame = takeBack(page, frame);
        }
        touched = frame;
        pages.atFrame(frame);
        return true;
    }

    private int takeBack(long page, int evicted) {
        if (againCount == againFrames.length) {
            again = Arrays.copyOf(again, Math.max(64, againCount * 2));
            againFrames = Arrays.copyOf(againFrames, again.length);
        }
        int frame = allocateFrame();
        FramePool.copy(framePool.chunks(), evicted, frame);
        again[againCount] = page;
        againFrames[againCount++] = table.replaceFrame(page, frame);
        pages.use(txid, table.view(), framePool.chunks());
        return frame;
    }

    /// Gives back memory and files of pages that no version needs.
    public void trim() {
        framePool.dropFreed();
        framePool.trim();
    }

    /// Releases files that are no longer needed.
    public void dropFreed() {
        framePool.dropFreed();
    }

    /// Number of pages in memory that were changed since the last part.
    public int changedInPart() {
        return modifiedCount - endedCount + againCount;
    }

    /// Evicts the changed pages after their part of the log record is written.
    ///
    /// @throws dev.oriel.store.LimitException if there is no room
    public void endPart(TemporaryFiles files) {
        long[] changed = new long[changedInPart()];
        System.arraycopy(again, 0, changed, 0, againCount);
        for (int i = endedCount; i < modifiedCount; i++) {
            changed[againCount + i - endedCount] = modified[i] & ~FRESH;
        }
        framePool.evict(files, table, changed, changed.length);
        endedCount = modifiedCount;
        freeParts();
        freed = false;
        marks.clear();
        pages.use(txid, table.view(), framePool.chunks());
    }

    /// Frees the pages' content of earlier parts, at the end of a part or just before the state is published.
    public void freeParts() {
        for (int i = 0; i < againCount; i++) {
            framePool.free(againFrames[i]);
        }
        againCount = 0;
    }

    private int addVersion(long page, long flag) {
        if (modifiedCount == modified.length) {
            modified = Arrays.copyOf(modified, modifiedCount * 2);
        }
        int frame = allocateFrame();
        boolean added = false;
        try {
            table.add(page, txid, frame);
            added = true;
        } finally {
            if (!added) {
                framePool.free(frame);
            }
        }
        modified[modifiedCount++] = page | flag;
        pages.use(txid, table.view(), framePool.chunks());
        touched = frame;
        return frame;
    }

    private int allocateFrame() {
        int frame = framePool.allocate();
        boolean begun = false;
        try {
            marks.begin(frame);
            begun = true;
        } finally {
            if (!begun) {
                framePool.free(frame);
            }
        }
        return frame;
    }

    @Override
    public long allocate() {
        long page = freePages > 0 ? takeFree() : takeNew();
        touchFresh(page);
        return page;
    }

    private long takeNew() {
        if (pageCount % SPAN == 0 && pageCount > 0) {
            long map = pageCount++;
            touchFresh(map);
            Page.format(pages.segment, pages.at, Page.SPACE, map);
            mark(map, true);
        }
        long page = pageCount++;
        mark(page, true);
        return page;
    }

    private long takeFree() {
        long found = lowestFree();
        if (found == pageCount) {
            throw new CorruptionException(
                    "The free map has fewer free pages than were counted", "free=" + freePages);
        }
        lowestFree = found + 1;
        freePages--;
        mark(found, true);
        return found;
    }

    /// Returns the first unreferenced page: neither a version nor a log record needed by recovery refers to it or
    /// a later one.
    ///
    /// @param counted highest page count of any header since the opening
    public long firstUnused(long counted) {
        PageSet versions = new PageSet();
        table.view().collect(txid, versions);
        long last = versions.count == 0 ? 0 : versions.pages[versions.count - 1];
        return Math.max(Math.max(pageCount, counted), last + 1);
    }

    /// Puts the pages from `from` to `to`, which are already written, in use; the pages between the page count
    /// and `from` become free.
    public void adopt(long from, long to) {
        while (pageCount < to) {
            long page = pageCount++;
            if (isFreeMap(page)) {
                touchFresh(page);
                Page.format(pages.segment, pages.at, Page.SPACE, page);
                mark(page, true);
            } else if (page >= from) {
                mark(page, true);
            } else {
                freePages++;
                lowestFree = Math.min(lowestFree, page);
            }
        }
    }

    /// Returns the first free page; the page count if there is none.
    public long lowestFree() {
        for (long page = lowestFree & -64L; freePages > 0 && page < pageCount; page += 64) {
            long word = FreeMap.word(pages, page);
            if (word != -1L) {
                long found = page + Long.numberOfTrailingZeros(~word);
                if (found < pageCount) {
                    lowestFree = found;
                    return found;
                }
            }
        }
        return pageCount;
    }

    /// Moves a page to the first free one, if that comes before it, and returns the new number; otherwise returns
    /// `page`. The caller updates all references.
    public long moveDown(long page) {
        if (lowestFree() >= page) {
            return page;
        }
        pages.locate(page);
        MemorySegment from = pages.segment;
        long fromAt = pages.at;
        long to = allocate();
        MemorySegment.copy(from, fromAt, pages.segment, pages.at, Page.BYTES);
        pages.segment.set(Page.LONG, pages.at + Page.NUMBER, to);
        free(page);
        return to;
    }

    /// Lowers the page count by the free pages at the end. A page of the free map goes with them if it has no
    /// other page to describe.
    public void dropFreeTail() {
        while (isFreeMap(pageCount - 1) || isFree(pageCount - 1)) {
            freePages -= isFreeMap(pageCount - 1) ? 0 : 1;
            pageCount--;
            loweredAt = txid;
        }
    }

    static boolean isFreeMap(long page) {
        return page % SPAN == 0;
    }

    private boolean isFree(long page) {
        return (FreeMap.word(pages, page & -64L) & 1L << page) == 0;
    }

    /// Lowest txid such that page counts never shrink among snapshots at or after it.
    public long loweredAt() {
        return loweredAt;
    }

    @Override
    public void free(long page) {
        mark(page, false);
        freed = true;
        freePages++;
        lowestFree = Math.min(lowestFree, page);
    }

    private void mark(long page, boolean used) {
        long span = page / SPAN;
        touch(FreeMap.page(span));
        long bit = page - span * SPAN;
        long at = pages.at + Page.HEADER_BYTES + (bit >>> 6) * 8;
        long word = pages.segment.get(Page.LONG, at);
        long mask = 1L << bit;
        if (used == ((word & mask) != 0)) {
            throw new CorruptionException(
                    "The free map and a tree disagree about a page", "page=" + page);
        }
        pages.segment.set(Page.LONG, at, word ^ mask);
    }

    /// Makes the first pages of a new store: the free map and an empty tree of trees.
    public void create() {
        pageCount = Page.FIRST_SPACE + 1;
        touchFresh(Page.FIRST_SPACE);
        Page.format(pages.segment, pages.at, Page.SPACE, Page.FIRST_SPACE);
        for (long page = 0; page < pageCount; page++) {
            mark(page, true);
        }
        touchFresh(Page.CATALOG_ROOT);
        Node.format(
                pages.segment,
                pages.at,
                Page.LEAF,
                Page.CATALOG_ROOT,
                new Slice(),
                Node.unbounded());
    }

    /// Adds the changes of all pages since the last part to `record`.
    public void describe(LogRecord record) {
        if (freed) {
            emptyFreed();
        }
        for (int i = 0; i < againCount; i++) {
            int head = table.head(again[i]);
            record.add(
                    again[i],
                    FramePool.chunk(framePool.chunks(), table.frame(head)),
                    FramePool.offset(table.frame(head)),
                    FramePool.chunk(framePool.chunks(), againFrames[i]),
                    FramePool.offset(againFrames[i]),
                    true);
        }
        for (int i = endedCount; i < modifiedCount; i++) {
            long page = modified[i] & ~FRESH;
            int frame = table.frame(table.head(page));
            MemorySegment is = FramePool.chunk(framePool.chunks(), frame);
            long isAt = FramePool.offset(frame);
            if ((modified[i] & FRESH) != 0) {
                record.addFresh(page, is, isAt);
            } else if (marks.isWhole(frame)) {
                boolean mapped = locateBefore(page);
                record.add(page, is, isAt, pages.segment, pages.at, mapped);
            } else {
                assert isMarked(page, frame, is, isAt) : "a change was not marked: page " + page;
                record.addMarked(page, is, isAt, marks, frame);
            }
        }
        pages.use(txid, table.view(), framePool.chunks());
    }

    /// Empties the free pages: their content is not needed, so the log takes a few bytes for each. So the record
    /// of a delete has only the remaining pages, not all pages that it passed through.
    private void emptyFreed() {
        for (int i = endedCount; i < modifiedCount; i++) {
            long page = modified[i] & ~FRESH;
            if (page < pageCount && !isFreeMap(page) && isFree(page)) {
                pages.atFrame(table.frame(table.head(page)));
                Page.formatPart(pages.segment, pages.at, page);
                modified[i] = page | FRESH;
            }
        }
    }

    private boolean isMarked(long page, int frame, MemorySegment is, long isAt) {
        boolean _ = locateBefore(page);
        return LogRecord.isSameBut(marks, frame, is, isAt, pages.segment, pages.at);
    }

    /// Locates the page as before this transaction; returns whether it lies in the mapped file.
    private boolean locateBefore(long page) {
        pages.use(txid - 1, table.view(), framePool.chunks());
        return pages.locate(page);
    }

    /// Returns the state after this transaction.
    ///
    /// @param deltas entries that it leaves outside of pages
    public State committed(long lsn, Deltas deltas) {
        return new State(
                txid,
                lsn,
                pageCount,
                freePages,
                lowestFree,
                table.view(),
                framePool.chunks(),
                deltas);
    }

    /// Returns `state` with the current arrays.
    public State republished(State state) {
        return new State(
                state.txid(),
                state.lsn(),
                state.pageCount(),
                state.freePages(),
                state.lowestFree(),
                table.view(),
                framePool.chunks(),
                state.deltas());
    }

    /// Forgets all changes.
    public void rollback() {
        synchronized (table) {
            for (int i = 0; i < modifiedCount; i++) {
                table.removeNewest(modified[i] & ~FRESH);
            }
            table.endRollback(txid);
        }
        freeParts();
        modifiedCount = 0;
        endedCount = 0;
    }
}
