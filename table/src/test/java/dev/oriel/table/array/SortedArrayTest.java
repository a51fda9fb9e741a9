package dev.oriel.table.array;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class SortedArrayTest {
    private static byte[] key(int number) {
        return new byte[] {(byte) (number >> 16), (byte) (number >> 8), (byte) number, 7, 9};
    }

    private static byte[] entry(SortedArray array, long position) {
        SortedBlock block = array.block(position);
        int start = block.start((int) position);
        assertEquals(3, block.rowKeyStart((int) position) - start);
        return Arrays.copyOfRange(block.bytes(), start, block.end((int) position));
    }

    private static void assertHolds(NavigableSet<byte[]> model, SortedArray array) {
        assertEquals(model.size(), array.size());
        long at = array.begin();
        for (byte[] expected : model) {
            assertArrayEquals(expected, entry(array, at));
            at = array.after(at);
        }
        assertEquals(array.end(), at);
        Iterator<byte[]> back = model.descendingIterator();
        while (back.hasNext()) {
            at = array.before(at);
            assertArrayEquals(back.next(), entry(array, at));
        }
        assertEquals(-1, array.before(at));
    }

    @Test
    void randomChangesFollowATreeAndOldVersionsStay() {
        Gen gen = new Gen(Seed.of("SortedArrayTest", 1));
        TreeSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
        SortedArray array = SortedArray.EMPTY;
        List<TreeSet<byte[]>> oldModels = new ArrayList<>();
        List<SortedArray> oldArrays = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] key = key(gen.below(6000));
            long at = array.ceiling(key, key.length);
            byte[] ceiling = model.ceiling(key);
            assertEquals(ceiling == null, at == array.end());
            boolean exists = array.is(at, key, key.length);
            assertEquals(model.contains(key), exists);
            boolean growing = i / 5000 % 2 == 0;
            if (exists && (!growing || gen.chance(20))) {
                model.remove(key);
                array = array.without(at);
            } else if (!exists && (growing || gen.chance(20))) {
                model.add(key);
                array = array.with(key, key.length, 3);
            }
            if (i % 2000 == 0) {
                oldModels.add(new TreeSet<>(model));
                oldArrays.add(array);
            }
        }
        assertHolds(model, array);
        for (int i = 0; i < oldArrays.size(); i++) {
            assertHolds(oldModels.get(i), oldArrays.get(i));
        }
    }

    @Test
    void ascendingEntriesFillTheirBlocks() {
        SortedArray array = SortedArray.EMPTY;
        SortedArray.Builder builder = new SortedArray.Builder();
        int count = 10 * SortedArray.BLOCK_ENTRIES_MAX + 1;
        for (int i = 0; i < count; i++) {
            array = array.with(key(i), 5, 3);
            builder.add(key(i), 3);
        }
        assertEquals(11L << 32, array.end());
        assertEquals(array.end(), builder.build().end());
        assertEquals(count, builder.build().size());
        assertTrue(array.heapBytes() < 11.5 * count, "5 bytes an entry, 6 beside them");
    }

    @Test
    void allEntriesCanBeRemovedFromEitherEnd() {
        TreeSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
        SortedArray.Builder builder = new SortedArray.Builder();
        for (int i = 0; i < 3000; i++) {
            builder.add(key(i), 3);
            model.add(key(i));
        }
        SortedArray array = builder.build();
        while (!model.isEmpty()) {
            byte[] removed = model.size() % 3 == 0 ? model.pollFirst() : model.pollLast();
            array = array.without(array.ceiling(removed, removed.length));
            if (model.size() % 500 == 0) {
                assertHolds(model, array);
            }
        }
        assertEquals(array.begin(), array.end());
    }
}
