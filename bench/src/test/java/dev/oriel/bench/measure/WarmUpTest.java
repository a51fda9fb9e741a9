package dev.oriel.bench.measure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
    @Test
    void ratesAreFlatWhenThreeInARowAreNoFasterThanTheBest() {
        WarmUp.Curve curve = new WarmUp.Curve();
        for (double rate : new double[] {10, 20, 30, 29, 30.5, 32, 31, 30}) {
            curve.add(rate, 0);
            assertFalse(curve.isFlat(), () -> "at " + rate);
        }
        curve.add(32.5, 0);
        assertTrue(curve.isFlat());
    }

    @Test
    void aWindowInWhichTheJvmCompiledIsNotFlat() {
        WarmUp.Curve curve = new WarmUp.Curve();
        for (double compiling : new double[] {0.5, 0.02, 0, 0.2, 0, 0.09}) {
            curve.add(10, compiling);
            assertFalse(curve.isFlat(), () -> "at " + compiling);
        }
        curve.add(10, 0);
        assertTrue(curve.isFlat());
    }

    @Test
    void workIsRepeatedUntilItGetsNoFaster() {
        AtomicInteger windows = new AtomicInteger();
        WarmUp warmUp = new WarmUp(Duration.ZERO, Duration.ofMinutes(1));
        // Five windows, each of a thousand times the operations of the one before; then of one. The
        // JVM may compile in any of them.
        warmUp.repeat(
                () -> windows.incrementAndGet() <= 5 ? (long) Math.pow(1000, windows.get()) : 1);
        assertTrue(windows.get() >= 5 + 3, () -> windows + " windows");
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
        // At least one, however busy the machine is; at most as many as have room.
        assertTrue(windows.get() >= 1 && windows.get() <= 8, () -> windows + " windows");
    }
}
