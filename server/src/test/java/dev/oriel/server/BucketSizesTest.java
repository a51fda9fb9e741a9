package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.table.TableSize;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BucketSizesTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 3); // it wraps, as it may
    private final AtomicInteger counts = new AtomicInteger();

    private SortedMap<String, TableSize> count() {
        if (counts.incrementAndGet() == 1) {
            throw new IllegalStateException("the disk");
        }
        return new TreeMap<>();
    }

    @Test
    void theyAreCountedOnceInTenSecondsAndAfterAFailureAgain() {
        BucketSizes sizes = new BucketSizes(this::count, now::get);
        assertThrows(IllegalStateException.class, sizes::get);
        sizes.get();
        sizes.get();
        now.addAndGet(BucketSizes.KEPT_NANOS - 1);
        sizes.get();
        assertEquals(2, counts.get());
        now.incrementAndGet();
        sizes.get();
        assertEquals(3, counts.get());
    }
}
