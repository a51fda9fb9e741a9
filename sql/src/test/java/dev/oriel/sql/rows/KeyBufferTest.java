package dev.oriel.sql.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Keys come out as they were put in, also after the buffer was used for others.
class KeyBufferTest {
    private final KeyBuffer keys = new KeyBuffer();

    private static byte[] key(int i) {
        return ByteBuffer.allocate(4 + i % 50).putInt(i).array();
    }

    private void fillAndCheck(int count) {
        for (int i = 0; i < count; i++) {
            keys.add(Slice.copyOf(key(i)));
        }
        assertEquals(count, keys.count());
        Slice found = new Slice();
        for (int i = 0; i < count; i++) {
            keys.key(i, found);
            assertArrayEquals(key(i), found.toBytes());
        }
    }

    @Test
    void keysOfOneRunAfterTheOther() {
        for (int count : new int[] {1, 5_000, 0, 70_000, 3}) {
            keys.clear();
            fillAndCheck(count);
        }
    }

    @Test
    void veryManyKeysLeaveNoMemoryBehindWhenTheyAreCleared() {
        fillAndCheck(70_000);
        long most = keys.heldBytes();
        keys.clear();
        long kept = keys.heldBytes();
        assertTrue(kept < 1 << 12, () -> kept + " bytes kept of " + most);
    }

    @Test
    void memoryForAFewKeysIsUsedAgain() {
        fillAndCheck(2_000);
        long most = keys.heldBytes();
        keys.clear();
        assertEquals(most, keys.heldBytes());
    }
}
