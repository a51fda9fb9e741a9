package dev.oriel.store.version;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ReadersTest {
    private final Readers readers = new Readers();

    @Test
    void checkpointHoldsASnapshotAndIsNotCountedAsAReader() {
        readers.hold(5);
        assertEquals(0, readers.open());
        assertArrayEquals(new long[] {5, 9}, seen(9));
        assertEquals(5, readers.oldest(9));
        readers.hold(Readers.FREE);
        assertArrayEquals(new long[] {9}, seen(9));
        assertEquals(9, readers.oldest(9));
    }

    private long[] seen(long newest) {
        long[] found = readers.snapshots(newest);
        return Arrays.copyOf(found, readers.snapshotCount());
    }

    @Test
    void openSnapshotsComeInOrderAndThenTheNewest() {
        for (long snapshot : new long[] {7, 3, 12, 7, 20}) {
            readers.claim(0, snapshot);
        }
        readers.hold(10);
        assertArrayEquals(new long[] {3, 7, 7, 10, 12, 20}, seen(20));
        assertArrayEquals(new long[] {3, 7, 7, 9}, seen(9));
    }

    @Test
    void slotsGrowAndTheOldestIsFound() {
        int[] slots = new int[200];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = readers.claim(0, 1000 + i);
        }
        assertEquals(slots.length, readers.open());
        assertEquals(1000, readers.oldest(5000));
        readers.release(slots[0]);
        assertEquals(1001, readers.oldest(5000));
        assertEquals(slots[0], readers.claim(slots[0], 7));
        assertEquals(7, readers.oldest(5000));
    }
}
