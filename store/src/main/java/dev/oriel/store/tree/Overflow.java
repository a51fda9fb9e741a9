package dev.oriel.store.tree;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.data.PageSpace;
import dev.oriel.store.data.Pages;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.MemorySegment;

/// Values too long for a leaf: chains of overflow pages, each holding the next part of the value
/// after its header. The leaf's cell keeps a reference instead: `u32 length, u64 first page`.
public final class Overflow {
    /// Value size up to which memory is allocated without checking the chain first.
    private static final int TRUSTED_BYTES = 1 << 20;

    private Overflow() {}

    /// Writes `value` and returns the number of the first page; 0 if it has no bytes.
    static long write(PageSpace writer, Slice value) {
        long next = 0;
        int parts = (value.length() + Page.PART_BYTES - 1) / Page.PART_BYTES;
        for (int part = parts - 1; part >= 0; part--) {
            long page = writer.allocate();
            MemorySegment segment = writer.pages.segment;
            long at = writer.pages.at;
            Page.format(segment, at, Page.OVERFLOW, page);
            int bytes = Math.min(Page.PART_BYTES, value.length() - part * Page.PART_BYTES);
            Page.setShort(segment, at + Page.COUNT, bytes);
            Page.setLink(segment, at, next);
            MemorySegment.copy(
                    value.segment(),
                    value.offset() + (long) part * Page.PART_BYTES,
                    segment,
                    at + Page.HEADER_BYTES,
                    bytes);
            next = page;
        }
        return next;
    }

    /// Points `out` at a copy of the value that a leaf has a reference to at `referenceAt`. Memory for a long value
    /// is allocated once its chain is known to be as long as the reference says.
    static void read(Pages pages, MemorySegment leaf, long referenceAt, Slice out) {
        int length = leaf.get(Page.INT, referenceAt);
        long first = leaf.get(Page.LONG, referenceAt + 4);
        if (length < 0 || length > Node.VALUE_BYTES_MAX) {
            throw damaged(first);
        }
        if (length > TRUSTED_BYTES) {
            checkLength(pages, first, length);
        }
        out.setOwn(length);
        read(pages, first, length, out.segment());
    }

    /// Points `out` at the part in the first page of the value that a leaf has a reference to at `referenceAt`.
    static void readHead(Pages pages, MemorySegment leaf, long referenceAt, Slice out) {
        int length = leaf.get(Page.INT, referenceAt);
        long first = leaf.get(Page.LONG, referenceAt + 4);
        if (length < 0 || length > Node.VALUE_BYTES_MAX) {
            throw damaged(first);
        }
        if (length == 0) {
            out.set(leaf, referenceAt, 0);
            return;
        }
        locate(pages, first);
        int bytes = Page.count(pages.segment, pages.at);
        if (bytes != Math.min(Page.PART_BYTES, length)) {
            throw damaged(first);
        }
        out.set(pages.segment, pages.at + Page.HEADER_BYTES, bytes);
    }

    private static void checkLength(Pages pages, long first, int length) {
        long page = first;
        for (int left = length; left > 0; left -= Page.PART_BYTES) {
            locate(pages, page);
            if (Page.count(pages.segment, pages.at) != Math.min(Page.PART_BYTES, left)) {
                throw damaged(page);
            }
            page = Page.link(pages.segment, pages.at);
        }
        if (page != 0) {
            throw damaged(page);
        }
    }

    /// Copies the value that begins on page `first` to the start of `target`.
    private static void read(Pages pages, long first, int length, MemorySegment target) {
        long page = first;
        int done = 0;
        while (done < length) {
            locate(pages, page);
            int bytes = Page.count(pages.segment, pages.at);
            if (bytes != Math.min(Page.PART_BYTES, length - done)) {
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

    /// Frees the chain that a leaf has a reference to at `referenceAt`, if it is as long as the reference says;
    /// else nothing is freed.
    static void free(PageSpace writer, MemorySegment leaf, long referenceAt) {
        long page = checkedFirst(writer.pages, leaf, referenceAt);
        while (page != 0) {
            locate(writer.pages, page);
            long next = Page.link(writer.pages.segment, writer.pages.at);
            writer.free(page);
            page = next;
        }
    }

    /// The first page of the chain that a leaf has a reference to at `referenceAt`.
    ///
    /// @throws CorruptionException if the chain is not as long as the reference says
    public static long checkedFirst(Pages pages, MemorySegment leaf, long referenceAt) {
        int length = leaf.get(Page.INT, referenceAt);
        long first = leaf.get(Page.LONG, referenceAt + 4);
        checkLength(pages, first, length);
        return first;
    }

    /// Frees the chains of a leaf's slots from `from` to `to`.
    static void freeAll(PageSpace writer, long leaf, int from, int to) {
        Pages pages = writer.pages;
        pages.locate(leaf);
        for (int i = from; i < to; i++) {
            if (Node.overflows(pages.segment, pages.at, i)) {
                free(writer, pages.segment, Node.value(pages.segment, pages.at, i));
                pages.locate(leaf);
            }
        }
    }

    public static void locate(Pages pages, long page) {
        pages.locate(page);
        if (Page.kind(pages.segment, pages.at) != Page.OVERFLOW) {
            throw damaged(page);
        }
    }

    private static CorruptionException damaged(long page) {
        return new CorruptionException("A chain of overflow pages is damaged", "page=" + page);
    }
}
