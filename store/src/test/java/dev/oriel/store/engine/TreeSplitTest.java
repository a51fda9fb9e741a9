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
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Splits and merges that leave cells in place, with keys and values of all kinds; and their amount of log.
final class TreeSplitTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final Store store = check.closing(Store.inMemory(StoreOptions.defaults()));
    private final NavigableMap<String, String> model = new TreeMap<>();

    /// Grows and shrinks a tree by commits of any size, with [Check] after each.
    private void run(int number, Function<Gen, String> keys, Function<Gen, String> values) {
        check.also("store", store::check);
        Gen gen = new Gen(Seed.of("TreeSplitTest", number));
        Tree tree;
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            transaction.commit();
        }
        for (int round = 0; round < 60; round++) {
            int growing = round % 5 < 3 ? 85 : 15;
            try (Transaction transaction = store.beginWrite()) {
                for (int i = gen.below(1200); i >= 0; i--) {
                    step(gen, transaction, tree, keys.apply(gen), values, gen.chance(growing));
                }
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
            try (Transaction reader = store.beginRead()) {
                assertModel(reader);
            }
        }
        deleteRest(gen, tree);
    }

    private void step(
            Gen gen,
            Transaction transaction,
            Tree tree,
            String key,
            Function<Gen, String> values,
            boolean grow) {
        String near = model.ceilingKey(key);
        if (grow) {
            String target = near != null && gen.chance(15) ? near : key;
            String value = values.apply(gen);
            transaction.put(tree, Model.slice(target), Model.slice(value));
            model.put(target, value);
        } else if (near != null) {
            assertTrue(transaction.delete(tree, Model.slice(near)));
            model.remove(near);
        }
    }

    private void assertModel(Transaction transaction) {
        Model expected = new Model();
        expected.trees.put("t", model);
        expected.assertSeenBy(transaction);
    }

    private void deleteRest(Gen gen, Tree tree) {
        List<String> order = new ArrayList<>(model.keySet());
        gen.shuffle(order);
        while (!order.isEmpty()) {
            try (Transaction transaction = store.beginWrite()) {
                List<String> some = order.subList(0, Math.min(order.size(), 300));
                for (String key : some) {
                    assertTrue(transaction.delete(tree, Model.slice(key)));
                    model.remove(key);
                }
                some.clear();
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
        }
        try (Transaction reader = store.beginRead()) {
            assertModel(reader);
        }
    }

    private static Function<Gen, String> texts(int bytesMax) {
        return gen -> Character.toString('a' + gen.below(26)).repeat(gen.below(bytesMax));
    }

    @Test
    void entriesOfOneSize() {
        run(1, gen -> "%09d".formatted(gen.below(1_000_000_000)), gen -> "v".repeat(150));
    }

    @Test
    void valuesOfVeryDifferentSizes() {
        run(
                2,
                gen -> "%06d".formatted(gen.below(1_000_000)),
                gen -> "v".repeat(gen.chance(20) ? gen.below(1980) : gen.below(60)));
    }

    @Test
    void valuesThatOverflow() {
        run(
                3,
                gen -> "key %05d".formatted(gen.below(100_000)),
                gen -> "v".repeat(gen.chance(40) ? 1900 + gen.below(9000) : gen.below(300)));
    }

    @Test
    void keysWithLongCommonPrefixes() {
        run(
                4,
                gen -> "x".repeat(gen.below(3) * 300) + "y" + gen.below(2000) * 7919 % 2000,
                texts(200));
    }

    /// Keys of three letters, so that separators have any length up to a key's.
    @Test
    void fencesOfManyLengths() {
        run(
                5,
                gen -> {
                    StringBuilder key = new StringBuilder();
                    for (int i = gen.below(gen.chance(10) ? 900 : 25); i > 0; i--) {
                        key.append((char) ('a' + (gen.chance(80) ? 0 : gen.below(3))));
                    }
                    return key.toString();
                },
                texts(120));
    }

    @Test
    void manySmallEntries() {
        run(6, gen -> Integer.toString(gen.below(20_000), 36), texts(4));
    }

    /// Most entries go to the beginning or the end of the tree.
    @Test
    void splitsAtBothEnds() {
        int[] ends = {500_000, 500_000};
        run(
                7,
                gen -> {
                    boolean end = gen.chance(50);
                    int number = end ? ++ends[1] : --ends[0];
                    return "%06d".formatted(gen.chance(10) ? gen.below(1_000_000) : number);
                },
                texts(400));
    }

    /// Bounds the log: the entries themselves, the slots that they shift, and the pages added by splits.
    @Test
    void randomInsertsChangeLittleMoreThanTheyAdd() {
        Gen gen = new Gen(Seed.of("TreeSplitTest", 8));
        int entries = 50_000;
        try (Store logged = Store.open(new SimDirectory(), StoreOptions.defaults())) {
            Tree tree;
            try (Transaction transaction = logged.beginWrite()) {
                tree = transaction.createTree("t");
                transaction.commit();
            }
            long before = logged.stats().logBytesWritten();
            Slice key = Slice.copyOf(new byte[8]);
            byte[] value = new byte[150];
            for (int i = 0; i < entries; i += 500) {
                try (Transaction transaction = logged.beginWrite()) {
                    for (int j = 0; j < 500; j++) {
                        key.segment().set(Slice.LONG_BE, 0, gen.random().nextLong());
                        gen.random().nextBytes(value);
                        transaction.put(tree, key, Slice.copyOf(value));
                    }
                    transaction.commit();
                }
            }
            long bytes = (logged.stats().logBytesWritten() - before) / entries;
            System.out.println("log bytes per random insert: " + bytes);
            assertTrue(bytes < 650, () -> "log bytes per insert " + bytes);
        }
    }
}
