package dev.oriel.sql.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// Chains of integers, in bitmaps with fewer bits than they would have numbers.
class LongChainsTest {
    private static final int KEYS = 4_096;

    /// Keys at the distance `step`, found again with at most `wordsMax` longs of bits.
    private static void foundAgain(long least, long step, int wordsMax) {
        LongChains chains = new LongChains(wordsMax);
        for (int i = 0; i < KEYS; i++) {
            assertEquals(LongChains.NONE, chains.add(least + i * step, i));
        }
        chains.complete();
        for (int i = 0; i < KEYS; i++) {
            long key = least + i * step;
            assertEquals(i, chains.first(key));
            if (step > 1) {
                assertEquals(LongChains.NONE, chains.first(key + 1));
            }
        }
        assertEquals(LongChains.NONE, chains.first(least - 1));
        assertEquals(LongChains.NONE, chains.first(least + KEYS * step));
    }

    @Test
    void keysAreFoundWhereTheirRangeHasMoreNumbersThanThereMayBeBits() {
        for (int wordsMax = 1 << 6; wordsMax <= 1 << 13; wordsMax *= 2) {
            for (long step = 1; step <= 65; step++) {
                foundAgain(-100, step, wordsMax);
            }
        }
    }

    @Test
    void rangesBesideTheLimitHaveABitForEachNumber() {
        int words = 64; // 4,096 bits
        foundAgain(0, 1, words);
        foundAgain(1, 1, words);
        foundAgain(Long.MAX_VALUE - KEYS, 1, words);
        foundAgain(Long.MIN_VALUE + 1, 1, words);
    }

    @Test
    void keysFromOneEndToTheOtherAreFound() {
        foundAgain(Long.MIN_VALUE + 1, Long.MAX_VALUE / KEYS * 2, 1 << 10);
    }
}
