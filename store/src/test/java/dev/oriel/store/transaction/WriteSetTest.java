package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.data.PrivatePages;
import dev.oriel.store.delta.Found;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Writes of a transaction are found, removed, and applied to the trees.
final class WriteSetTest {
    private final LayeredModel model = new LayeredModel(3);
    private final WriteSet writeSet = model.writeSet;
    private final Slice value = new Slice();

    private void assertFound(LayeredModel.Layers tree, String key) {
        Optional<String> expected = tree.written.get(key);
        Found found = writeSet.find(tree.root, Model.slice(key), value);
        if (expected == null) {
            assertEquals(Found.NOTHING, found);
        } else if (expected.isEmpty()) {
            assertEquals(Found.DELETED, found);
        } else {
            assertEquals(Found.VALUE, found);
            assertEquals(expected.get(), Model.text(value));
        }
    }

    private void assertEntries() {
        assertEquals(
                model.trees.stream().mapToLong(tree -> tree.written.size()).sum(),
                writeSet.entries());
    }

    /// Makes writes, overwrites, removals and forgetting, at random and in order, over some transactions.
    private void run(Gen gen, int keyBytesMax, int valueBytesMax) {
        for (int transaction = 0; transaction < 30; transaction++) {
            int writes = gen.length(6000);
            for (int i = 0; i < writes; i++) {
                step(gen, keyBytesMax, valueBytesMax, i);
            }
            assertEntries();
            for (LayeredModel.Layers tree : model.trees) {
                tree.written.keySet().forEach(key -> assertFound(tree, key));
            }
            model.apply();
            assertEquals(0, writeSet.entries());
            assertEquals(0, writeSet.bytes());
            model.assertScans(gen.pick(model.trees));
        }
        model.trees.forEach(model::assertScans);
    }

    private void step(Gen gen, int keyBytesMax, int valueBytesMax, int number) {
        LayeredModel.Layers tree = gen.pick(model.trees);
        String key = key(gen, keyBytesMax, number);
        switch (gen.weighted(60, 25, 15)) {
            case 0 -> {
                int length = gen.length(valueBytesMax);
                model.put(tree, key, String.valueOf((char) gen.below(256)).repeat(length));
            }
            case 1 -> model.remove(tree, key);
            default -> model.forget(tree, key);
        }
        assertFound(tree, key);
        assertFound(gen.pick(model.trees), key(gen, keyBytesMax, number));
    }

    private static String key(Gen gen, int keyBytesMax, int number) {
        if (gen.chance(50)) {
            return "in order %06d".formatted(number);
        }
        String key = "x".repeat(gen.below(3) * (keyBytesMax / 3)) + gen.below(500);
        return key.substring(0, Math.min(key.length(), keyBytesMax));
    }

    @Test
    void shortEntriesAreWhatTheModelHas() {
        run(new Gen(Seed.of("WriteSetTest", 1)), 30, 40);
    }

    @Test
    void longKeysAndOverflowingValuesAreWhatTheModelHas() {
        run(new Gen(Seed.of("WriteSetTest", 2)), 1000, 9000);
    }

    @Test
    void greatestKeysAndValuesAroundTheLimitsOfAPageFit() {
        LayeredModel.Layers tree = model.trees.getFirst();
        for (int length = 900; length < 1100; length++) {
            String key = "%04d".formatted(length) + "k".repeat(Node.KEY_BYTES_MAX - 4);
            model.put(tree, key, "v".repeat(length));
            assertFound(tree, key);
        }
        String key = "k".repeat(Node.KEY_BYTES_MAX);
        model.put(tree, key, "long".repeat(1 << 20));
        assertFound(tree, key);
        model.remove(tree, key);
        assertFound(tree, key);
        model.put(tree, key, "");
        assertFound(tree, key);
        model.remove(tree, "");
        assertFound(tree, "");
        model.put(tree, "", "of the empty key");
        assertFound(tree, "");
        model.apply();
        model.assertScans(tree);
    }

    /// Overflow pages are freed with their value.
    @Test
    void valuesThatAreReplacedGiveTheirPagesBack() {
        LayeredModel.Layers tree = model.trees.getFirst();
        for (int i = 0; i < 100; i++) {
            model.put(tree, "key", "v".repeat(100_000 + i));
            model.remove(tree, "key");
            model.put(tree, "other", "w".repeat(50_000));
            model.forget(tree, "other");
        }
        assertEquals(Page.BYTES, writeSet.bytes());
        assertTrue(writeSet.memoryBytes() <= 32L * Page.BYTES, () -> "" + writeSet.memoryBytes());
    }

    @Test
    void clearForgetsAllAndGivesMemoryBack() {
        LayeredModel.Layers tree = model.trees.getFirst();
        long most = (long) PrivatePages.KEPT_PAGES * Page.BYTES;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20_000; i++) {
                writeSet.put(tree.root, Model.slice("key" + i), Model.slice("v".repeat(100)));
            }
            assertTrue(writeSet.memoryBytes() > 10 * most);
            assertTrue(writeSet.bytes() <= writeSet.memoryBytes());
            writeSet.clear();
            assertEquals(most, writeSet.memoryBytes());
            assertEquals(0, writeSet.bytes());
            assertEquals(0, writeSet.entries());
            assertFalse(writeSet.has(tree.root));
            assertFound(tree, "key7");
            writeSet.put(tree.root, Model.slice("key8"), Model.slice("8"));
            assertFound(tree, "key7");
            assertEquals(Found.VALUE, writeSet.find(tree.root, Model.slice("key8"), value));
            assertEquals("8", value.toText());
            assertEquals(1, writeSet.entries());
            writeSet.clear();
        }
    }

    @Test
    void smallWriteSetsTakeOnePageEach() {
        for (int i = 0; i < 1000; i++) {
            WriteSet one = new WriteSet();
            assertEquals(0, one.memoryBytes());
            one.put(7, Model.slice("key"), Model.slice("value"));
            assertEquals(Page.BYTES, one.memoryBytes());
        }
    }

    @Test
    void manyTreesAreKeptApart() {
        WriteSet many = new WriteSet();
        Gen gen = new Gen(Seed.of("WriteSetTest", 3));
        TreeMap<Long, String> expected = new TreeMap<>();
        for (int i = 0; i < 3000; i++) {
            long root = gen.between(5, 500);
            String text = "value " + i;
            many.put(root, Model.slice("key"), Model.slice(text));
            expected.put(root, text);
            if (gen.chance(10)) {
                long dropped = gen.between(5, 500);
                many.forgetTree(dropped);
                expected.remove(dropped);
            }
        }
        for (long root = 0; root < 510; root++) {
            String text = expected.get(root);
            assertEquals(text != null, many.has(root));
            assertEquals(
                    text == null ? Found.NOTHING : Found.VALUE,
                    many.find(root, Model.slice("key"), value));
            if (text != null) {
                assertEquals(text, value.toText());
            }
        }
        assertEquals(expected.size(), many.entries());
        assertEquals((long) expected.size() * Page.BYTES, many.bytes());
    }

    @Test
    void treeThatWasForgottenLeavesNothing() {
        LayeredModel.Layers tree = model.trees.getFirst();
        for (int i = 0; i < 5000; i++) {
            writeSet.put(tree.root, Model.slice("key" + i), Model.slice("v".repeat(i)));
        }
        writeSet.remove(model.trees.getLast().root, Model.slice("a"));
        writeSet.forgetTree(tree.root);
        assertEquals(1, writeSet.entries());
        assertEquals(Page.BYTES, writeSet.bytes());
        assertFound(tree, "key7");
        assertFalse(writeSet.isEmpty());
        writeSet.forget(model.trees.getLast().root, Model.slice("a"));
        assertTrue(writeSet.isEmpty());
    }
}
