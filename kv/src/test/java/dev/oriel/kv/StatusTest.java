package dev.oriel.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StatusTest {
    @Test
    void everyNumberHasItsStatusAndTheOthersAreUnknown() {
        Set<Integer> named = new HashSet<>();
        for (Status status : Status.values()) {
            if (status != Status.UNKNOWN) {
                assertEquals(status, Status.of(status.code()));
                assertTrue(named.add(status.code()), "twice: " + status);
            }
        }
        for (int code = 0; code <= 0xFFFF; code++) {
            if (!named.contains(code)) {
                assertEquals(Status.UNKNOWN, Status.of(code), "" + code);
            }
        }
        assertEquals(Status.UNKNOWN, Status.of(-1));
    }

    @Test
    void decodingAllocatesNothing() {
        int known = 0;
        for (int round = 0; round < 3; round++) {
            long before = Allocations.bytes();
            for (int code = 0; code < 100_000; code++) {
                known += Status.of(code & 0x1FF) == Status.UNKNOWN ? 0 : 1;
            }
            long bytes = Allocations.bytes() - before;
            assertTrue(bytes < 20_000, bytes + " bytes for 100,000 statuses");
        }
        assertTrue(known > 0);
    }
}
