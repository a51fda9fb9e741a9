package dev.oriel.store.engine;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.Gen;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/// Applies random changes to a transaction and to a model.
final class RandomHistory {
    private static final List<String> TREES = List.of("a", "b", "c");
    private final Gen gen;

    /// Maximum key length: few short keys collide often, many long ones split pages.
    private final int keyBytesMax;

    private final int valueBytesMax;

    RandomHistory(Gen gen, int keyBytesMax, int valueBytesMax) {
        this.gen = gen;
        this.keyBytesMax = keyBytesMax;
        this.valueBytesMax = valueBytesMax;
    }

    String anyTree() {
        return gen.pick(TREES);
    }

    String anyKey() {
        byte[] bytes = gen.chance(50) ? gen.bytes(3) : gen.bytes(keyBytesMax);
        return Model.text(Slice.copyOf(bytes));
    }

    private String anyValue() {
        int length = gen.chance(2) ? gen.below(30_000) : gen.below(valueBytesMax + 1);
        StringBuilder value = new StringBuilder();
        int letter = gen.below(256);
        for (int i = 0; i < length; i++) {
            value.append((char) ((letter + i) & 0xFF));
        }
        return value.toString();
    }

    /// Makes `count` changes, with occasional savepoints, half of them rolled back.
    public void change(Transaction transaction, Model model, int count) {
        for (int i = 0; i < count; i++) {
            if (gen.chance(3)) {
                inSavepoint(transaction, model, gen.below(20));
            } else {
                changeOnce(transaction, model);
            }
        }
    }

    /// Makes `count` changes of entries of one tree, which must exist.
    void changeEntries(Transaction transaction, Model model, String name, int count) {
        NavigableMap<String, String> entries = Objects.requireNonNull(model.trees.get(name));
        Tree tree = Objects.requireNonNull(transaction.tree(name));
        for (int i = 0; i < count; i++) {
            String key = anyKey();
            if (!entries.isEmpty() && gen.chance(40)) {
                String near = entries.ceilingKey(key);
                key = near == null ? entries.firstKey() : near;
            }
            if (gen.chance(35)) {
                if (transaction.delete(tree, Model.slice(key)) != (entries.remove(key) != null)) {
                    throw new AssertionError("delete of a key that does not exist");
                }
            } else {
                String value = anyValue();
                transaction.put(tree, Model.slice(key), Model.slice(value));
                entries.put(key, value);
            }
        }
    }

    private void inSavepoint(Transaction transaction, Model model, int count) {
        Transaction.Savepoint savepoint = transaction.savepoint();
        Model before = model.copy();
        change(transaction, model, count);
        if (gen.chance(50)) {
            transaction.rollbackTo(savepoint);
            model.trees.clear();
            model.trees.putAll(before.trees);
        }
        transaction.release(savepoint);
    }

    private void changeOnce(Transaction transaction, Model model) {
        String name = anyTree();
        NavigableMap<String, String> entries = model.trees.get(name);
        Tree tree = transaction.tree(name);
        if (tree == null || entries == null) {
            transaction.createTree(name);
            model.trees.put(name, new TreeMap<>());
            return;
        }
        String key = anyKey();
        if (!entries.isEmpty() && gen.chance(40)) {
            String near = entries.ceilingKey(key);
            key = near == null ? entries.firstKey() : near;
        }
        Slice slice = Model.slice(key);
        switch (gen.weighted(100, 30, 66, 2, 2)) {
            case 0 -> {
                String value = anyValue();
                transaction.put(tree, slice, Model.slice(value));
                entries.put(key, value);
            }
            case 1 -> {
                String value = anyValue();
                boolean added = transaction.insert(tree, slice, Model.slice(value));
                if (added != (entries.putIfAbsent(key, value) == null)) {
                    throw new AssertionError("insert of a key that exists");
                }
            }
            case 2 -> {
                boolean removed = transaction.delete(tree, slice);
                if (removed != (entries.remove(key) != null)) {
                    throw new AssertionError("delete of a key that does not exist");
                }
            }
            case 3 -> {
                NavigableMap<String, String> part = entries.tailMap(key, true);
                int size = part.size();
                if (transaction.count(tree, slice, null) != size
                        || transaction.deleteRange(tree, slice, null) != size) {
                    throw new AssertionError("deleted range is not that of the model");
                }
                part.clear();
            }
            default -> {
                transaction.dropTree(tree);
                model.trees.remove(name);
            }
        }
    }
}
