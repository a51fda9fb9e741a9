package dev.oriel.graph.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.oriel.testkit.Seed;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The set compared to one of the JDK, through growth and clearing.
final class LongSetTest {
    private final SplittableRandom random = Seed.of("LongSetTest", 5);

    @Test
    void holdsWhatASetOfTheJdkHolds() {
        LongSet set = new LongSet();
        Set<Long> expected = new HashSet<>();
        for (int i = 0; i < 60_000; i++) {
            long value = random.nextInt(50) == 0 ? Long.MIN_VALUE : random.nextLong(-4_000, 4_000);
            assertEquals(expected.contains(value), set.contains(value), () -> "contains " + value);
            assertEquals(expected.add(value), set.add(value), () -> "add " + value);
            assertEquals(expected.size(), set.size());
            if (random.nextInt(i < 5_000 ? 40 : 20_000) == 0) { // while small, and while large
                set.clear();
                expected.clear();
                assertEquals(0, set.size());
            }
        }
    }

    /// Empty sets share their slots.
    @Test
    void emptySetsDoNotSeeEachOther() {
        LongSet one = new LongSet();
        LongSet other = new LongSet();
        one.add(7);
        one.clear();
        one.add(8);
        assertFalse(other.contains(7) || other.contains(8));
        assertEquals(0, other.size());
    }
}
