package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ReadersTest {
    private final Readers readers = new Readers();

    @Test
    void checkpointHoldsASnapshotAndIsNotCountedAsAReader() {
        readers.hold(5);
        assertEquals(0, readers.open());
        assertFalse(readers.isEmpty());
        assertEquals(5, readers.oldest(9));
        readers.hold(Readers.FREE);
        assertTrue(readers.isEmpty());
        assertEquals(9, readers.oldest(9));
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
