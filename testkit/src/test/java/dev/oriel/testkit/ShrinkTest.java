package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkTest {
    private static final List<Integer> THOUSAND = IntStream.range(0, 1000).boxed().toList();

    @Test
    void whatTheFailureNeedsIsFoundAndNothingElse() {
        int[] runs = {0};
        List<Integer> few =
                Shrink.minimal(
                        THOUSAND,
                        list -> {
                            runs[0]++;
                            return list.containsAll(List.of(3, 500, 501, 999));
                        });
        assertEquals(List.of(3, 500, 501, 999), few);
        assertTrue(runs[0] < 300, () -> runs[0] + " runs");
    }

    @Test
    void aFailureThatNeedsNothingShrinksToNothing() {
        assertEquals(List.of(), Shrink.minimal(THOUSAND, list -> true));
    }

    @Test
    void aFailureThatNeedsAllStaysWhole() {
        List<Integer> ten = THOUSAND.subList(0, 10);
        assertEquals(ten, Shrink.minimal(ten, list -> list.size() == 10));
    }

    @Test
    void noElementOfTheResultCanBeLeftOut() {
        SplittableRandom random = Seed.of("ShrinkTest", 5);
        for (int round = 0; round < 50; round++) {
            int modulus = random.nextInt(2, 40);
            List<Integer> few =
                    Shrink.minimal(
                            THOUSAND, list -> sum(list) % modulus == 1000 * 999 / 2 % modulus);
            for (int i = 0; i < few.size(); i++) {
                List<Integer> less = new ArrayList<>(few);
                less.subList(i, i + 1).clear();
                assertTrue(sum(less) % modulus != 1000 * 999 / 2 % modulus);
            }
            assertTrue(new TreeSet<>(THOUSAND).containsAll(few));
        }
    }

    @Test
    void aListThatDoesNotFailIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Shrink.minimal(THOUSAND, list -> false));
    }

    @Test
    void theMessageListsTheFewOperationsAndKeepsTheCause() {
        AssertionError failure =
                assertThrows(
                        AssertionError.class,
                        () ->
                                Shrink.check(
                                        THOUSAND,
                                        list -> {
                                            if (list.contains(7) && list.contains(77)) {
                                                throw new IllegalStateException("boom");
                                            }
                                        }));
        assertEquals("2 of 1000 operations are enough to fail:\n  7\n  77", failure.getMessage());
        assertInstanceOf(IllegalStateException.class, failure.getCause());
    }

    @Test
    void aTestThatPassesIsRunOnce() {
        int[] runs = {0};
        Shrink.check(THOUSAND, list -> runs[0]++);
        assertEquals(1, runs[0]);
    }

    private static int sum(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).sum();
    }
}
