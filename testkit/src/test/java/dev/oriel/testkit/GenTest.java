package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GenTest {
    private final Gen gen = new Gen(new SplittableRandom(1));

    @Test
    void theSameSeedGivesTheSameValues() {
        Gen again = new Gen(new SplittableRandom(1));
        for (int i = 0; i < 1000; i++) {
            assertEquals(gen.text(50), again.text(50));
            assertArrayEquals(gen.bytes(50), again.bytes(50));
            assertEquals(gen.anyDouble(), again.anyDouble());
        }
    }

    @Test
    void theExtremesOfEveryTypeComeUp() {
        Set<Long> longs = new TreeSet<>();
        Set<Integer> ints = new TreeSet<>();
        Set<Double> doubles = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            longs.add(gen.anyLong());
            ints.add(gen.anyInt());
            doubles.add(gen.anyDouble());
        }
        assertTrue(longs.containsAll(List.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L, 1L << 53)));
        assertTrue(ints.containsAll(List.of(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, -1)));
        assertTrue(doubles.containsAll(List.of(-0.0, 0.0, Double.NaN, Double.MIN_VALUE)));
    }

    @Test
    void lengthsReachFromNothingToTheGreatestAndAreMostlyShort() {
        int shorter = 0;
        Set<Integer> seen = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            int length = gen.length(1000);
            assertTrue(length >= 0 && length <= 1000);
            seen.add(length);
            shorter += length < 100 ? 1 : 0;
        }
        assertTrue(seen.contains(0) && seen.contains(1000) && seen.contains(1));
        assertTrue(shorter > 6_000, () -> "short ones");
        assertEquals(0, gen.length(0));
    }

    @Test
    void textIsWellFormedAndGoesBeyondTheBasicPlane() {
        int supplementary = 0;
        for (int i = 0; i < 2_000; i++) {
            String text = gen.text(30);
            assertTrue(text.length() <= 30);
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            assertEquals(text, new String(utf8, StandardCharsets.UTF_8), "no lone surrogates");
            supplementary += text.codePoints().anyMatch(c -> c > 0xFFFF) ? 1 : 0;
        }
        assertTrue(supplementary > 100);
    }

    @Test
    void boundsAreIncludedAtTheEdgesOfLong() {
        assertEquals(Long.MAX_VALUE, gen.between(Long.MAX_VALUE, Long.MAX_VALUE));
        assertEquals(Long.MIN_VALUE, gen.between(Long.MIN_VALUE, Long.MIN_VALUE));
        Set<Long> seen = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            seen.add(gen.between(3, 5));
        }
        assertEquals(Set.of(3L, 4L, 5L), seen);
        gen.between(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Test
    void weightsAreKept() {
        int[] counts = new int[3];
        for (int i = 0; i < 10_000; i++) {
            counts[gen.weighted(1, 0, 9)]++;
        }
        assertEquals(0, counts[1]);
        assertTrue(counts[0] > 800 && counts[0] < 1_200);
    }

    @Test
    void shufflingKeepsTheElements() {
        List<Integer> elements = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
        gen.shuffle(elements);
        assertEquals(new TreeSet<>(List.of(1, 2, 3, 4, 5, 6, 7, 8)), new TreeSet<>(elements));
        assertTrue(elements.contains(gen.pick(elements)));
    }
}
