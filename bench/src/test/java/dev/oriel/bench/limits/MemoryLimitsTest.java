package dev.oriel.bench.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemoryLimitsTest {
    @Test
    void theChainOfLoadsReachesEveryLineBeforeItComesBack() {
        int lines = 1000;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment chain = arena.allocate(lines * 64L, 8);
            MemoryLimits.link(chain, new SplittableRandom(5));
            for (int steps = 1; steps < lines; steps++) {
                assertNotEquals(0, MemoryLimits.follow(chain, 0, steps));
            }
            assertEquals(0, MemoryLimits.follow(chain, 0, lines));
        }
    }
}
