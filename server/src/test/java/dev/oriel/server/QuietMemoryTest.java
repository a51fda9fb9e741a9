package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class QuietMemoryTest {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong now = new AtomicLong(-5);
    private final AtomicInteger given = new AtomicInteger();
    private final QuietMemory quiet = new QuietMemory(bytes::get, given::incrementAndGet, now::get);

    private int look(boolean again) {
        quiet.look(again);
        return given.get();
    }

    @Test
    void oneCollectionFollowsLongValuesAndAnotherFreedPages() {
        now.addAndGet(QuietMemory.QUIET_NANOS);
        assertEquals(0, look(true), "there were none");
        bytes.set(QuietMemory.BYTES_MIN - 1);
        assertEquals(0, look(false));
        now.addAndGet(QuietMemory.QUIET_NANOS);
        assertEquals(0, look(false), "too few");
        bytes.addAndGet(1);
        assertEquals(0, look(false), "too early");
        now.addAndGet(QuietMemory.QUIET_NANOS);
        assertEquals(1, look(false));
        now.addAndGet(QuietMemory.QUIET_NANOS);
        assertEquals(1, look(false), "once");
        assertEquals(2, look(true));
        assertEquals(2, look(true), "no long value since");
        bytes.addAndGet(QuietMemory.BYTES_MIN);
        assertEquals(2, look(true), "others may follow");
        now.addAndGet(QuietMemory.QUIET_NANOS);
        assertEquals(3, look(false));
    }
}
