package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InterleavingTest {
    @Test
    void evenRoundsReverseTheOddOnes() {
        Interleaving<String> order = new Interleaving<>(List.of("a", "b", "c", "d"), 5);
        Set<List<String>> seen = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            List<String> there = order.next();
            assertEquals(there.reversed(), order.next());
            seen.add(there);
        }
        assertTrue(seen.size() > 5, seen::toString);
    }

    @Test
    void whatIsRemovedRunsNoMore() {
        Interleaving<String> order = new Interleaving<>(List.of("a", "b"), 5);
        order.remove("a");
        assertEquals(List.of("b"), order.next());
    }
}
