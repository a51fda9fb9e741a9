package dev.oriel.store.data;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.page.Page;

/// Reads the free map: the pages of kind SPACE, one bit per page, 1 for "in use".
public final class FreeMap {
    private FreeMap() {}

    /// Number of the page that holds the bits of span `span`.
    public static long page(long span) {
        return span == 0 ? Page.FIRST_SPACE : span * PageWriter.SPAN;
    }

    /// Number of free pages among the first `pageCount`.
    public static long count(Pages pages, long pageCount) {
        long used = 0;
        for (long page = 0; page < pageCount; page += 64) {
            long word = word(pages, page);
            long left = pageCount - page;
            used += Long.bitCount(left >= 64 ? word : word & ((1L << left) - 1));
        }
        return pageCount - used;
    }

    /// The 64 bits from the bit of `page` on, a multiple of 64.
    public static long word(Pages pages, long page) {
        long span = page / PageWriter.SPAN;
        pages.locate(page(span));
        if (Page.kind(pages.segment, pages.at) != Page.SPACE) {
            throw new CorruptionException(
                    "A page of the free map is damaged", "page=" + page(span));
        }
        long bit = page - span * PageWriter.SPAN;
        return pages.segment.get(Page.LONG, pages.at + Page.HEADER_BYTES + bit / 8);
    }
}
