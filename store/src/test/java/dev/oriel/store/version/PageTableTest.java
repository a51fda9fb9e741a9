package dev.oriel.store.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.LimitException;
import dev.oriel.store.memory.HeapMemory;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Uses the table as the store does: commits, checkpoints and long-lived readers.
class PageTableTest {
    private final PageTable table = new PageTable(new FramePool());
    private long newest;
    private int nextFrame;

    /// A reader's snapshot, with the expected frame of each page ever written, NONE for the file.
    private record Held(long snapshot, PageTable.View view, Map<Long, Integer> frames) {}

    /// Newest frame of each page, NONE if the version is in the file.
    private final Map<Long, Integer> current = new HashMap<>();

    private void commit(int pages, long range, SplittableRandom random) {
        newest++;
        for (int i = 0; i < pages; i++) {
            long page = random.nextLong(range);
            int head = table.head(page);
            if (head == PageTable.NONE || table.txid(head) != newest) {
                table.add(page, newest, nextFrame);
                current.put(page, nextFrame++);
            }
        }
    }

    /// Retires versions page by page, or all of them in parts.
    private void checkpoint(long upto) {
        if (newest % 2 == 0) {
            int from = 0;
            while (from != PageTable.NONE) {
                from = table.written(upto, Long.MAX_VALUE, newest + 1, from);
            }
            return;
        }
        PageSet found = new PageSet();
        table.view().collect(upto, found);
        for (int i = 0; i < found.count; i++) {
            table.written(found.pages[i], found.txids[i], newest + 1);
        }
    }

    /// Rolls back transaction `newest + 1`, which changed pages.
    private void rollBack(int pages, long range, SplittableRandom random) {
        List<Long> touched = new ArrayList<>();
        for (int i = 0; i < pages; i++) {
            long page = random.nextLong(range);
            int head = table.head(page);
            if (head == PageTable.NONE || table.txid(head) != newest + 1) {
                table.add(page, newest + 1, nextFrame++);
                touched.add(page);
            }
        }
        touched.forEach(table::removeNewest);
        table.endRollback(newest + 1);
    }

    /// Reclaims with the snapshots `open` besides the newest one.
    private void reclaim(long... open) {
        long[] snapshots =
                LongStream.concat(LongStream.of(open), LongStream.of(newest))
                        .sorted()
                        .distinct()
                        .toArray();
        table.reclaim(snapshots, snapshots.length);
    }

    /// A frame found in the table must be the right one. If none is found, the file must hold the version, so a
    /// checkpoint must have written it.
    @Test
    void readersOfOldViewsFindTheirVersionsWhileArraysComeAndGo() {
        SplittableRandom random = Seed.of("PageTableTest", 6);
        List<Held> readers = new ArrayList<>();
        Map<Long, Integer> file = new HashMap<>();
        for (int round = 0; round < 800; round++) {
            reclaim(readers.stream().mapToLong(Held::snapshot).toArray());
            boolean busy = round % 400 < 200;
            commit(1 + random.nextInt(busy ? 200 : 8), busy ? 5_000 : 200, random);
            if (random.nextInt(3) == 0) {
                rollBack(1 + random.nextInt(40), busy ? 5_000 : 200, random);
            }
            if (random.nextInt(4) == 0) {
                readers.add(new Held(newest, table.view(), new HashMap<>(current)));
            }
            if (random.nextInt(busy ? 5 : 50) == 0) {
                Map<Long, Integer> written =
                        readers.isEmpty() ? current : readers.getFirst().frames;
                file.putAll(written);
                checkpoint(readers.isEmpty() ? newest : readers.getFirst().snapshot);
            }
            for (Held reader : readers) {
                check(reader, file, random);
            }
            if (readers.size() > random.nextInt(1, 24)) {
                readers.removeFirst();
            }
        }
    }

    private static void check(Held reader, Map<Long, Integer> file, SplittableRandom random) {
        long skip = random.nextInt(1, 40);
        reader.frames.entrySet().stream()
                .skip(skip)
                .limit(50)
                .forEach(one -> {
                    int frame = reader.view.find(one.getKey(), reader.snapshot);
                    if (frame == PageTable.NONE) {
                        frame = file.getOrDefault(one.getKey(), PageTable.NONE);
                    }
                    assertEquals(one.getValue().intValue(), frame, reader.snapshot + ": " + one);
                });
    }

    /// Commits new pages; after each tenth commit a checkpoint writes all pages.
    private void commitHundred(long oldest) {
        reclaim(oldest);
        newest++;
        long first = newest * 100 % 50_000;
        for (long page = first; page < first + 100; page++) {
            table.add(page, newest, nextFrame++);
        }
        if (newest % 10 == 0) {
            checkpoint(newest);
        }
    }

    @Test
    void aTableThatFillsAndEmptiesKeepsItsArrays() {
        for (int i = 0; i < 200; i++) {
            commitHundred(newest);
        }
        Set<long[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 1_000; i++) {
            commitHundred(newest);
            arrays.add(table.view().slots());
        }
        assertEquals(1, arrays.size());
    }

    /// The newest version of each page is found and counted, while slots are emptied, marked dead and reused.
    @Test
    void slotsThatComeAndGoLeadToEveryPage() {
        SplittableRandom random = Seed.of("PageTableTest.slots", 7);
        for (int round = 0; round < 20_000; round++) {
            reclaim();
            commit(1 + random.nextInt(4), 90, random);
            for (int i = random.nextInt(6); i > 0; i--) {
                long page = random.nextLong(90);
                int head = table.head(page);
                if (head != PageTable.NONE) {
                    assertTrue(table.written(page, table.txid(head), newest + 1));
                    current.remove(page);
                }
            }
            assertEquals(current.size(), table.livePages());
            for (long page = 0; page < 90; page++) {
                int frame = table.view().find(page, newest);
                assertEquals(current.getOrDefault(page, PageTable.NONE).intValue(), frame);
            }
        }
    }

    @Test
    void aPageThatNoDatabaseCanHaveIsRefused() {
        LimitException e =
                assertThrows(LimitException.class, () -> table.add(1L << 34, 1, nextFrame));
        assertTrue(String.valueOf(e.getMessage()).contains("page=17179869184"), e.getMessage());
    }

    /// If a pass over the table fails for want of memory, the next one retires no version that is newer than the
    /// file's.
    @Test
    void aPassThatFailsForgetsNoVersionThatComesLater() {
        int pages = 100;
        newest = 1;
        for (int page = 0; page < pages; page++) {
            table.add(page, 1, page);
        }
        HeapMemory.before =
                () -> {
                    throw new OutOfMemoryError("planned");
                };
        try {
            assertThrows(OutOfMemoryError.class, () -> table.written(1, Long.MAX_VALUE, 2, 0));
        } finally {
            HeapMemory.before = null;
        }
        for (int page = 0; page < pages; page++) {
            table.add(page, 2, pages + page);
        }
        newest = 2;
        int from = 0;
        while (from != PageTable.NONE) {
            from = table.written(1, Long.MAX_VALUE, 3, from);
        }
        for (int page = 0; page < pages; page++) {
            assertEquals(pages + page, table.view().find(page, 2), "page " + page);
        }
    }

    /// The same, page by page.
    @Test
    void aPageThatCannotBeRetiredStays() {
        int pages = 64; // the maximum number that has room
        for (int page = 0; page <= pages; page++) {
            table.add(page, 1, page);
        }
        for (int page = 0; page < pages; page++) {
            assertTrue(table.written(page, 1, 2));
        }
        HeapMemory.before =
                () -> {
                    throw new OutOfMemoryError("planned");
                };
        try {
            assertThrows(OutOfMemoryError.class, () -> table.written(pages, 1, 2));
        } finally {
            HeapMemory.before = null;
        }
        assertEquals(pages, table.view().find(pages, 1));
        assertTrue(table.written(pages, 1, 2));
        assertEquals(PageTable.NONE, table.view().find(pages, 2));
    }

    @Test
    void aTableThatStaysSmallShrinks() {
        for (int i = 0; i < 10; i++) {
            commitHundred(newest);
        }
        int large = table.view().slots().length;
        for (int i = 0; i < 2_000; i++) {
            newest++;
            reclaim();
        }
        assertTrue(table.view().slots().length * 8 <= large, "it was " + large);
    }
}
