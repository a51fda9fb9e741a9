package dev.oriel.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LatenciesTest {
    @Test
    void percentilesAreRightToThreePercent() {
        SplittableRandom random = new SplittableRandom(11);
        Latencies latencies = new Latencies();
        long[] all = new long[100_000];
        for (int i = 0; i < all.length; i++) {
            all[i] = (long) Math.exp(random.nextDouble(25));
            latencies.add(all[i]);
        }
        Arrays.sort(all);
        for (double share : new double[] {0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
            long exact = all[(int) Math.ceil(share * all.length) - 1];
            long told = latencies.percentile(share);
            assertTrue(told >= exact, () -> share + ": " + told + " below " + exact);
            assertTrue(told <= exact * 1.032 + 1, () -> share + ": " + told + " for " + exact);
        }
        assertEquals(all[all.length - 1], latencies.percentile(1));
    }

    @Test
    void mergedOnesAreTheSameAsOne() {
        Latencies whole = new Latencies();
        Latencies even = new Latencies();
        Latencies odd = new Latencies();
        for (long i = 1; i < 5000; i++) {
            whole.add(i * i);
            (i % 2 == 0 ? even : odd).add(i * i);
        }
        even.add(odd);
        assertEquals(whole.count(), even.count());
        for (double share = 0.05; share < 1; share += 0.05) {
            assertEquals(whole.percentile(share), even.percentile(share));
        }
    }

    @Test
    void extremesFit() {
        Latencies latencies = new Latencies();
        latencies.add(Long.MAX_VALUE);
        latencies.add(-5); // a clock that was set back
        assertEquals(0, latencies.percentile(0.5));
        assertEquals(Long.MAX_VALUE, latencies.percentile(1));
    }

    @Test
    void noDurationHasNoPercentile() {
        assertThrows(IllegalStateException.class, () -> new Latencies().percentile(0.5));
    }
}
