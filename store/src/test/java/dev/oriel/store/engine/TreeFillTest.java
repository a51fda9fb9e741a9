package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The fill of pages after inserts, and the correctness of fingers and splits for any order of keys.
final class TreeFillTest {
    private static final int ENTRIES = 60_000;

    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final Store store = check.closing(Store.inMemory(StoreOptions.defaults()));

    private Tree create(String name) {
        check.also("store", store::check);
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = transaction.createTree(name);
            transaction.commit();
            return tree;
        }
    }

    /// Inserts entries of 8 and 150 bytes, 500 a commit.
    private TreeShape fill(LongUnaryOperator keys) {
        Tree tree = create("t");
        Slice key = Slice.copyOf(new byte[8]);
        Slice value = Slice.copyOf(new byte[150]);
        for (int i = 0; i < ENTRIES; i += 500) {
            try (Transaction transaction = store.beginExclusive()) {
                for (int j = i; j < i + 500; j++) {
                    key.segment().set(Slice.LONG_BE, 0, keys.applyAsLong(j));
                    assertTrue(transaction.insert(tree, key, value));
                }
                transaction.commit();
            }
        }
        try (Transaction reader = store.beginRead()) {
            TreeShape shape = TreeShape.of(reader, tree);
            assertEquals(ENTRIES, shape.entries);
            System.out.println(shape);
            return shape;
        }
    }

    /// Best fill: once the bounds of a full leaf are known, its keys get a prefix and become shorter.
    @Test
    void ascendingKeysFillPages() {
        assertTrue(fill(i -> i).fill() > 0.94);
    }

    @Test
    void descendingKeysFillPages() {
        assertTrue(fill(i -> ENTRIES - i).fill() > 0.94);
    }

    @Test
    void randomKeysFillFourFifths() {
        Gen gen = new Gen(Seed.of("TreeFillTest", 1));
        assertTrue(fill(i -> gen.random().nextLong()).fill() > 0.78);
    }

    /// As orders of many customers: each batch follows the customer's last one.
    @Test
    void runsSideBySideFillPages() {
        assertTrue(fill(i -> (i / 20 % 30) << 40 | (i / 600 * 20 + i % 20)).fill() > 0.85);
    }

    @Test
    void descendingRunsSideBySideFillPages() {
        assertTrue(
                fill(i -> (i / 20 % 30) << 40 | (ENTRIES - i / 600 * 20 - i % 20)).fill() > 0.85);
    }

    /// Ascending and descending runs at any place of three trees in turn, with deletes in between, in savepoints
    /// and rolled back transactions.
    @Test
    void runsAtAnyPlaceLandWhereTheModelHasThem() {
        Gen gen = new Gen(Seed.of("TreeFillTest", 2));
        List<Tree> trees = List.of(create("a"), create("b"), create("c"));
        Model model = new Model();
        trees.forEach(tree -> model.trees.put(tree.name(), new TreeMap<>()));
        for (int round = 0; round < 60; round++) {
            Model next = model.copy();
            try (Transaction transaction = store.beginExclusive()) {
                for (int i = 0; i < 12; i++) {
                    Transaction.Savepoint savepoint = transaction.savepoint();
                    Model before = next.copy();
                    runs(gen, transaction, trees, next);
                    if (gen.chance(25)) {
                        transaction.rollbackTo(savepoint);
                        next.trees.clear();
                        next.trees.putAll(before.trees);
                    }
                    if (gen.chance(50)) {
                        transaction.release(savepoint);
                    }
                }
                next.assertSeenBy(transaction);
                if (gen.chance(75)) {
                    transaction.commit();
                    model.trees.clear();
                    model.trees.putAll(next.trees);
                }
            }
        }
        try (Transaction reader = store.beginRead()) {
            model.assertSeenBy(reader);
        }
    }

    /// Makes up to four runs that alternate entry by entry.
    private static void runs(Gen gen, Transaction transaction, List<Tree> trees, Model model) {
        int count = 1 + gen.below(4);
        Tree[] tree = new Tree[count];
        int[] at = new int[count];
        int[] step = new int[count];
        for (int i = 0; i < count; i++) {
            tree[i] = gen.pick(trees);
            at[i] = 1000 + gen.below(8000);
            step[i] = gen.below(7) - 3;
        }
        for (int length = gen.below(60); length > 0; length--) {
            int i = gen.below(count);
            at[i] += step[i];
            String key = (gen.chance(2) ? "" : "entry ") + at[i];
            NavigableMap<String, String> entries = model.trees.get(tree[i].name());
            if (entries == null || gen.chance(10)) {
                assertEquals(
                        entries != null && entries.remove(key) != null,
                        transaction.delete(tree[i], Model.slice(key)));
            } else {
                String value = "v".repeat(gen.below(gen.chance(10) ? 1900 : 300));
                assertEquals(
                        entries.putIfAbsent(key, value) == null,
                        transaction.insert(tree[i], Model.slice(key), Model.slice(value)));
            }
        }
    }

    /// A value read before lies in a page, perhaps in one that is evened out for the new entry.
    @Test
    void valueOfANeighbourCanBeWrittenUnderAnotherKey() {
        Gen gen = new Gen(Seed.of("TreeFillTest", 3));
        Tree tree = create("t");
        NavigableMap<String, String> entries = new TreeMap<>();
        try (Transaction transaction = store.beginExclusive()) {
            Slice value = new Slice();
            for (int i = 0; i < 4000; i++) {
                String key = "key %06d".formatted(gen.below(1_000_000));
                String near = entries.ceilingKey(key);
                if (near != null && gen.chance(80)) {
                    assertTrue(transaction.get(tree, Model.slice(near), value));
                    transaction.put(tree, Model.slice(key), value);
                    entries.put(key, entries.getOrDefault(near, ""));
                } else {
                    String text = Character.toString('a' + i % 26).repeat(200 + gen.below(300));
                    transaction.put(tree, Model.slice(key), Model.slice(text));
                    entries.put(key, text);
                }
            }
            Model model = new Model();
            model.trees.put("t", entries);
            model.assertSeenBy(transaction);
            transaction.commit();
        }
    }
}
