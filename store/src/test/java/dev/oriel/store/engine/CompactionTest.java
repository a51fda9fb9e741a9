package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompactionTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withDurability(Durability.WRITTEN);

    private static final int LONG_ONE_OF = 25;

    /// Entries of some 400 bytes, some of 15,000 and more.
    private static void fill(Store store, Model model, String name, int entries) {
        try (Transaction transaction = store.beginWrite()) {
            Tree known = transaction.tree(name);
            Tree tree = known == null ? transaction.createTree(name) : known;
            NavigableMap<String, String> expected = new TreeMap<>();
            model.trees.put(name, expected);
            for (int i = 0; i < entries; i++) {
                expected.put(key(i), put(transaction, tree, i));
            }
            transaction.commit();
        }
    }

    private static String put(Transaction transaction, Tree tree, int i) {
        int times = i % LONG_ONE_OF == 0 ? 1200 : 30;
        String value = "%s %09d".formatted(tree.name(), i).repeat(times);
        transaction.put(tree, Model.slice(key(i)), Model.slice(value));
        return value;
    }

    private static String key(int i) {
        return "key %06d".formatted(i);
    }

    private static NavigableMap<String, String> entries(Model model, String name) {
        NavigableMap<String, String> entries = model.trees.get(name);
        if (entries == null) {
            throw new AssertionError("no entries of " + name);
        }
        return entries;
    }

    private static Tree tree(Transaction transaction, String name) {
        Tree tree = transaction.tree(name);
        if (tree == null) {
            throw new AssertionError("no tree " + name);
        }
        return tree;
    }

    /// Deletes all but every `oneOf`th entry.
    private static void thin(Store store, Model model, String name, int oneOf) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = tree(transaction, name);
            NavigableMap<String, String> entries = entries(model, name);
            int i = 0;
            for (String key : List.copyOf(entries.keySet())) {
                if (i++ % oneOf != 0) {
                    transaction.delete(tree, Model.slice(key));
                    entries.remove(key);
                }
            }
            transaction.commit();
        }
    }

    private static void assertIs(Store store, Model model) {
        try (Transaction transaction = store.beginRead()) {
            model.assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
    }

    @Test
    void fileBecomesAsSmallAsItsDataAndNothingElseChanges() {
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        try (Store store = Store.open(directory, OPTIONS)) {
            fill(store, model, "a", 1);
            fill(store, model, "b", 1); // so both have their roots at the beginning
            fill(store, model, "a", 3000);
            fill(store, model, "b", 3000);
            store.checkpoint();
            thin(store, model, "a", 10);
            try (Transaction transaction = store.beginWrite()) {
                long removed =
                        transaction.deleteRange(tree(transaction, "b"), Model.slice(""), null);
                assertEquals(3000, removed);
                entries(model, "b").clear();
                transaction.commit();
            }
            store.checkpoint();
            StoreStats before = store.stats();
            List<Long> seen = new ArrayList<>();
            store.compact((done, total) -> {
                assertTrue(done <= total);
                seen.add(done);
            });
            StoreStats after = store.stats();
            System.out.println(before + "\n" + after);
            assertTrue(seen.size() >= 3 && seen.getFirst() == 0, seen::toString);
            assertTrue(after.pages() < before.pages() / 2, after::toString);
            assertTrue(after.dataBytes() <= after.pages() * Page.BYTES * 5 / 4 + (64 << 10));
            assertIs(store, model);
            fill(store, model, "c", 1000); // grows again behind the cut
            store.checkpoint();
            assertIs(store, model);
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertIs(store, model);
        }
    }

    @Test
    void readerOfBeforeKeepsTheFileAsLongAsItIsAndSeesWhatItSaw() {
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        try (Store store = Store.open(directory, OPTIONS)) {
            fill(store, model, "a", 2000);
            store.checkpoint();
            thin(store, model, "a", 20);
            store.checkpoint();
            Transaction reader = store.beginRead();
            Model seen = model.copy();
            long before = store.stats().dataBytes();
            store.compact(Progress.NONE);
            long pages = store.stats().pages();
            assertTrue(pages * Page.BYTES < before / 2);
            assertEquals(before, store.stats().dataBytes());
            seen.assertSeenBy(reader);
            fill(store, model, "b", 20); // on pages that the reader knows as others
            store.checkpoint();
            assertEquals(before, store.stats().dataBytes());
            seen.assertSeenBy(reader);
            reader.close();
            store.checkpoint();
            assertTrue(store.stats().dataBytes() < before / 2);
            assertEquals(0, store.stats().scratchPages());
            assertIs(store, model);
        }
    }

    @Test
    void rootsAreMovedWhenNobodyHasTheStoreOpen() {
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        Tree late;
        try (Store store = Store.open(directory, OPTIONS)) {
            fill(store, model, "a", 2000);
            fill(store, model, "late", 300);
            thin(store, model, "a", 51);
            try (Transaction transaction = store.beginRead()) {
                late = tree(transaction, "late");
            }
            store.compact(Progress.NONE);
            assertTrue(store.stats().pages() > late.root());
            assertIs(store, model);
            try (Transaction transaction = store.beginRead()) {
                assertEquals(late, tree(transaction, "late"));
            }
        }
        long before = length(directory);
        assertTrue(before > late.root() * Page.BYTES);
        Store.compact(directory, OPTIONS, Progress.NONE);
        assertTrue(length(directory) < before / 2, () -> length(directory) + " of " + before);
        try (Store store = Store.open(directory, OPTIONS)) {
            assertIs(store, model);
            try (Transaction transaction = store.beginRead()) {
                assertNotEquals(late, tree(transaction, "late"));
            }
        }
    }

    private static long length(SimDirectory directory) {
        try {
            return directory.bytes(DataFile.NAME).length;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Else the file would grow by writes, which may meet a full disk too late, only to be cut again.
    @Test
    void pagesThatAreNoneAnyMoreAreWrittenNowhere() {
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        try (Store store = Store.open(directory, OPTIONS)) {
            fill(store, model, "a", 2000);
            try (Transaction transaction = store.beginWrite()) {
                transaction.dropTree(tree(transaction, "a"));
                model.trees.clear();
                transaction.commit();
            }
            store.compact(Progress.NONE);
            StoreStats stats = store.stats();
            assertTrue(stats.pages() < 8, stats::toString);
            assertEquals(64 << 10, stats.dataBytes());
            assertTrue(stats.shadowBytes() <= 64 << 10, stats::toString);
            assertEquals(0, stats.scratchPages());
            assertIs(store, model);
        }
    }

    @Test
    void nothingIsCreatedWhereThereIsNothingToCompact() {
        SimDirectory directory = new SimDirectory();
        assertThrows(UsageException.class, () -> Store.compact(directory, OPTIONS, Progress.NONE));
        assertEquals(0, directory.operations());
    }

    /// A compaction is the first to give way: an error ends it, and moved pages stay moved.
    @Test
    void compactionThatIsStoppedLeavesASoundStore() {
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        try (Store store = Store.open(directory, OPTIONS)) {
            fill(store, model, "a", 3000);
            thin(store, model, "a", 3);
            int[] calls = {0};
            assertThrows(
                    IllegalStateException.class,
                    () ->
                            store.compact((done, total) -> {
                                if (++calls[0] == 2) {
                                    throw new IllegalStateException("stop");
                                }
                            }));
            assertIs(store, model);
            store.compact(Progress.NONE);
            assertIs(store, model);
        }
    }

    @Test
    void commitsOfAnotherThreadGoOnBetweenTheSteps() throws Exception {
        Model model = new Model();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean done = new AtomicBoolean();
        Gen gen = new Gen(Seed.of("CompactionTest", 92));
        RandomHistory history = new RandomHistory(gen, 60, 900);
        try (Store store = Store.open(new SimDirectory(), OPTIONS.withCheckpointBytes(1 << 20))) {
            fill(store, model, "big", 4000);
            thin(store, model, "big", 3);
            AtomicLong commits = new AtomicLong();
            Thread writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    while (!done.get()) {
                                        try (Transaction transaction = store.beginWrite()) {
                                            history.change(transaction, model, 30);
                                            transaction.commit();
                                        }
                                        commits.incrementAndGet();
                                    }
                                } catch (Throwable e) {
                                    failure.set(e);
                                }
                            });
            long steps = 0;
            for (int i = 0; failure.get() == null && (i < 10 || commits.get() < 20); i++) {
                long[] calls = {0};
                store.compact((moved, total) -> calls[0]++);
                steps += calls[0];
            }
            done.set(true);
            writer.join();
            if (failure.get() != null) {
                throw new AssertionError(failure.get());
            }
            System.out.println(steps + " steps beside " + commits + " commits");
            assertTrue(steps > 20);
            assertIs(store, model);
        }
    }

    /// Readers and a writer go on while the file is compacted and cut, again and again, on a real disk. Touching a
    /// map beyond the end of the file would end the process.
    @Test
    void readersAndAWriterGoOnWhileAMappedFileIsCut(@TempDir Path folder) throws Exception {
        StoreOptions options = OPTIONS.withCheckpointBytes(1 << 20);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean done = new AtomicBoolean();
        int cuts = 0;
        try (Store store = Store.open(DiskDirectory.open(folder), options)) {
            fill(store, new Model(), "still", 1500);
            Model still = new Model();
            fillModel(still, "still", 1500);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    try {
                                        while (!done.get()) {
                                            try (Transaction transaction = store.beginRead()) {
                                                still.assertSeenBy(transaction);
                                            }
                                        }
                                    } catch (Throwable e) {
                                        failure.set(e);
                                    }
                                }));
            }
            Gen gen = new Gen(Seed.of("CompactionTest", 91));
            for (int round = 0; round < 12; round++) {
                String name = "round " + round;
                fill(store, new Model(), name, 500 + gen.below(1500));
                store.checkpoint();
                try (Transaction transaction = store.beginWrite()) {
                    transaction.dropTree(tree(transaction, name));
                    transaction.commit();
                }
                long before = store.stats().dataBytes();
                store.compact(Progress.NONE);
                for (int i = 0; i < 200 && store.stats().dataBytes() == before; i++) {
                    try (Transaction transaction = store.beginWrite()) {
                        Tree tree = tree(transaction, "still");
                        put(transaction, tree, gen.below(1500) / LONG_ONE_OF * LONG_ONE_OF);
                        transaction.commit();
                    }
                    store.checkpoint(); // cuts when the last reader of before has ended
                }
                cuts += store.stats().dataBytes() < before ? 1 : 0;
            }
            done.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            if (failure.get() != null) {
                throw new AssertionError(failure.get());
            }
            assertIs(store, still);
        }
        int times = cuts;
        System.out.println("the file was cut under its readers " + times + " times");
        assertTrue(times > 3, () -> "cut " + times + " times");
    }

    private static void fillModel(Model model, String name, int entries) {
        try (Store store = Store.inMemory(OPTIONS)) {
            fill(store, model, name, entries);
        }
    }
}
