package dev.oriel.kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Isolation;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Seed;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class OrderedMapTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private Tables tables;
    private Buckets buckets;

    @BeforeEach
    void open() {
        tables = check.closing(Tables.open(Store.inMemory(StoreOptions.defaults())));
        check.also("tables", tables::check);
        buckets = check.closing(new Buckets(tables, BucketOptions.defaults()));
    }

    @Test
    void longKeysDoWhatATreeMapDoes() {
        SplittableRandom random = Seed.of("OrderedMapTest", 1);
        model(MapKey.longs(), Comparator.naturalOrder(), r -> key(r), random);
    }

    @Test
    void doubleKeysDoWhatATreeMapDoes() {
        SplittableRandom random = Seed.of("OrderedMapTest", 2);
        model(MapKey.doubles(), Comparator.naturalOrder(), r -> key(r) / 3.0 + 0.1, random);
    }

    @Test
    void textKeysAreInTheOrderOfCodePoints() {
        SplittableRandom random = Seed.of("OrderedMapTest", 3);
        Comparator<String> byBytes =
                Comparator.comparing(
                        text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);
        model(MapKey.text(), byBytes, OrderedMapTest::text, random);
    }

    @Test
    void byteKeysAreInTheOrderOfUnsignedBytes() {
        SplittableRandom random = Seed.of("OrderedMapTest", 4);
        model(
                MapKey.bytes(),
                Arrays::compareUnsigned,
                r -> {
                    byte[] key = new byte[r.nextInt(4)];
                    for (int i = 0; i < key.length; i++) {
                        key[i] = new byte[] {0, 1, 2, 127, -128, -1}[r.nextInt(6)];
                    }
                    return key;
                },
                random);
    }

    @Test
    void tuplesAreComparedPartByPart() {
        SplittableRandom random = Seed.of("OrderedMapTest", 5);
        Comparator<MapKey.Pair<Long, String>> order =
                Comparator.<MapKey.Pair<Long, String>, Long>comparing(MapKey.Pair::first)
                        .thenComparing(
                                pair -> pair.second().getBytes(StandardCharsets.UTF_8),
                                Arrays::compareUnsigned);
        model(
                MapKey.longs().then(MapKey.text()),
                order,
                r -> new MapKey.Pair<>((long) r.nextInt(5), text(r)),
                random);
    }

    private static long key(SplittableRandom random) {
        return random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(-20, 20);
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(4); length > 0; length--) {
            int[] some = {0, 1, 'a', 'b', 0xFF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
            text.appendCodePoint(some[random.nextInt(some.length)]);
        }
        return text.toString();
    }

    /// Does random things to a map and to a TreeMap, which must answer alike.
    private <K> void model(
            MapKey<K> keys,
            Comparator<K> order,
            Function<SplittableRandom, K> draw,
            SplittableRandom random) {
        OrderedMap<K, Long> map = buckets.map("model", keys, MapValue.longs());
        NavigableMap<K, Long> model = new TreeMap<>(order);
        for (int i = 0; i < 3_000; i++) {
            K key = draw.apply(random);
            Long value = random.nextLong(100);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> assertEquals(model.put(key, value) == null, map.put(key, value));
                case 3 -> assertEquals(model.putIfAbsent(key, value), map.putIfAbsent(key, value));
                case 4 -> assertEquals(model.replace(key, value), map.replace(key, value));
                case 5 -> assertEquals(model.remove(key), map.remove(key));
                case 6 -> {
                    Long there = model.get(key);
                    Long expected = random.nextBoolean() ? there : Long.valueOf(-1);
                    boolean fits = expected == null ? there == null : expected.equals(there);
                    assertEquals(fits, map.compareAndSet(key, expected, value));
                    if (fits) {
                        model.put(key, value);
                    }
                }
                case 7 -> {
                    assertEquals(model.get(key), map.get(key));
                    assertEquals(model.containsKey(key), map.containsKey(key));
                }
                case 8 -> {
                    same(model.floorEntry(key), map.floor(key), order);
                    same(model.ceilingEntry(key), map.ceiling(key), order);
                    same(model.lowerEntry(key), map.lower(key), order);
                    same(model.higherEntry(key), map.higher(key), order);
                    same(model.firstEntry(), map.first(), order);
                    same(model.lastEntry(), map.last(), order);
                }
                case 9, 10 -> ranges(map, model, key, draw.apply(random), order, random);
                default -> {
                    if (random.nextInt(20) == 0) {
                        K to = draw.apply(random);
                        if (order.compare(key, to) <= 0) {
                            NavigableMap<K, Long> part = model.subMap(key, true, to, false);
                            long removed = part.size();
                            part.clear();
                            MapRange<K> range = MapRange.from(key).andBelow(to);
                            assertEquals(removed, map.deleteRange(range));
                        }
                    }
                }
            }
        }
        ranges(map, model, null, null, order, random);
    }

    private static <K> void ranges(
            OrderedMap<K, Long> map,
            NavigableMap<K, Long> model,
            @Nullable K from,
            @Nullable K to,
            Comparator<K> order,
            SplittableRandom random) {
        NavigableMap<K, Long> part = model;
        MapRange<K> range = MapRange.all();
        if (from != null && to != null && order.compare(from, to) <= 0) {
            boolean first = random.nextBoolean();
            boolean last = random.nextBoolean();
            part = model.subMap(from, first, to, last);
            range = new MapRange<>(from, first, to, last, false);
        }
        assertEquals(part.size(), map.count(range));
        for (boolean descending : new boolean[] {false, true}) {
            List<Map.Entry<K, Long>> seen = new ArrayList<>();
            map.forEach(
                    descending ? range.reversed() : range,
                    (key, value) -> seen.add(Map.entry(key, value)));
            List<Map.Entry<K, Long>> expected =
                    List.copyOf((descending ? part.descendingMap() : part).entrySet());
            assertEquals(expected.size(), seen.size());
            for (int i = 0; i < seen.size(); i++) {
                same(expected.get(i), seen.get(i), order);
            }
        }
    }

    private static <K> void same(
            Map.@Nullable Entry<K, Long> expected,
            Map.@Nullable Entry<K, Long> seen,
            Comparator<K> order) {
        if (expected == null || seen == null) {
            assertEquals(expected, seen);
        } else {
            assertEquals(0, order.compare(expected.getKey(), seen.getKey()));
            assertEquals(expected.getValue(), seen.getValue());
        }
    }

    @Test
    void prefixesHoldWhatBeginsWithThem() {
        OrderedMap<String, byte[]> map = buckets.map("p", MapKey.text(), MapValue.bytes());
        for (String key : List.of("a", "ab", "ab\uFFFF", "abc", "ac", "b", "\uD83D\uDE00x")) {
            map.put(key, new byte[] {1});
        }
        assertEquals(3, map.count(MapRange.prefix("ab")));
        assertEquals(1, map.count(MapRange.prefix("\uD83D\uDE00")));
        assertEquals(7, map.count(MapRange.prefix("")));
        OrderedMap<byte[], byte[]> bytes = buckets.map("b", MapKey.bytes(), MapValue.bytes());
        for (byte[] key : new byte[][] {{-1}, {-1, -1}, {-1, -1, 3}, {5, -1}, {5, -1, 0}, {6}}) {
            bytes.put(key, key);
        }
        assertEquals(2, bytes.count(MapRange.prefix(new byte[] {5, -1})));
        assertEquals(2, bytes.count(MapRange.prefix(new byte[] {-1, -1})));
    }

    @Test
    void uuidsComeBackInTheOrderOfTheirBytes() {
        OrderedMap<UUID, String> map = buckets.map("u", MapKey.uuids(), MapValue.text());
        UUID low = new UUID(1, 2);
        UUID high = new UUID(-1, 2);
        map.put(high, "high");
        map.put(low, "low");
        assertEquals(Map.entry(low, "low"), map.first());
        assertEquals("high", map.get(high));
    }

    @Test
    void aValueIsReadWhereItLies() {
        OrderedMap<Long, byte[]> map = buckets.map("z", MapKey.longs(), MapValue.bytes());
        byte[] value = {7, 8, 9};
        map.put(5L, value);
        byte[] copy = new byte[3];
        assertTrue(
                map.read(
                        5L,
                        (segment, offset, length) -> {
                            for (int i = 0; i < length; i++) {
                                copy[i] = segment.get(ValueLayout.JAVA_BYTE, offset + i);
                            }
                        }));
        assertArrayEquals(value, copy);
        assertFalse(map.read(6L, (segment, offset, length) -> {}));
        OrderedMap<Long, Long> numbers = buckets.map("n", MapKey.longs(), MapValue.longs());
        assertThrows(UsageException.class, () -> numbers.read(1L, (segment, offset, length) -> {}));
    }

    @Test
    void aMapOfATransactionIsThereWithItsCommit() {
        OrderedMap<Long, String> map = buckets.map("m", MapKey.longs(), MapValue.text());
        map.put(1L, "one");
        try (TableTransaction transaction = tables.beginWrite(Isolation.READ_COMMITTED)) {
            OrderedMap<Long, String> inside =
                    buckets.map(joined(transaction), "m", MapKey.longs(), MapValue.text());
            inside.put(2L, "two");
            assertEquals("uno", first(inside.replace(1L, "uno"), inside.get(1L)));
            map.put(3L, "three");
            assertEquals("three", inside.get(3L)); // READ COMMITTED
            assertNull(map.get(2L));
            assertEquals("one", map.get(1L));
            transaction.commit();
        }
        assertEquals(
                Map.of(1L, "uno", 2L, "two", 3L, "three"), map.getAll(List.of(1L, 2L, 3L, 4L)));
    }

    private Joined joined(TableTransaction transaction) {
        return new Joined() {
            @Override
            public TableTransaction rows() {
                return transaction;
            }

            @Override
            public Tables tables() {
                return tables;
            }

            @Override
            public boolean isWithinStatement() {
                return false;
            }

            @Override
            public void keepResults() {} // there are none

            @Override
            public void enter() {} // one thread

            @Override
            public void exit() {}

            @Override
            public void afterCommit(Runnable action) {
                throw new UnsupportedOperationException("Nothing here waits for a commit");
            }
        };
    }

    private static @Nullable String first(@Nullable String before, @Nullable String now) {
        assertEquals("one", before);
        return now;
    }

    @Test
    void loadsAreAllOrNothing() {
        OrderedMap<Long, Long> map = buckets.map("load", MapKey.longs(), MapValue.longs());
        List<Map.Entry<Long, Long>> entries = new ArrayList<>();
        for (long i = 0; i < 5_000; i++) {
            entries.add(Map.entry(i * 7919 % 5_000, i));
        }
        map.load(entries.iterator());
        assertEquals(5_000, map.count(MapRange.all()));
        assertThrows(
                ConstraintException.class,
                () -> map.load(List.of(Map.entry(9_999L, 1L), Map.entry(0L, 1L)).iterator()));
        assertNull(map.get(9_999L));
    }

    @Test
    void noUpdateIsLostBetweenThreads() throws Exception {
        OrderedMap<String, Long> map = buckets.map("c", MapKey.text(), MapValue.longs());
        map.put("n", 0L);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(
                        threads.submit(() -> {
                            for (int done = 0; done < 500; ) {
                                Long there = map.get("n");
                                done +=
                                        map.compareAndSet(
                                                        "n",
                                                        there,
                                                        Objects.requireNonNull(there) + 1)
                                                ? 1
                                                : 0;
                            }
                        }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertEquals(2_000L, map.get("n"));
    }

    @Test
    void aMapOfOtherTypesIsRefused() {
        buckets.map("t", MapKey.longs(), MapValue.text());
        assertThrows(UsageException.class, () -> buckets.map("t", MapKey.text(), MapValue.text()));
        assertThrows(
                UsageException.class, () -> buckets.map("t", MapKey.longs(), MapValue.longs()));
        assertThrows(
                UsageException.class, () -> buckets.map("a b", MapKey.text(), MapValue.text()));
        OrderedMap<Long, String> map = buckets.map("t", MapKey.longs(), MapValue.text());
        assertThrows(UsageException.class, () -> map.put(absent(), "x"));
        assertThrows(UsageException.class, () -> map.put(1L, absent()));
    }

    /// What a caller without null checks may pass.
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T absent() {
        return null;
    }
}
