package dev.oriel.store.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.page.Page;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import org.junit.jupiter.api.Test;

final class PageWriterTest {
    /// Half a gigabyte into a store, its free map needs a second page.
    @Test
    void secondSpanOfTheFreeMapBeginsWithItsOwnMap() {
        long span = PageWriter.SPAN;
        PageWriter writer = nearTheEndOfTheFirstSpan();
        assertEquals(span - 2, allocate(writer));
        assertEquals(span - 1, allocate(writer));
        assertEquals(span + 1, allocate(writer), "page " + span + " is the map");
        assertEquals(span + 2, allocate(writer));
        assertEquals(span + 3, writer.pageCount());
        assertEquals(0, FreeMap.count(writer.pages, writer.pageCount()));

        writer.free(span + 1);
        writer.free(span - 1);
        assertEquals(2, FreeMap.count(writer.pages, writer.pageCount()));
        assertEquals(span - 1, allocate(writer));
        assertEquals(span + 1, allocate(writer));
        assertEquals(span + 3, allocate(writer));
        assertThrows(CorruptionException.class, () -> freeTwice(writer, span + 3));
        assertEquals(1, FreeMap.count(writer.pages, writer.pageCount()));
    }

    /// The pages before the loaded ones are free, and the map's own page lies among the loaded ones.
    @Test
    void adoptedPagesAreInUseAcrossTheMap() {
        long span = PageWriter.SPAN;
        PageWriter writer = nearTheEndOfTheFirstSpan();
        long free = FreeMap.count(writer.pages, writer.pageCount());
        long before = writer.pageCount();
        writer.adopt(before + 1, span + 3);
        assertEquals(span + 3, writer.pageCount());
        assertEquals(free + 1, FreeMap.count(writer.pages, writer.pageCount()));
        assertEquals(before, allocate(writer));
        assertEquals(span + 3, allocate(writer));
        writer.adopt(span + 7, span + 8);
        assertEquals(free + 3, FreeMap.count(writer.pages, writer.pageCount()));
        assertEquals(span + 4, allocate(writer));
        assertThrows(CorruptionException.class, () -> freeTwice(writer, span + 1));
    }

    /// Otherwise each transaction would search the free map from its beginning.
    @Test
    void lowestFreePlaceIsRememberedFromCommitToCommit() {
        FramePool framePool = new FramePool();
        PageTable table = new PageTable(framePool);
        State state = new State(0, 0, 0, 0, 0, table.view(), framePool.chunks());
        PageWriter writer = new PageWriter(null, table, framePool, state);
        writer.begin(state);
        writer.create();
        for (int i = 0; i < 1000; i++) {
            allocate(writer);
        }
        writer.free(700);
        writer.free(800);
        writer.free(900);
        assertEquals(700, allocate(writer));
        state = writer.committed(0, Deltas.NONE);
        assertEquals(701, state.lowestFree());

        writer.begin(state);
        assertEquals(800, allocate(writer));
        writer.free(300);
        writer.rollback();

        writer.begin(state);
        assertEquals(800, allocate(writer));
        writer.free(20);
        assertEquals(20, writer.committed(0, Deltas.NONE).lowestFree());
        assertEquals(20, allocate(writer));
        assertEquals(900, allocate(writer));
        assertEquals(0, writer.committed(0, Deltas.NONE).freePages());
    }

    @Test
    void mapThatHasNoOtherPageToTellAboutGoesWithTheTail() {
        long span = PageWriter.SPAN;
        PageWriter writer = nearTheEndOfTheFirstSpan();
        for (int i = 0; i < 4; i++) {
            allocate(writer); // span - 2, span - 1, span + 1, span + 2
        }
        writer.free(span + 1);
        writer.dropFreeTail();
        assertEquals(span + 3, writer.pageCount());
        writer.free(span + 2);
        writer.free(span - 1);
        writer.dropFreeTail();
        assertEquals(span - 1, writer.pageCount());
        assertEquals(0, writer.committed(0, Deltas.NONE).freePages());
        assertEquals(0, FreeMap.count(writer.pages, writer.pageCount()));
        assertEquals(span - 1, allocate(writer));
        assertEquals(span + 1, allocate(writer), "the map is made anew");
        assertEquals(0, FreeMap.count(writer.pages, writer.pageCount()));
    }

    @Test
    void pageIsMovedOnlyToAFreeOneBeforeIt() {
        FramePool framePool = new FramePool();
        PageTable table = new PageTable(framePool);
        State state = new State(0, 0, 0, 0, 0, table.view(), framePool.chunks());
        PageWriter writer = new PageWriter(null, table, framePool, state);
        writer.begin(state);
        writer.create();
        for (int i = 0; i < 10; i++) {
            allocate(writer);
        }
        long last = writer.pageCount() - 1;
        assertEquals(last, writer.moveDown(last), "no page is free");
        writer.free(6);
        assertEquals(5, writer.moveDown(5));
        assertEquals(6, writer.moveDown(last));
        writer.pages.locate(6);
        assertEquals(6, Page.number(writer.pages.segment, writer.pages.at));
        assertEquals(Page.OVERFLOW, Page.kind(writer.pages.segment, writer.pages.at));
        writer.dropFreeTail();
        assertEquals(last, writer.pageCount());
        assertEquals(0, writer.committed(0, Deltas.NONE).freePages());
    }

    private static PageWriter nearTheEndOfTheFirstSpan() {
        long span = PageWriter.SPAN;
        FramePool framePool = new FramePool();
        PageTable table = new PageTable(framePool);
        State empty = new State(0, 0, 0, 0, 0, table.view(), framePool.chunks());
        PageWriter writer = new PageWriter(null, table, framePool, empty);
        writer.begin(empty);
        writer.create();
        writer.touch(Page.FIRST_SPACE);
        for (long at = 0; at < span / 8; at++) { // as if all pages of the span were in use
            writer.pages.segment.set(
                    Page.BYTE, writer.pages.at + Page.HEADER_BYTES + at, (byte) -1);
        }
        writer.pages.segment.set(
                Page.BYTE, writer.pages.at + Page.HEADER_BYTES + span / 8 - 1, (byte) 0x3F);
        writer.begin(new State(0, 0, span - 2, 0, 0, table.view(), framePool.chunks()));
        return writer;
    }

    private static void freeTwice(PageWriter writer, long page) {
        writer.free(page);
        writer.free(page);
    }

    private static long allocate(PageWriter writer) {
        long page = writer.allocate();
        Page.format(writer.pages.segment, writer.pages.at, Page.OVERFLOW, page);
        return page;
    }
}
