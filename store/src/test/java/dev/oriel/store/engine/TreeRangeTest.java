package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Ranges of entries: deleted, counted, estimated, split.
final class TreeRangeTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final Store store = check.closing(Store.inMemory(StoreOptions.defaults()));
    private final NavigableMap<String, String> model = new TreeMap<>();

    private Tree create() {
        check.also("store", store::check);
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = transaction.createTree("t");
            transaction.commit();
            return tree;
        }
    }

    private void put(Transaction transaction, Tree tree, String key, String value) {
        transaction.put(tree, Model.slice(key), Model.slice(value));
        model.put(key, value);
    }

    private static @Nullable Slice slice(@Nullable String key) {
        return key == null ? null : Model.slice(key);
    }

    private static String key(int i) {
        return "key %07d".formatted(i);
    }

    private Tree filled(int count) {
        Tree tree = create();
        try (Transaction transaction = store.beginExclusive()) {
            for (int i = 0; i < count; i++) {
                put(transaction, tree, key(i), "v".repeat(i % 500 == 7 ? 30_000 : 100 + i % 57));
            }
            transaction.commit();
        }
        return tree;
    }

    /// Returns the part of the model in a range.
    private NavigableMap<String, String> part(String from, @Nullable String to) {
        if (to != null && from.compareTo(to) >= 0) {
            return new TreeMap<>();
        }
        return to == null ? model.tailMap(from, true) : model.subMap(from, true, to, false);
    }

    private void deleteRange(Transaction transaction, Tree tree, String from, @Nullable String to) {
        NavigableMap<String, String> part = part(from, to);
        int size = part.size();
        assertEquals(size, transaction.deleteRange(tree, Model.slice(from), slice(to)));
        part.clear();
    }

    private void assertModel(Transaction transaction) {
        Model expected = new Model();
        expected.trees.put("t", model);
        expected.assertSeenBy(transaction);
    }

    private long pagesInUse() {
        return store.stats().pages() - store.stats().freePages();
    }

    @Test
    void wholeTreeIsDeletedAsOneRange() {
        Tree tree = filled(60_000);
        assertTrue(pagesInUse() > 1000);
        try (Transaction transaction = store.beginExclusive()) {
            deleteRange(transaction, tree, "", null);
            assertEquals(1, TreeShape.of(transaction, tree).leaves);
            assertEquals(0, transaction.deleteRange(tree, new Slice(), null));
            transaction.commit();
        }
        assertEquals(5, pagesInUse(), "headers, catalog, free map, root");
    }

    @Test
    void rangeInTheMiddleGoesAndItsNeighboursStay() {
        Tree tree = filled(60_000);
        try (Transaction transaction = store.beginExclusive()) {
            deleteRange(transaction, tree, key(1003), key(58_000));
            TreeShape shape = TreeShape.of(transaction, tree);
            assertEquals(0, shape.emptyLeaves, shape::toString);
            assertTrue(shape.fill() > 0.6, shape::toString);
            assertModel(transaction);
            transaction.commit();
        }
        assertTrue(pagesInUse() < 150, () -> "pages " + pagesInUse());
    }

    @Test
    void emptyAndReversedRangesDeleteNothing() {
        Tree tree = filled(500);
        try (Transaction transaction = store.beginExclusive()) {
            deleteRange(transaction, tree, key(9), key(9));
            deleteRange(transaction, tree, key(10), key(9));
            deleteRange(transaction, tree, key(9) + "a", key(9) + "b");
            deleteRange(transaction, tree, "z", null);
            assertModel(transaction);
        }
        try (Transaction reader = store.beginRead()) {
            assertThrows(UsageException.class, () -> reader.deleteRange(tree, new Slice(), null));
        }
    }

    @Test
    void cursorGoesOnBehindADeletedRange() {
        Tree tree = filled(9000);
        try (Transaction transaction = store.beginExclusive()) {
            Cursor cursor = transaction.cursor(tree);
            Slice slice = new Slice();
            assertTrue(cursor.seek(Model.slice(key(4000))));
            deleteRange(transaction, tree, key(3000), key(7000));
            assertTrue(cursor.next());
            cursor.key(slice);
            assertEquals(key(7000), Model.text(slice));
            deleteRange(transaction, tree, key(6000), key(8000));
            assertTrue(cursor.previous());
            cursor.key(slice);
            assertEquals(key(2999), Model.text(slice));
            transaction.commit();
        }
    }

    @Test
    void deletedRangesComeBackWithASavepoint() {
        Tree tree = filled(9000);
        NavigableMap<String, String> all = new TreeMap<>(model);
        try (Transaction transaction = store.beginExclusive()) {
            Transaction.Savepoint outer = transaction.savepoint();
            deleteRange(transaction, tree, key(500), key(2000));
            NavigableMap<String, String> less = new TreeMap<>(model);
            Transaction.Savepoint inner = transaction.savepoint();
            deleteRange(transaction, tree, key(100), null);
            put(transaction, tree, key(777), "new");
            transaction.rollbackTo(inner);
            model.clear();
            model.putAll(less);
            assertModel(transaction);
            transaction.rollbackTo(outer);
            model.putAll(all);
            assertModel(transaction);
            transaction.commit();
        }
        try (Transaction transaction = store.beginExclusive()) {
            deleteRange(transaction, tree, key(1), null);
        }
        model.putAll(all);
        try (Transaction reader = store.beginRead()) {
            assertModel(reader);
        }
    }

    @Test
    void rangesOfAwkwardKeysAreLikeThoseOfTheModel() {
        Gen gen = new Gen(Seed.of("TreeRangeTest", 1));
        Tree tree = create();
        for (int round = 0; round < 80; round++) {
            int keyBytes = round % 20 < 10 ? 30 : 1000;
            try (Transaction transaction = store.beginExclusive()) {
                for (int i = 0; i < 300; i++) {
                    int length = gen.chance(3) ? 20_000 : gen.below(gen.chance(20) ? 1900 : 200);
                    put(transaction, tree, awkwardKey(gen, keyBytes), "v".repeat(length));
                }
                for (int i = 0; i < 10; i++) {
                    assertCounts(gen, transaction, tree, awkwardKey(gen, keyBytes));
                }
                for (int i = gen.below(4); i > 0; i--) {
                    String from = awkwardKey(gen, keyBytes);
                    deleteRange(transaction, tree, from, end(gen, from, keyBytes));
                }
                assertModel(transaction);
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
        }
    }

    private static @Nullable String end(Gen gen, String from, int keyBytes) {
        return gen.chance(5) ? null : gen.chance(50) ? awkwardKey(gen, keyBytes) : from + "\u00ff";
    }

    private void assertCounts(Gen gen, Transaction transaction, Tree tree, String from) {
        String to = end(gen, from, from.length() + 3);
        assertEquals(
                part(from, to).size(),
                transaction.count(tree, Model.slice(from), slice(to)),
                () -> "from " + from + " to " + to);
        assertTrue(transaction.estimate(tree, Model.slice(from), slice(to)) >= 0);
    }

    private static String awkwardKey(Gen gen, int keyBytes) {
        String stem = "x".repeat(gen.below(4) * (keyBytes / 4));
        String key = stem + Model.text(Slice.copyOf(gen.bytes(keyBytes)));
        return key.substring(0, Math.min(key.length(), keyBytes));
    }

    @Test
    void countsAreExactAndEstimatesNear() {
        Gen gen = new Gen(Seed.of("TreeRangeTest", 2));
        Tree tree = create();
        try (Transaction transaction = store.beginExclusive()) {
            for (int i = 0; i < 60_000; i++) {
                String key = "key %09d".formatted(gen.below(1_000_000_000));
                put(transaction, tree, key, "v".repeat(gen.below(100)));
            }
            transaction.commit();
        }
        double worst = 0;
        try (Transaction reader = store.beginRead()) {
            assertEquals(model.size(), reader.count(tree, new Slice(), null));
            for (int i = 0; i < 3000; i++) {
                String from = "key %09d".formatted(gen.below(1_000_000_000));
                long width = 1L << (10 + gen.below(20));
                String to = "key %09d".formatted(Long.parseLong(from.substring(4)) + width);
                long exact = part(from, to).size();
                assertEquals(exact, reader.count(tree, Model.slice(from), slice(to)));
                long estimate = reader.estimate(tree, Model.slice(from), slice(to));
                double wrong = Math.abs(estimate - exact) / (double) Math.max(100, exact);
                worst = Math.max(worst, wrong);
                assertTrue(wrong < 0.5, () -> exact + " estimated as " + estimate);
            }
        }
        System.out.printf("worst estimate %.0f percent wrong%n", worst * 100);
    }

    @Test
    void splitPointsCutATreeIntoPartsOfLikeSize() {
        Tree tree = filled(60_000);
        try (Transaction reader = store.beginRead()) {
            assertEquals(List.of(), reader.splitPoints(tree, 1));
            assertThrows(UsageException.class, () -> reader.splitPoints(tree, 0));
            for (int parts : new int[] {2, 3, 8, 50, 300}) {
                List<byte[]> points = reader.splitPoints(tree, parts);
                assertEquals(parts - 1, points.size());
                String from = "";
                for (int i = 0; i < parts; i++) {
                    String to =
                            i == points.size()
                                    ? null
                                    : new String(points.get(i), StandardCharsets.ISO_8859_1);
                    long count = reader.count(tree, Model.slice(from), slice(to));
                    double mean = 60_000.0 / parts;
                    assertTrue(
                            count > mean * 0.5 && count < mean * 1.6, () -> count + " in a part");
                    from = to == null ? "" : to;
                }
            }
        }
    }

    @Test
    void smallTreeHasFewSplitPoints() {
        Tree tree = filled(6);
        try (Transaction transaction = store.beginExclusive()) {
            assertEquals(List.of(), transaction.splitPoints(tree, 4));
            for (int i = 0; i < 150; i++) {
                put(transaction, tree, key(100 + i), "v".repeat(100));
            }
            int leaves = TreeShape.of(transaction, tree).leaves;
            assertTrue(leaves > 1 && leaves < 5);
            assertEquals(leaves - 1, transaction.splitPoints(tree, 10).size());
        }
    }
}
