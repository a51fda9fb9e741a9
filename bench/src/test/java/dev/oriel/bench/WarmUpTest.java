package dev.oriel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
    private static final Duration AT_ONCE = Duration.ZERO;

    @Test
    void workThatGetsFasterIsRepeatedUntilItDoesNot() {
        AtomicInteger windows = new AtomicInteger();
        WarmUp warmUp = new WarmUp(AT_ONCE, Duration.ofMinutes(1));
        // Five windows, each of a thousand times the operations of the one before; then of one.
        warmUp.repeat(
                () -> windows.incrementAndGet() <= 5 ? (long) Math.pow(1000, windows.get()) : 1);
        assertEquals(5 + 3, windows.get());
    }

    @Test
    void workThatNeverGetsFlatEndsWithTheTime() {
        AtomicInteger windows = new AtomicInteger();
        WarmUp warmUp = new WarmUp(Duration.ofMillis(5), Duration.ofMillis(40));
        warmUp.repeat(() -> {
            long end = System.nanoTime() + 5_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return 1L << (4 * windows.incrementAndGet());
        });
        assertTrue(windows.get() >= 2 && windows.get() <= 8, () -> windows + " windows");
    }
}
