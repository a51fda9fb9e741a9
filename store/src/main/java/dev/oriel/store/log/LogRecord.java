package dev.oriel.store.log;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.NodeEditor;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.page.PageMarks;
import dev.oriel.store.page.PageStructure;
import dev.oriel.store.page.WriteSetEntries;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Builds the log record of one commit, and reads one back (docs/file-format.md). Kept by the log
/// and filled again for each commit; the write role owns it.
///
/// ```
/// 0        4      8     16    24     32        40       48          56        64
/// | magic | crc | salt | lsn | txid | length  | pages  | durable   | pageCount | page diffs ...
///                                     44: part
/// ```
/// A large commit has several records, its parts, numbered from 1. The top bit of `part` is set in all but the
/// last: others follow. `part` is 0 if the commit has one record. A part counts only if the last one exists.
///
/// `pages` counts the pages, unless its bit GATHERED is set: then it counts runs of entries that a commit has left
/// outside of pages (`DeltaLayers`). A run is `u64 root, u32 bytes`, and that many bytes of entries: `u32 key length,
/// i32 value length, key, value`, with length -1 for a removal.
///
/// A page's diff is `u64 page, u32 flags and range count, then per range u16 offset, u16 length,
/// bytes`. Ranges are absolute bytes of the page after the commit, so replaying a record twice, or
/// over a page that is partly newer, ends in the same bytes.
public final class LogRecord {
    public static final int MAGIC = 0x474F4C4F; // "OLOG"
    public static final int HEADER_BYTES = 64;

    /// Bytes before the ranges of a page.
    private static final int PAGE_HEADER_BYTES = 12;

    /// Bytes before the bytes of a range.
    private static final int RANGE_HEADER_BYTES = 4;

    /// Records begin at multiples of this.
    static final int ALIGNMENT = 8;

    /// Size of a sector. Writes after a sync begin at a multiple of it, so that they never share a sector with
    /// synced bytes.
    public static final int SECTOR_BYTES = 4096;

    static final int AT_CHECKSUM = 4;
    public static final int AT_SALT = 8;
    public static final int AT_LSN = 16;
    public static final int AT_TXID = 24;
    public static final int AT_LENGTH = 32;
    static final int AT_PAGES = 40;
    public static final int AT_PART = 44;
    public static final int AT_DURABLE = 48;
    public static final int AT_PAGE_COUNT = 56;

    /// Flag in the number of a part: others follow.
    public static final int FOLLOWED = 1 << 31;

    /// Flag in a page's count of ranges: the page begins as zeros, not as its old version.
    static final int FRESH = 1 << 31;

    /// Flag in the number of pages: the record has runs of entries.
    private static final int GATHERED = 1 << 31;

    /// Flag in the number of pages: before the record, the layers of deltas have turned.
    private static final int TURNED = 1 << 30;

    /// Flag in the number of pages: with the record, all of the older layer is in pages.
    private static final int ABSORBED = 1 << 29;

    private static final int COUNT = ABSORBED - 1;

    /// Bytes before the entries of a run.
    private static final int RUN_HEADER_BYTES = 12;

    /// Maximum number of equal bytes between two changes that are logged with them: another range would take as many.
    private static final int BRIDGE_BYTES = 16;

    private static final int BLOCK_BYTES = 64;
    private static final MemorySegment ZEROS = Arena.ofAuto().allocate(Page.BYTES, 8);

    /// Upper bound of a page's diff: all of it, in ranges that are at least a bridge apart.
    private static final int PAGE_DIFF_BYTES_MAX = 12 + Page.BYTES + 4 * (Page.BYTES / 24 + 2);

    private static final int BYTES_USUAL = 1 << 16;

    private MemorySegment buffer = Arena.ofAuto().allocate(BYTES_USUAL, SECTOR_BYTES);
    private int length;
    private int pages;
    private int part;
    private int flags;

    /// Begins the record of a commit with a single record.
    public void begin() {
        if (buffer.byteSize() == 0) {
            buffer = NativeMemory.allocate(BYTES_USUAL, SECTOR_BYTES);
        }
        length = HEADER_BYTES;
        pages = 0;
        part = 0;
        flags = 0;
    }

    /// Before the record, the layers of deltas have turned.
    public void turned() {
        flags |= TURNED;
    }

    /// With the record, all of the older layer of deltas is in pages.
    public void absorbed() {
        flags |= ABSORBED;
    }

    /// Adds entries of the tree `root` that the commit leaves outside of pages. A record has either pages or entries.
    public void addEntries(long root, MemorySegment from, long at, int bytes) {
        flags |= GATHERED;
        reserve(RUN_HEADER_BYTES + bytes);
        buffer.set(Page.LONG, length, root);
        buffer.set(Page.INT, length + 8L, bytes);
        MemorySegment.copy(from, at, buffer, length + (long) RUN_HEADER_BYTES, bytes);
        length += RUN_HEADER_BYTES + bytes;
        pages++;
    }

    /// Marks the record as part `number` of a commit.
    public void isPart(int number, boolean last) {
        part = last ? number : number | FOLLOWED;
    }

    /// Whether a commit ends with it.
    boolean endsCommit() {
        return part >= 0;
    }

    /// Adds a new `page`, known only to the caller, as its difference from zeros. Of a node, adds all bytes that
    /// count; its gap is zeros then.
    public void addFresh(long page, MemorySegment is, long isAt) {
        byte kind = Page.kind(is, isAt);
        boolean node = kind == Page.LEAF || kind == Page.BRANCH;
        if (node && Node.gap(is, isAt) >= 0 && Node.heap(is, isAt) <= Page.BYTES) {
            addFreshNode(page, is, isAt);
        } else {
            add(page, FRESH, is, isAt, ZEROS, 0, false);
        }
    }

    private void addFreshNode(long page, MemorySegment is, long isAt) {
        NodeEditor.clearGap(is, isAt);
        int start = beginPage();
        int slotsEnd = Page.HEADER_BYTES + Page.count(is, isAt) * Node.SLOT_BYTES;
        int heap = Node.heap(is, isAt) & -8;
        if (heap - slotsEnd <= BRIDGE_BYTES) {
            addRange(is, isAt, 0, Page.BYTES);
            endPage(start, page, FRESH | 1);
        } else {
            addRange(is, isAt, 0, slotsEnd);
            addRange(is, isAt + heap, heap, Page.BYTES - heap);
            endPage(start, page, FRESH | 2);
        }
    }

    /// Adds the difference of `page` to its old version.
    ///
    /// @param mapped whether the old version lies in the mapped file
    public void add(
            long page, MemorySegment is, long isAt, MemorySegment was, long wasAt, boolean mapped) {
        add(page, 0, is, isAt, was, wasAt, mapped);
    }

    /// Adds the marked ranges of `page`, whose version is in `frame`.
    public void addMarked(long page, MemorySegment is, long isAt, PageMarks marks, int frame) {
        int start = beginPage();
        int ranges = 0;
        int at = marks.next(frame, 0);
        while (at < Page.BYTES) {
            int end = marks.end(frame, at);
            int next = marks.next(frame, end);
            while (next < Page.BYTES && next - end <= BRIDGE_BYTES) {
                end = marks.end(frame, next);
                next = marks.next(frame, end);
            }
            addRange(is, isAt + at, at, end - at);
            ranges++;
            at = next;
        }
        endPage(start, page, ranges);
    }

    /// Begins a page, and returns its offset in the record.
    private int beginPage() {
        reserve(PAGE_DIFF_BYTES_MAX);
        int start = length;
        length += 12;
        return start;
    }

    /// Ends a page that began at `start`; drops it if nothing has changed.
    private void endPage(int start, long page, int flags) {
        if (flags == 0) {
            length = start;
            return;
        }
        buffer.set(Page.LONG, start, page);
        buffer.set(Page.INT, start + 8, flags);
        pages++;
    }

    /// Whether all differences of a page to its old version are marked, except for its checksum: a checkpoint may
    /// write another one to the file meanwhile.
    public static boolean isSameBut(
            PageMarks marks,
            int frame,
            MemorySegment is,
            long isAt,
            MemorySegment was,
            long wasAt) {
        boolean sameKind = is.get(Page.INT, isAt + 4) == was.get(Page.INT, wasAt + 4);
        int at = 8;
        while (at < Page.BYTES) {
            int marked = marks.next(frame, at);
            if (firstChangeInMapped(is, isAt, was, wasAt, at, marked) < marked) {
                return false;
            }
            at = marks.end(frame, marked);
        }
        return sameKind || marks.next(frame, 0) == 0;
    }

    private void add(
            long page,
            int flag,
            MemorySegment is,
            long isAt,
            MemorySegment was,
            long wasAt,
            boolean mapped) {
        int start = beginPage();
        int ranges = 0;
        int at = 0;
        while (at < Page.BYTES) {
            at =
                    mapped
                            ? firstChangeInMapped(is, isAt, was, wasAt, at, Page.BYTES)
                            : firstChange(is, isAt, was, wasAt, at, Page.BYTES);
            if (at < Page.BYTES) {
                int end = endOfChange(is, isAt, was, wasAt, at);
                addRange(is, isAt + at, at, end - at);
                ranges++;
                at = end;
            }
        }
        endPage(start, page, ranges | flag);
    }

    /// Offset of the first differing word between `from`, which begins a word, and `to`; `to` if none differs.
    private static int firstChange(
            MemorySegment is, long isAt, MemorySegment was, long wasAt, int from, int to) {
        long same =
                MemorySegment.mismatch(is, isAt + from, isAt + to, was, wasAt + from, wasAt + to);
        return same < 0 ? to : from + ((int) same & -8);
    }

    /// [#firstChange] by plain reads: an intrinsic must not be the one to find that another process has cut the
    /// file short.
    private static int firstChangeInMapped(
            MemorySegment is, long isAt, MemorySegment was, long wasAt, int from, int to) {
        int at = from;
        while (at < to) {
            if ((at & BLOCK_BYTES - 1) == 0 && sameBlock(is, isAt + at, was, wasAt + at)) {
                at += BLOCK_BYTES;
            } else if (same(is, isAt + at, was, wasAt + at)) {
                at += 8;
            } else {
                break;
            }
        }
        return at;
    }

    /// End of the change that begins at `from`: after its last word before a bridge.
    private static int endOfChange(
            MemorySegment is, long isAt, MemorySegment was, long wasAt, int from) {
        int last = from + 8;
        for (int at = last; at < Page.BYTES && at - last <= BRIDGE_BYTES; at += 8) {
            if (!same(is, isAt + at, was, wasAt + at)) {
                last = at + 8;
            }
        }
        return last;
    }

    private static boolean sameBlock(MemorySegment is, long isAt, MemorySegment was, long wasAt) {
        long difference = 0;
        for (int i = 0; i < BLOCK_BYTES; i += 8) {
            difference |= is.get(Page.LONG, isAt + i) ^ was.get(Page.LONG, wasAt + i);
        }
        return difference == 0;
    }

    private static boolean same(MemorySegment is, long isAt, MemorySegment was, long wasAt) {
        return is.get(Page.LONG, isAt) == was.get(Page.LONG, wasAt);
    }

    private void addRange(MemorySegment is, long from, int offset, int bytes) {
        Page.setShort(buffer, length, offset);
        Page.setShort(buffer, length + 2, bytes);
        MemorySegment.copy(is, from, buffer, length + 4, bytes);
        length += 4 + bytes;
    }

    private void reserve(int bytes) {
        if (length + (long) bytes + SECTOR_BYTES > buffer.byteSize()) {
            long grown = Math.max(buffer.byteSize() * 2, length + (long) bytes + SECTOR_BYTES);
            if (grown > Integer.MAX_VALUE) {
                throw new LimitException(
                        "The transaction changes more than one log record can hold; commit more"
                                + " often",
                        "bytes=" + length);
            }
            MemorySegment larger = NativeMemory.allocate(grown, SECTOR_BYTES);
            MemorySegment.copy(buffer, 0, larger, 0, length);
            buffer = larger;
        }
    }

    /// Bytes that the record takes in the log.
    public int alignedBytes() {
        return align(length);
    }

    public static int align(int bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /// Frees its memory if that is more than usual and more than `bytesMax`; the record has been written. Takes no
    /// memory: a record in the log may no longer fail. The next one begins with memory of its own.
    public void trim(int bytesMax) {
        if (buffer.byteSize() > Math.max(bytesMax, BYTES_USUAL)) {
            buffer = MemorySegment.NULL;
        }
    }

    /// The first multiple of a sector from `position` on.
    public static long nextSector(long position) {
        return (position + SECTOR_BYTES - 1) & -SECTOR_BYTES;
    }

    /// Completes the record and returns it, in memory that extends beyond it by at least a sector.
    ///
    /// @param durableLsn the end of a commit that has been synced, as have all before it
    MemorySegment seal(long salt, long lsn, long txid, long durableLsn, long pageCount) {
        buffer.set(Page.INT, 0, MAGIC);
        buffer.set(Page.LONG, AT_SALT, salt);
        buffer.set(Page.LONG, AT_LSN, lsn);
        buffer.set(Page.LONG, AT_TXID, txid);
        buffer.set(Page.LONG, AT_LENGTH, length);
        buffer.set(Page.INT, AT_PAGES, pages | flags);
        buffer.set(Page.INT, AT_PART, part);
        buffer.set(Page.LONG, AT_DURABLE, durableLsn);
        buffer.set(Page.LONG, AT_PAGE_COUNT, pageCount);
        int aligned = alignedBytes();
        buffer.asSlice(length, aligned - length).fill((byte) 0);
        buffer.set(Page.INT, AT_CHECKSUM, PageChecksum.checksum(buffer, AT_CHECKSUM, length - 4L));
        return buffer;
    }

    /// Length in bytes of the valid record at the start of `bytes`, which must hold all of it and have been written
    /// with `salt` at `lsn`; 0 if there is none.
    static int validLength(MemorySegment bytes, long salt, long lsn) {
        long length = claimedLength(bytes);
        if (length == 0
                || bytes.get(Page.LONG, AT_SALT) != salt
                || bytes.get(Page.LONG, AT_LSN) != lsn
                || length > bytes.byteSize()) {
            return 0;
        }
        int stored = bytes.get(Page.INT, AT_CHECKSUM);
        return stored == PageChecksum.checksum(bytes, AT_CHECKSUM, length - 4) ? (int) length : 0;
    }

    /// The length that the header at the start of `bytes` claims; 0 if that is no header.
    static long claimedLength(MemorySegment bytes) {
        long length = bytes.get(Page.LONG, AT_LENGTH);
        boolean plausible =
                bytes.get(Page.INT, 0) == MAGIC
                        && length >= HEADER_BYTES
                        && length <= Integer.MAX_VALUE - SECTOR_BYTES;
        return plausible ? length : 0;
    }

    /// Whether the valid record has entries rather than pages.
    public static boolean hasEntries(MemorySegment record) {
        return (record.get(Page.INT, AT_PAGES) & GATHERED) != 0;
    }

    /// Whether the layers of deltas turned before the valid record.
    public static boolean hasTurned(MemorySegment record) {
        return (record.get(Page.INT, AT_PAGES) & TURNED) != 0;
    }

    /// Whether all of the older layer of deltas was in pages with the valid record.
    public static boolean hasAbsorbed(MemorySegment record) {
        return (record.get(Page.INT, AT_PAGES) & ABSORBED) != 0;
    }

    /// Calls `target` for each entry of the record, which must be valid.
    ///
    /// @throws CorruptionException if its entries do not fill the record
    public static void replayEntries(MemorySegment record, EntryTarget target) {
        int runs = record.get(Page.INT, AT_PAGES) & COUNT;
        long end = record.get(Page.LONG, AT_LENGTH);
        long at = HEADER_BYTES;
        Slice key = new Slice();
        Slice value = new Slice();
        for (int i = 0; i < runs; i++) {
            demand(at + RUN_HEADER_BYTES <= end, record, at);
            long root = record.get(Page.LONG, at);
            long runEnd = at + RUN_HEADER_BYTES + record.get(Page.INT, at + 8);
            at += RUN_HEADER_BYTES;
            demand(PageStructure.isNumber(root) && runEnd >= at && runEnd <= end, record, at);
            while (at < runEnd) {
                demand(at + WriteSetEntries.HEADER_BYTES <= runEnd, record, at);
                int keyBytes = record.get(Page.INT, at);
                int valueBytes = record.get(Page.INT, at + 4);
                at += WriteSetEntries.HEADER_BYTES;
                long stored = (long) keyBytes + Math.max(0, valueBytes);
                boolean sized = keyBytes >= 0 && keyBytes <= Node.KEY_BYTES_MAX && valueBytes >= -1;
                demand(sized && at + stored <= runEnd, record, at);
                key.set(record, at, keyBytes);
                value.set(record, at + keyBytes, valueBytes);
                target.entry(root, key, value);
                at += stored;
            }
        }
        demand(at == end, record, at);
    }

    /// Receives a record's entries in order; a value of length -1 is a removal.
    public interface EntryTarget {
        void entry(long root, Slice key, Slice value);
    }

    /// Calls `target` for each page of the record, which must be valid.
    ///
    /// @throws CorruptionException if its pages and ranges do not fill the record
    public static void replay(MemorySegment record, PageTarget target) {
        int pages = record.get(Page.INT, AT_PAGES) & COUNT;
        long end = record.get(Page.LONG, AT_LENGTH);
        long at = HEADER_BYTES;
        for (int i = 0; i < pages; i++) {
            demand(at + PAGE_HEADER_BYTES <= end, record, at);
            long page = record.get(Page.LONG, at);
            int flags = record.get(Page.INT, at + 8);
            int ranges = flags & ~FRESH;
            demand(PageStructure.isNumber(page) && ranges > 0, record, at);
            at += PAGE_HEADER_BYTES;
            target.page(page, (flags & FRESH) != 0);
            for (int r = 0; r < ranges; r++) {
                demand(at + RANGE_HEADER_BYTES <= end, record, at);
                int offset = Page.unsignedShort(record, at);
                int bytes = Page.unsignedShort(record, at + 2);
                at += RANGE_HEADER_BYTES;
                demand(at + bytes <= end && offset + bytes <= Page.BYTES, record, at);
                target.range(offset, record, at, bytes);
                at += bytes;
            }
        }
        demand(at == end, record, at);
    }

    private static void demand(boolean right, MemorySegment record, long at) {
        if (!right) {
            throw new CorruptionException(
                    "A record of the log has an invalid format; restore a backup",
                    "lsn=%d commit=%d at=%d"
                            .formatted(
                                    record.get(Page.LONG, AT_LSN),
                                    record.get(Page.LONG, AT_TXID),
                                    at));
        }
    }

    /// Receives a record's pages in order, each with its ranges.
    public interface PageTarget {
        void page(long page, boolean fresh);

        void range(int offset, MemorySegment from, long fromAt, int bytes);
    }
}
