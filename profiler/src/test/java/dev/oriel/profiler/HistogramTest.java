package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HistogramTest {
    @Test
    void everyTimeLiesInItsBucket() {
        for (long nanos = 1; nanos > 0 && nanos < Long.MAX_VALUE / 3; nanos += 1 + nanos / 7) {
            int bucket = Histogram.bucket(nanos);
            assertTrue(Histogram.floor(bucket) <= nanos, () -> "below " + bucket);
            assertTrue(nanos < Histogram.floor(bucket + 1), () -> "above " + bucket);
        }
        assertEquals(Histogram.BUCKETS - 1, Histogram.bucket(Long.MAX_VALUE));
        assertEquals(0, Histogram.bucket(-5));
    }

    @Test
    void percentilesAreRightToAFifth() {
        long[] counts = new long[Histogram.BUCKETS];
        for (int nanos = 1; nanos <= 10_000; nanos++) {
            counts[Histogram.bucket(nanos)]++;
        }
        Histogram histogram = Histogram.of(counts);
        assertEquals(10_000, histogram.count());
        assertEquals(5_000, (double) histogram.percentile(0.5), 1_000);
        assertEquals(9_900, (double) histogram.percentile(0.99), 1_980);
        assertEquals(0, Histogram.EMPTY.percentile(0.5));
    }

    @Test
    void sumsHoldBothAndNeverOverflowSilently() {
        long[] one = new long[3];
        one[2] = Long.MAX_VALUE - 1;
        Histogram much = Histogram.of(one);
        Histogram little = Histogram.of(new long[] {0, 1, 1, 0, 5});
        assertEquals(Long.MAX_VALUE, much.plus(little).counts()[2]);
        assertEquals(5, little.plus(much).counts()[4]);
        assertThrows(ArithmeticException.class, () -> much.plus(much));
        assertSame(Histogram.EMPTY, Histogram.of(new long[9]));
    }
}
