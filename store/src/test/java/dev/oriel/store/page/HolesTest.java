package dev.oriel.store.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.store.Slice;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/// The holes of a node are the same as found by a scan of every byte.
final class HolesTest {
    private final MemorySegment page = Arena.ofAuto().allocate(Page.BYTES, 8);
    private final Holes holes = new Holes();
    private final BitSet used = new BitSet(Page.BYTES);

    private void map() {
        Node.format(page, 0, Page.LEAF, 7, new Slice(), Node.unbounded());
        holes.map(page, 0);
        used.set(0, Page.BYTES);
    }

    private void empty() {
        Page.setShort(page, Node.HEAP, Page.HEADER_BYTES);
        holes.map(page, 0);
        used.clear();
        used.set(0, Page.HEADER_BYTES);
    }

    private void use(int from, int to) {
        holes.use(from, to);
        used.set(from, to);
    }

    /// The first of the smallest stretches that are large enough.
    private int expected(int bytes) {
        int best = -1;
        int bestBytes = Integer.MAX_VALUE;
        for (int from = used.nextClearBit(0); from < Page.BYTES; ) {
            int found = used.nextSetBit(from);
            int to = found < 0 ? Page.BYTES : found;
            if (to - from >= bytes && to - from < bestBytes) {
                best = from;
                bestBytes = to - from;
            }
            from = used.nextClearBit(to);
        }
        return best;
    }

    private void assertTaken(int bytes) {
        int from = expected(bytes);
        assertEquals(from, holes.take(bytes));
        if (from >= 0) {
            used.set(from, from + bytes);
        }
    }

    @Test
    void gapOfAnEmptyNodeIsNoHole() {
        map();
        assertEquals(-1, holes.take(1));
    }

    @Test
    void holesAtWordsAndPageEndsAreFound() {
        map();
        empty();
        use(Page.HEADER_BYTES, 64);
        use(128, 192);
        use(256, Page.BYTES - 64);
        assertEquals(64, holes.take(64));
        assertEquals(192, holes.take(64));
        assertEquals(Page.BYTES - 64, holes.take(64));
        assertEquals(-1, holes.take(1));
    }

    @Test
    void smallestHoleThatIsEnoughIsTaken() {
        Gen gen = new Gen(Seed.of("HolesTest", 1));
        for (int round = 0; round < 300; round++) {
            map();
            empty();
            int stretches = gen.below(120);
            for (int i = 0; i < stretches; i++) {
                int from = gen.below(Page.BYTES);
                use(from, Math.min(Page.BYTES, from + gen.below(200)));
            }
            for (int i = 0; i < 60; i++) {
                assertTaken(1 + gen.below(gen.chance(50) ? 40 : 600));
            }
        }
    }
}
