package dev.oriel.store;

import java.lang.foreign.MemorySegment;

/// Values too long for a leaf: chains of overflow pages, each holding the next part of the value
/// after its header. The leaf's cell keeps a reference instead: `u32 length, u64 first page`.
final class Overflow {
    static final int REFERENCE_BYTES = 12;
    static final int PART_BYTES = Page.BYTES - Page.HEADER_BYTES;
    static final int VALUE_BYTES_MAX = 1 << 30;

    private Overflow() {}

    /// Writes `value` and returns the number of the first page; 0 where it has no bytes.
    static long write(PageSpace writer, Slice value) {
        long next = 0;
        int parts = (value.length() + PART_BYTES - 1) / PART_BYTES;
        for (int part = parts - 1; part >= 0; part--) {
            long page = writer.allocate();
            MemorySegment segment = writer.pages.segment;
            long at = writer.pages.at;
            Page.format(segment, at, Page.OVERFLOW, page);
            int bytes = Math.min(PART_BYTES, value.length() - part * PART_BYTES);
            Page.setShort(segment, at + Page.COUNT, bytes);
            Page.setLink(segment, at, next);
            MemorySegment.copy(
                    value.segment(),
                    value.offset() + (long) part * PART_BYTES,
                    segment,
                    at + Page.HEADER_BYTES,
                    bytes);
            next = page;
        }
        return next;
    }

    /// Copies the value that begins on page `first` to the start of `target`.
    static void read(Pages pages, long first, int length, MemorySegment target) {
        long page = first;
        int done = 0;
        while (done < length) {
            locate(pages, page);
            int bytes = Page.count(pages.segment, pages.at);
            if (bytes == 0 || bytes > length - done) {
                throw damaged(page);
            }
            MemorySegment.copy(pages.segment, pages.at + Page.HEADER_BYTES, target, done, bytes);
            done += bytes;
            page = Page.link(pages.segment, pages.at);
        }
        if (page != 0) {
            throw damaged(page);
        }
    }

    /// Frees the chain that begins on page `first`.
    static void free(PageSpace writer, long first) {
        long page = first;
        while (page != 0) {
            locate(writer.pages, page);
            long next = Page.link(writer.pages.segment, writer.pages.at);
            writer.free(page);
            page = next;
        }
    }

    /// Frees the chains of a leaf's slots from `from` to `to`.
    static void freeAll(PageSpace writer, long leaf, int from, int to) {
        Pages pages = writer.pages;
        pages.locate(leaf);
        for (int i = from; i < to; i++) {
            if (Node.overflows(pages.segment, pages.at, i)) {
                long valueAt = Node.value(pages.segment, pages.at, i);
                free(writer, pages.segment.get(Page.LONG, valueAt + 4));
                pages.locate(leaf);
            }
        }
    }

    static void locate(Pages pages, long page) {
        pages.locate(page);
        if (Page.kind(pages.segment, pages.at) != Page.OVERFLOW) {
            throw damaged(page);
        }
    }

    private static CorruptionException damaged(long page) {
        return new CorruptionException("A chain of overflow pages is damaged", "page=" + page);
    }
}
