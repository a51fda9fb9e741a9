package dev.oriel.sql.measure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CoarseClockTest {
    /// Other watchers of the JVM, and the time that statements read, do not depend on one that fails.
    @Test
    void aWatcherThatFailsIsCalledNoMoreAndTheOthersAre() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch ticks = new CountDownLatch(5);
        CoarseClock.Watcher failing =
                now -> {
                    calls.incrementAndGet();
                    throw new NoClassDefFoundError("a closed class loader");
                };
        CoarseClock.Watcher working =
                now -> {
                    ticks.countDown();
                    return true;
                };
        CoarseClock.add(failing);
        CoarseClock.add(working);
        long before = CoarseClock.now();
        CoarseClock.wake();
        assertTrue(ticks.await(30, TimeUnit.SECONDS), "the clock stands");
        assertTrue(CoarseClock.now() > before, "time stands");
        assertTrue(calls.get() == 1, () -> calls.get() + " calls");
    }

    @Test
    void aWatcherWithoutMemoryIsCalledAgain() throws Exception {
        CountDownLatch calls = new CountDownLatch(3);
        CoarseClock.Watcher scarce =
                now -> {
                    calls.countDown();
                    throw new OutOfMemoryError("none is left");
                };
        CoarseClock.add(scarce);
        CoarseClock.wake();
        assertTrue(
                calls.await(30, TimeUnit.SECONDS), () -> calls.getCount() + " calls are missing");
    }
}
