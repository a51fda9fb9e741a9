package dev.oriel.table.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Random uses of a queue, in memory alone and with a file, against a list.
final class KeyQueueTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    @SuppressWarnings("ArrayRecordComponent") // looked at by same() alone
    private record Item(int number, byte @Nullable [] first, byte @Nullable [] second) {
        boolean same(Item other) {
            return number == other.number
                    && Arrays.equals(first, other.first)
                    && Arrays.equals(second, other.second);
        }
    }

    /// What a savepoint remembers: places in the list, and in the queue.
    private record Place(int from, int to, long head, long end) {}

    private final Gen gen = new Gen(Seed.of("KeyQueueTest", 1));
    private List<Item> items = new ArrayList<>();
    private List<Long> ends = new ArrayList<>();
    private int from;

    @Test
    void inMemory() {
        run(new KeyQueue(() -> null, 1 << 10));
    }

    @Test
    void inAFile() {
        Store store = check.closing(Store.open(new SimDirectory(), StoreOptions.defaults()));
        for (int i = 0; i < 20; i++) {
            run(new KeyQueue(store::temporaryFile, 1 + gen.below(2_000)));
        }
    }

    private void run(KeyQueue queue) {
        items = new ArrayList<>();
        ends = new ArrayList<>();
        from = 0;
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            switch (gen.weighted(50, 30, 8, 3, 3)) {
                case 0 -> add(queue);
                case 1 -> takeFirst(queue);
                case 2 -> cut(queue, places);
                case 3 -> {
                    queue.remember();
                    beginAnew(queue);
                    places.add(new Place(from, items.size(), queue.head(), queue.end()));
                }
                default -> goBack(queue, places);
            }
            assertEquals(from == items.size(), queue.isEmpty());
        }
        assertContent(queue);
        queue.clear();
        assertTrue(queue.isEmpty());
    }

    private void add(KeyQueue queue) {
        Item item = new Item(gen.below(100), key(), key());
        queue.add(item.number, slice(item.first), slice(item.second));
        items.add(item);
        ends.add(queue.end());
    }

    private byte @Nullable [] key() {
        byte[] key = new byte[gen.chance(5) ? gen.below(5_000) : gen.below(30)];
        Arrays.fill(key, (byte) gen.below(256));
        return gen.chance(20) ? null : key;
    }

    private static @Nullable Slice slice(byte @Nullable [] key) {
        return key == null ? null : Slice.copyOf(key);
    }

    private void takeFirst(KeyQueue queue) {
        if (queue.isEmpty()) {
            return;
        }
        KeyQueue.Entry entry = new KeyQueue.Entry();
        long next = queue.read(queue.head(), entry);
        assertSame(items.get(from), entry);
        from++;
        queue.done(next);
        beginAnew(queue);
    }

    /// Nothing is left, and nobody comes back to what was there.
    private void beginAnew(KeyQueue queue) {
        if (queue.end() == 0) {
            items.clear();
            ends.clear();
            from = 0;
        }
    }

    /// Takes back what was added last, but nothing that somebody has remembered.
    private void cut(KeyQueue queue, List<Place> places) {
        int least = Math.max(from, places.isEmpty() ? 0 : places.getLast().to);
        int to = least + gen.below(items.size() - least + 1);
        if (to < items.size()) {
            queue.cut(to == 0 ? 0 : ends.get(to - 1));
            items.subList(to, items.size()).clear();
            ends.subList(to, ends.size()).clear();
        }
    }

    private void goBack(KeyQueue queue, List<Place> places) {
        if (places.isEmpty()) {
            return;
        }
        int at = gen.below(places.size());
        Place place = places.get(at);
        queue.restore(place.head, place.end);
        places.subList(at + 1, places.size()).clear();
        items.subList(place.to, items.size()).clear();
        ends.subList(place.to, ends.size()).clear();
        from = place.from;
        assertContent(queue);
    }

    private void assertContent(KeyQueue queue) {
        KeyQueue.Entry entry = new KeyQueue.Entry();
        long at = queue.head();
        for (Item item : items.subList(from, items.size())) {
            at = queue.read(at, entry);
            assertSame(item, entry);
        }
        assertEquals(queue.end(), at);
    }

    private static void assertSame(Item expected, KeyQueue.Entry entry) {
        Item found = new Item(entry.number(), bytes(entry.first()), bytes(entry.second()));
        assertTrue(expected.same(found), () -> expected + " is not " + found);
    }

    private static byte @Nullable [] bytes(@Nullable Slice key) {
        return key == null ? null : key.toBytes();
    }

    @Test
    void marksAreASet() {
        KeyMarks marks = new KeyMarks();
        Set<String> model = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            int number = gen.below(3);
            String key = "key".repeat(gen.below(4)) + gen.below(2_000);
            assertEquals(model.contains(number + key), marks.contains(number, Slice.of(key)));
            if (gen.chance(50)) {
                marks.add(number, Slice.of(key));
                model.add(number + key);
            }
        }
        assertFalse(marks.isEmpty());
        marks.clear();
        assertTrue(marks.isEmpty());
        assertFalse(marks.contains(0, Slice.of("key")));
    }
}
