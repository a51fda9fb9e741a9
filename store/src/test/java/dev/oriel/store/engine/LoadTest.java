package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Entries;
import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Trees whose pages are written straight to the data file.
final class LoadTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    private static NavigableMap<String, String> entries(Gen gen, int count, int valueMax) {
        NavigableMap<String, String> entries = new TreeMap<>();
        while (entries.size() < count) {
            String key = Integer.toString(gen.below(1_000_000_000), 36);
            entries.put(key, "v".repeat(gen.below(valueMax)) + key);
        }
        return entries;
    }

    private static Entries source(NavigableMap<String, String> entries) {
        Iterator<Map.Entry<String, String>> iterator = entries.entrySet().iterator();
        return (key, value) -> {
            if (!iterator.hasNext()) {
                return false;
            }
            Map.Entry<String, String> entry = iterator.next();
            key.setCopy(Model.slice(entry.getKey()));
            value.setCopy(Model.slice(entry.getValue()));
            return true;
        };
    }

    private static void load(
            Transaction transaction, String name, NavigableMap<String, String> entries) {
        Tree there = transaction.tree(name);
        Tree tree = there == null ? transaction.createTree(name) : there;
        assertEquals(entries.size(), transaction.load(tree, source(entries)));
    }

    private static Tree tree(Transaction transaction, String name) {
        return Objects.requireNonNull(transaction.tree(name));
    }

    private static NavigableMap<String, String> entriesOf(Model model, String name) {
        return Objects.requireNonNull(model.trees.get(name));
    }

    private static Model with(Model model, String name, NavigableMap<String, String> entries) {
        Model next = model.copy();
        next.trees.computeIfAbsent(name, absent -> new TreeMap<>()).putAll(entries);
        return next;
    }

    private static void assertHolds(Store store, Model model) {
        try (Transaction transaction = store.beginRead()) {
            model.assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
    }

    @Test
    void loadedEntriesAreThereAndTookNoLog() {
        SimDirectory directory = new SimDirectory();
        Gen gen = new Gen(Seed.of("LoadTest", 1));
        NavigableMap<String, String> entries = entries(gen, 20_000, 200);
        Model model = with(new Model(), "t", entries);
        try (Store store = Store.open(directory, OPTIONS)) {
            try (Transaction transaction = store.beginWrite()) {
                load(transaction, "t", entries);
                model.assertSeenBy(transaction);
                transaction.commit();
            }
            assertHolds(store, model);
            StoreStats stats = store.stats();
            assertTrue(stats.logBytesWritten() < 20_000, () -> "" + stats);
            assertTrue(stats.scratchPages() < 10, () -> "" + stats);
            assertTrue(stats.pages() < 20_000 * 135 / Page.BYTES, () -> "" + stats);
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertHolds(store, model);
        }
    }

    /// Long values, an empty load, one entry; then ordinary changes, in the same transaction and after it.
    @Test
    void loadedTreesAreAsOthers() {
        Gen gen = new Gen(Seed.of("LoadTest", 2));
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        try (Store store = Store.open(directory, OPTIONS)) {
            for (int count : new int[] {0, 1, 2, 300, 2_000}) {
                for (int valueMax : new int[] {1, 3_000, 100_000}) {
                    String name = count + " " + valueMax;
                    NavigableMap<String, String> entries =
                            entries(gen, valueMax > 3_000 ? count / 20 : count, valueMax);
                    model = with(model, name, entries);
                    try (Transaction transaction = store.beginWrite()) {
                        load(transaction, name, entries);
                        Tree tree = tree(transaction, name);
                        transaction.put(tree, Slice.of("more"), Slice.of("later"));
                        transaction.commit();
                    }
                    entriesOf(model, name).put("more", "later");
                }
            }
            assertHolds(store, model);
            store.checkpoint();
            for (NavigableMap<String, String> tree : model.trees.values()) {
                tree.keySet().removeIf(key -> key.hashCode() % 3 > 0);
            }
            try (Transaction transaction = store.beginWrite()) {
                for (String name : model.trees.keySet()) {
                    Tree tree = tree(transaction, name);
                    List<String> gone = new ArrayList<>();
                    Cursor cursor = transaction.cursor(tree);
                    Slice key = new Slice();
                    for (boolean more = cursor.first(); more; more = cursor.next()) {
                        cursor.key(key);
                        gone.add(Model.text(key));
                    }
                    gone.removeAll(entriesOf(model, name).keySet());
                    gone.forEach(one -> transaction.delete(tree, Model.slice(one)));
                }
                transaction.commit();
            }
            assertHolds(store, model);
            store.compact(Progress.NONE);
            assertHolds(store, model);
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertHolds(store, model);
        }
    }

    /// Keys of maximum length, with much in common, so that prefixes and fences fill the pages.
    @Test
    void longKeysAndFencesFitIntoPages() {
        Gen gen = new Gen(Seed.of("LoadTest", 7));
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            Model model = new Model();
            for (int round = 0; round < 12; round++) {
                NavigableMap<String, String> entries = new TreeMap<>();
                String stem = "s".repeat(gen.below(round % 3 == 0 ? 5 : 900));
                for (int i = 0; i < 3_000; i++) {
                    String key =
                            stem + gen.below(5_000) + "k".repeat(gen.below(1 + round % 2 * 90));
                    entries.put(
                            key.substring(0, Math.min(key.length(), Node.KEY_BYTES_MAX)),
                            "v".repeat(gen.chance(5) ? gen.below(4_000) : gen.below(30)));
                }
                model = with(model, "t" + round, entries);
                try (Transaction transaction = store.beginWrite()) {
                    load(transaction, "t" + round, entries);
                    transaction.commit();
                }
                assertHolds(store, model);
            }
            store.compact(Progress.NONE);
            assertHolds(store, model);
        }
    }

    @Test
    void keysThatDoNotAscendAreRefusedAndNothingStays() {
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.createTree("t");
                int[] next = {0};
                int[] keys = {1, 2, 3, 3};
                UsageException refusal =
                        assertThrows(
                                UsageException.class,
                                () ->
                                        transaction.load(
                                                tree,
                                                (key, value) -> {
                                                    key.setCopy(Slice.of("key " + keys[next[0]++]));
                                                    value.setCopy(key);
                                                    return true;
                                                }));
                assertTrue(String.valueOf(refusal.getMessage()).contains("must ascend"));
                assertThrows(UsageException.class, transaction::commit);
            }
            assertHolds(store, new Model());
            Gen gen = new Gen(Seed.of("LoadTest", 3));
            NavigableMap<String, String> entries = entries(gen, 1_000, 100);
            try (Transaction transaction = store.beginWrite()) {
                load(transaction, "t", entries);
                transaction.commit();
            }
            assertHolds(store, with(new Model(), "t", entries));
        }
    }

    /// If pages cannot be loaded the entries are put, one by one.
    @Test
    void loadsIntoMemoryIntoFullTreesAndBehindSavepointsArePuts() {
        Gen gen = new Gen(Seed.of("LoadTest", 4));
        NavigableMap<String, String> first = entries(gen, 500, 100);
        NavigableMap<String, String> second = entries(gen, 500, 100);
        for (Store store :
                List.of(Store.inMemory(OPTIONS), Store.open(new SimDirectory(), OPTIONS))) {
            Model model = with(with(new Model(), "t", first), "t", second);
            try (Transaction transaction = store.beginWrite()) {
                load(transaction, "t", first);
                load(transaction, "t", second);
                Transaction.Savepoint savepoint = transaction.savepoint();
                load(transaction, "other", first);
                transaction.rollbackTo(savepoint);
                transaction.commit();
            }
            assertHolds(store, model);
            try (Transaction transaction = store.beginRead()) {
                assertFalse(transaction.tree("other") != null);
            }
            store.close();
        }
    }

    /// A full disk is reported, and nothing is changed.
    @Test
    void loadThatFindsNoRoomChangesNothing() {
        Gen gen = new Gen(Seed.of("LoadTest", 5));
        NavigableMap<String, String> entries = entries(gen, 15_000, 200);
        SimDirectory directory = new SimDirectory().spaceBytesMax(1_000_000);
        Model model = with(new Model(), "small", entries(gen, 10, 10));
        try (Store store = Store.open(directory, OPTIONS)) {
            try (Transaction transaction = store.beginWrite()) {
                load(transaction, "small", entriesOf(model, "small"));
                transaction.commit();
            }
            long before = store.stats().dataBytes();
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.createTree("t");
                assertThrows(LimitException.class, () -> transaction.load(tree, source(entries)));
            }
            long after = store.stats().dataBytes();
            assertTrue(after <= before + Page.BYTES, () -> before + " became " + after);
            assertHolds(store, model);
            directory.spaceBytesMax(Long.MAX_VALUE);
            try (Transaction transaction = store.beginWrite()) {
                load(transaction, "t", entries);
                transaction.commit();
            }
            model = with(model, "t", entries);
            assertHolds(store, model);
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertHolds(store, model);
        }
    }

    /// The machine crashes in every call of histories with loads, changes of loaded entries, checkpoints and
    /// compactions before and after.
    @Test
    void crashesAtEveryCallFindAllOfALoadOrNothing() {
        SplittableRandom random = Seed.of("LoadTest", 6);
        long crashes = 0;
        while (crashes < Long.getLong("crashes", 10_000) / 10) {
            crashes += new Crashing(random.split()).run();
        }
        System.out.println("crashes beside loads: " + crashes);
    }

    private static final class Crashing {
        private final SplittableRandom random;
        private final SimDirectory directory = new SimDirectory();
        private final List<Model> committed = new ArrayList<>(List.of(new Model()));
        private long synced;
        private long crashes;

        Crashing(SplittableRandom random) {
            this.random = random;
        }

        long run() {
            directory.inEachCall(this::crashHere);
            Gen gen = new Gen(random.split());
            for (int session = 0; session < 2; session++) {
                Store store = open(directory);
                Transaction reader = store.beginRead();
                for (int i = 0; i < 5; i++) {
                    loadOne(store, gen);
                    if (gen.chance(40)) {
                        store.checkpoint();
                    }
                    if (gen.chance(60) && !committed.getLast().trees.isEmpty()) {
                        changeOne(store, gen);
                    }
                    if (gen.chance(20)) {
                        compact(store);
                    }
                    if (gen.chance(40)) {
                        reader.close();
                        reader = store.beginRead();
                    }
                }
                reader.close();
                store.close();
            }
            return crashes;
        }

        private Store open(SimDirectory folder) {
            return new Opening(folder, OPTIONS, random.split(), () -> 0).withoutThreads().open();
        }

        private void loadOne(Store store, Gen gen) {
            String name = "t" + gen.below(4);
            NavigableMap<String, String> entries = entries(gen, gen.below(200), 600);
            Model next = with(committed.getLast(), name, entries);
            try (Transaction transaction = store.beginWrite()) {
                load(transaction, name, entries);
                commit(transaction, next, gen.chance(80));
            }
        }

        private void changeOne(Store store, Gen gen) {
            Model next = committed.getLast().copy();
            String name = next.trees.firstKey();
            try (Transaction transaction = store.beginWrite()) {
                if (gen.chance(30)) {
                    transaction.dropTree(tree(transaction, name));
                    next.trees.remove(name);
                } else {
                    NavigableMap<String, String> changed = entries(gen, 5, 600);
                    entriesOf(next, name).putAll(changed);
                    Tree tree = tree(transaction, name);
                    changed.forEach((key, value) ->
                            transaction.put(tree, Model.slice(key), Model.slice(value)));
                }
                commit(transaction, next, true);
            }
        }

        private void commit(Transaction transaction, Model next, boolean wanted) {
            if (wanted) {
                int expected = committed.size();
                committed.add(next);
                long txid = transaction.commit().txid();
                if (txid < expected) {
                    committed.removeLast(); // nothing had changed
                }
                synced = txid;
            }
        }

        private void compact(Store store) {
            Model same = committed.getLast();
            for (int i = 0; i < 50; i++) {
                committed.add(same);
            }
            store.compact(Progress.NONE);
            synced = store.stats().txid();
            while (committed.size() > synced + 1) {
                committed.removeLast();
            }
        }

        private void crashHere() {
            if (random.nextInt(2) > 0) {
                return;
            }
            CrashProfile profile =
                    random.nextInt(4) == 0
                            ? CrashProfile.PROCESS_KILL
                            : CrashProfile.GARBAGE_SECTOR;
            SimDirectory left = directory.crash(random, profile);
            crashes++;
            if (random.nextInt(4) == 0) {
                SimDirectory next = left.copy().crashAfter(1 + random.nextInt(12));
                try {
                    open(next).close();
                } catch (SimCrash e) {
                    left = next.crash(random, CrashProfile.GARBAGE_SECTOR);
                    crashes++;
                }
            }
            try {
                look(left);
            } catch (Throwable e) {
                throw new AssertionError("in the last call of " + directory.history(), e);
            }
        }

        private void look(SimDirectory left) {
            Model model;
            try (Store store = open(left)) {
                long txid = store.stats().txid();
                assertTrue(txid >= synced, () -> synced + " was acknowledged, found " + txid);
                model = committed.get((int) txid);
                assertHolds(store, model);
                if (random.nextBoolean()) {
                    NavigableMap<String, String> more = entries(new Gen(random), 30, 900);
                    try (Transaction transaction = store.beginWrite()) {
                        load(transaction, "after", more);
                        transaction.commit();
                    }
                    model = with(model, "after", more);
                    assertHolds(store, model);
                }
            }
            try (Store store = open(left)) {
                assertHolds(store, model);
            }
        }
    }
}
