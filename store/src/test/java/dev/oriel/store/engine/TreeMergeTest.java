package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Trees that shrink: pages are merged and freed, and cursors in them find their way on.
final class TreeMergeTest {
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

    private void delete(Transaction transaction, Tree tree, String key) {
        assertEquals(
                model.remove(key) != null, transaction.delete(tree, Model.slice(key)), () -> key);
    }

    private void assertModel(Transaction transaction) {
        Model expected = new Model();
        expected.trees.put("t", model);
        expected.assertSeenBy(transaction);
    }

    private Tree filled(int count) {
        Tree tree = create();
        try (Transaction transaction = store.beginExclusive()) {
            for (int i = 0; i < count; i++) {
                put(transaction, tree, "key %07d".formatted(i), "v".repeat(100 + i % 57));
            }
            transaction.commit();
        }
        return tree;
    }

    private void deleteAll(Tree tree, List<String> order) {
        long before = pagesInUse();
        try (Transaction transaction = store.beginExclusive()) {
            for (String key : order) {
                delete(transaction, tree, key);
            }
            transaction.commit();
        }
        try (Transaction reader = store.beginRead()) {
            TreeShape shape = TreeShape.of(reader, tree);
            assertEquals(1, shape.leaves, shape::toString);
            assertEquals(0, shape.branches, shape::toString);
        }
        assertTrue(before > 100);
        assertEquals(5, pagesInUse(), "headers, catalog, free map, root");
    }

    private long pagesInUse() {
        return store.stats().pages() - store.stats().freePages();
    }

    @Test
    void treeEmptiedInOrderGivesItsPagesBack() {
        Tree tree = filled(20_000);
        deleteAll(tree, new ArrayList<>(model.keySet()));
    }

    @Test
    void treeEmptiedBackwardsGivesItsPagesBack() {
        Tree tree = filled(20_000);
        deleteAll(tree, new ArrayList<>(model.descendingKeySet()));
    }

    @Test
    void treeEmptiedAtRandomGivesItsPagesBack() {
        Tree tree = filled(20_000);
        List<String> order = new ArrayList<>(model.keySet());
        new Gen(Seed.of("TreeMergeTest", 1)).shuffle(order);
        deleteAll(tree, order);
    }

    @Test
    void treeThatLostMostEntriesAtRandomIsStillWellFilled() {
        Tree tree = filled(30_000);
        List<String> order = new ArrayList<>(model.keySet());
        new Gen(Seed.of("TreeMergeTest", 2)).shuffle(order);
        try (Transaction transaction = store.beginExclusive()) {
            for (String key : order.subList(0, 27_000)) {
                delete(transaction, tree, key);
            }
            TreeShape shape = TreeShape.of(transaction, tree);
            System.out.println("after random deletes: " + shape);
            assertEquals(0, shape.emptyLeaves);
            assertTrue(shape.fill() > 0.4, shape::toString);
            assertModel(transaction);
            transaction.commit();
        }
    }

    /// A queue: entries are appended at one end and taken from the other.
    @Test
    void queueKeepsItsSize() {
        Tree tree = filled(1000);
        long least = pagesInUse();
        for (int round = 1; round <= 30; round++) {
            try (Transaction transaction = store.beginExclusive()) {
                for (int i = 0; i < 500; i++) {
                    String key = "key %07d".formatted(round * 1000 + i);
                    put(transaction, tree, key, "v".repeat(120));
                    delete(transaction, tree, model.firstKey());
                }
                transaction.commit();
            }
            assertTrue(pagesInUse() <= least + 8, () -> "pages " + pagesInUse());
        }
    }

    /// Prefixes differ from page to page and cells are large, so that merges often do not fit.
    @Test
    void treesOfAwkwardKeysGrowAndShrinkLikeTheirModel() {
        Gen gen = new Gen(Seed.of("TreeMergeTest", 3));
        Tree tree = create();
        for (int round = 0; round < 60; round++) {
            boolean grow = round % 3 == 0;
            int keyBytes = gen.chance(30) ? 1000 : 40;
            try (Transaction transaction = store.beginExclusive()) {
                for (int i = 0; i < 400; i++) {
                    step(gen, transaction, tree, grow, keyBytes);
                }
                assertModel(transaction);
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
        }
        deleteRest(gen, tree);
    }

    private void step(Gen gen, Transaction transaction, Tree tree, boolean grow, int keyBytes) {
        String key = awkwardKey(gen, keyBytes);
        if (gen.chance(grow ? 85 : 20)) {
            int length = gen.chance(2) ? 20_000 : gen.chance(20) ? 1900 : gen.below(300);
            put(transaction, tree, key, "v".repeat(length));
        } else {
            String near = model.ceilingKey(key);
            delete(transaction, tree, near == null ? key : near);
        }
    }

    /// Groups of long keys that differ only at their ends. Half of the separators are nearly of maximum length,
    /// so branches hold few of them and trees get deep.
    @Test
    void deepTreesGrowAndShrinkLikeTheirModel() {
        Gen gen = new Gen(Seed.of("TreeMergeTest", 7));
        Tree tree = create();
        int deepest = 0;
        for (int round = 0; round < 24; round++) {
            int growing = round % 4 < 2 ? 80 : 15;
            NavigableMap<String, String> before = new TreeMap<>(model);
            try (Transaction transaction = store.beginExclusive()) {
                Transaction.Savepoint savepoint = transaction.savepoint();
                for (int i = 0; i < 500; i++) {
                    stepDeep(gen, transaction, tree, growing);
                }
                deepest = Math.max(deepest, TreeShape.of(transaction, tree).levels);
                assertModel(transaction);
                if (gen.chance(20)) {
                    transaction.rollbackTo(savepoint);
                    model.clear();
                    model.putAll(before);
                    assertModel(transaction);
                }
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
        }
        assertTrue(deepest >= 3, "levels " + deepest);
        deleteRest(gen, tree);
    }

    private void stepDeep(Gen gen, Transaction transaction, Tree tree, int growing) {
        String group = "%03d".formatted(gen.below(400)) + "x".repeat(900);
        String key = group + "%03d".formatted(gen.below(60));
        if (gen.chance(growing)) {
            put(transaction, tree, key, "v".repeat(gen.below(1000)));
        } else if (gen.chance(3)) {
            NavigableMap<String, String> part = model.subMap(key, true, group + "\u00ff", false);
            int size = part.size();
            assertEquals(
                    size,
                    transaction.deleteRange(tree, Model.slice(key), Model.slice(group + "\u00ff")));
            part.clear();
        } else {
            String near = model.ceilingKey(key);
            delete(transaction, tree, near == null ? key : near);
        }
    }

    private void deleteRest(Gen gen, Tree tree) {
        List<String> order = new ArrayList<>(model.keySet());
        gen.shuffle(order);
        try (Transaction transaction = store.beginExclusive()) {
            for (String key : order) {
                delete(transaction, tree, key);
            }
            TreeShape shape = TreeShape.of(transaction, tree);
            assertEquals(1, shape.leaves, shape::toString);
            transaction.commit();
        }
    }

    private static String awkwardKey(Gen gen, int keyBytes) {
        String stem = "x".repeat(gen.below(4) * (keyBytes / 4));
        String key = stem + Model.text(Slice.copyOf(gen.bytes(keyBytes)));
        return key.substring(0, Math.min(key.length(), keyBytes));
    }

    @Test
    void cursorDeletesWhatItStandsOnForwards() {
        Tree tree = filled(5000);
        Gen gen = new Gen(Seed.of("TreeMergeTest", 4));
        try (Transaction transaction = store.beginExclusive()) {
            Cursor cursor = transaction.cursor(tree);
            Slice slice = new Slice();
            boolean more = cursor.first();
            String at = model.firstKey();
            while (more) {
                cursor.key(slice);
                assertEquals(at, Model.text(slice));
                if (gen.chance(95)) {
                    delete(transaction, tree, at);
                }
                more = cursor.next();
                at = model.higherKey(at);
                assertEquals(at != null, more);
            }
            assertModel(transaction);
            transaction.commit();
        }
    }

    @Test
    void cursorDeletesAroundItselfBackwards() {
        Tree tree = filled(5000);
        Gen gen = new Gen(Seed.of("TreeMergeTest", 5));
        try (Transaction transaction = store.beginExclusive()) {
            Cursor cursor = transaction.cursor(tree);
            Slice slice = new Slice();
            boolean more = cursor.last();
            String at = model.lastKey();
            while (more) {
                cursor.key(slice);
                assertEquals(at, Model.text(slice));
                for (int i = gen.below(6); i > 0; i--) {
                    String near = gen.chance(50) ? model.floorKey(at) : model.ceilingKey(at);
                    if (near != null) {
                        delete(transaction, tree, near);
                    }
                }
                more = cursor.previous();
                at = model.lowerKey(at);
                assertEquals(at != null, more);
            }
            assertFalse(cursor.previous());
            assertModel(transaction);
            transaction.commit();
        }
    }

    @Test
    void mergesAreUndoneBySavepointsAndRollbacks() {
        Tree tree = filled(3000);
        NavigableMap<String, String> all = new TreeMap<>(model);
        Gen gen = new Gen(Seed.of("TreeMergeTest", 6));
        for (int round = 0; round < 6; round++) {
            try (Transaction transaction = store.beginExclusive()) {
                Transaction.Savepoint savepoint = transaction.savepoint();
                List<String> order = new ArrayList<>(model.keySet());
                gen.shuffle(order);
                order.subList(0, 2900).forEach(key -> delete(transaction, tree, key));
                assertModel(transaction);
                if (gen.chance(50)) {
                    transaction.rollbackTo(savepoint);
                    model.putAll(all);
                    assertModel(transaction);
                    transaction.commit();
                }
            }
            model.putAll(all);
            try (Transaction reader = store.beginRead()) {
                assertModel(reader);
            }
            assertEquals(List.of(), store.check());
        }
    }

    /// An earlier reader still sees pages that have been merged and reused since.
    @Test
    void readerSeesPagesThatHaveBeenMergedSince() {
        Tree tree = filled(4000);
        NavigableMap<String, String> before = new TreeMap<>(model);
        try (Transaction reader = store.beginRead()) {
            for (int round = 0; round < 4; round++) {
                try (Transaction transaction = store.beginExclusive()) {
                    List.copyOf(model.keySet()).forEach(key -> delete(transaction, tree, key));
                    for (int i = 0; i < 4000; i++) {
                        put(
                                transaction,
                                tree,
                                "other %06d".formatted(i * 7 % 4001),
                                "w".repeat(90));
                    }
                    transaction.commit();
                }
            }
            Model expected = new Model();
            expected.trees.put("t", before);
            expected.assertSeenBy(reader);
        }
    }
}
