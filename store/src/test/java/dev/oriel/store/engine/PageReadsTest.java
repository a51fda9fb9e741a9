package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.PageReads;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.PageCache;
import dev.oriel.store.memory.MachineMemory;
import dev.oriel.store.model.Model;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Positional reads: when maps are not wanted, not possible, or not reliable.
final class PageReadsTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withDurability(Durability.WRITTEN).withCheckpointBytes(200_000);

    private static final PageReads POSITIONAL = new PageReads(PageReads.Way.POSITIONAL, 1 << 20);

    private static boolean isPositional(Store store) {
        return store.core().dataFile().isPositional();
    }

    @Test
    void mapsThatDoNotShowWhatIsWrittenAreNotUsed() {
        Gen gen = new Gen(Seed.of("PageReadsTest", 1));
        work(gen, new SimDirectory().staleMaps(), OPTIONS, true);
    }

    @Test
    void mapsThatCannotBeMadeAreNotUsed() {
        Gen gen = new Gen(Seed.of("PageReadsTest", 2));
        StepDirectory directory = new StepDirectory(new SimDirectory());
        directory.onStep((verb, name) -> {
            if (verb.equals("map")) {
                throw new IOException("no maps on this file system");
            }
        });
        work(gen, directory, OPTIONS, true);
    }

    @Test
    void mapsThatAreNotWantedAreNotMade() {
        Gen gen = new Gen(Seed.of("PageReadsTest", 3));
        StepDirectory directory = new StepDirectory(new SimDirectory());
        directory.onStep((verb, name) -> assertFalse(verb.equals("map"), "a map was made"));
        work(gen, directory, OPTIONS.withPageReads(POSITIONAL), true);
    }

    @Test
    void aFileThatDoesNotFitBesideTheHeapIsNotMapped() {
        long gigabyte = 1L << 30;
        assertTrue(PageReads.fits(3 * gigabyte, 4 * gigabyte, gigabyte));
        assertFalse(PageReads.fits(3 * gigabyte + 1, 4 * gigabyte, gigabyte));
        assertTrue(PageReads.fits(2 * gigabyte, 4 * gigabyte, 4 * gigabyte));
        assertTrue(PageReads.fits(gigabyte << 20, Long.MAX_VALUE, gigabyte));

        PageReads usual = PageReads.usual();
        long memory = MachineMemory.bytes();
        assertTrue(memory >= Runtime.getRuntime().maxMemory() / 2, () -> "memory=" + memory);
        assertFalse(usual.isPositional(memory / 4));
        assertTrue(usual.isPositional(memory + 1));
    }

    @Test
    void mapsAreUsedWhereTheyAreRight() {
        Gen gen = new Gen(Seed.of("PageReadsTest", 4));
        PageReads mapped = new PageReads(PageReads.Way.MAPPED, 1 << 20);
        work(gen, new SimDirectory(), OPTIONS.withPageReads(mapped), false);
    }

    /// Opens, changes, checkpoints, compacts and closes, with long-lived readers, against a model.
    private static void work(
            Gen gen, Directory directory, StoreOptions options, boolean positional) {
        Model model = new Model();
        RandomHistory history = new RandomHistory(gen, 200, 1_500);
        for (int session = 0; session < 4; session++) {
            try (Store store = Store.open(directory, options)) {
                assertEquals(positional, isPositional(store));
                List<Transaction> readers = new ArrayList<>();
                List<Model> seen = new ArrayList<>();
                for (int i = 0; i < 25; i++) {
                    try (Transaction transaction = store.beginWrite()) {
                        Model next = model.copy();
                        history.change(transaction, next, gen.below(60));
                        transaction.commit();
                        model = next;
                    }
                    readers.add(store.beginRead());
                    seen.add(model);
                    if (gen.chance(30)) {
                        store.checkpoint();
                    }
                    if (gen.chance(10)) {
                        store.compact(Progress.NONE);
                    }
                    int any = gen.below(readers.size());
                    seen.remove(any).assertSeenBy(readers.get(any));
                    readers.remove(any).close();
                }
                readers.forEach(Transaction::close);
                assertEquals(List.of(), store.check());
            }
        }
    }

    /// Several readers run while checkpoints write the pages that they read. Sums over transfers between accounts
    /// stay the same, with a cache far smaller than the data.
    @Test
    void readersSeeWholeSnapshotsWhileTheFileIsWritten(@TempDir Path folder) throws Exception {
        int accounts = 12_000;
        SplittableRandom random = Seed.of("PageReadsTest", 5);
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(Durability.ASYNC)
                        .withCheckpointBytes(1 << 16)
                        .withPageReads(POSITIONAL);
        AtomicBoolean done = new AtomicBoolean();
        try (Store store = Store.open(DiskDirectory.open(folder), options);
                ExecutorService threads = Executors.newFixedThreadPool(1)) {
            Tree tree;
            Slice key = Slice.copyOf(new byte[4]);
            Slice value = Slice.copyOf(new byte[100]);
            try (Transaction transaction = store.beginWrite()) {
                tree = transaction.createTree("accounts");
                for (int i = 0; i < accounts; i++) {
                    transaction.put(tree, account(key, i), balance(value, 100));
                }
                transaction.commit();
            }
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 1; i++) {
                readers.add(threads.submit(() -> sums(store, tree, done, accounts * 100L)));
            }
            for (int i = 0; i < 1_500; i++) {
                try (Transaction transaction = store.beginWrite()) {
                    add(transaction, tree, account(key, random.nextInt(accounts)), value, 1);
                    add(transaction, tree, account(key, random.nextInt(accounts)), value, -1);
                    transaction.commit();
                }
                if (i % 100 == 0) {
                    store.checkpoint();
                }
            }
            done.set(true);
            for (Future<Integer> reader : readers) {
                assertTrue(reader.get() > 0);
            }
            StoreStats stats = store.stats();
            assertTrue(stats.checkpoints() >= 15, () -> "" + stats);
            assertEquals(List.of(), store.check());
        }
    }

    private static int sums(Store store, Tree tree, AtomicBoolean done, long expected) {
        int scans = 0;
        Slice value = new Slice();
        while (!done.get() || scans == 0) {
            try (Transaction transaction = store.beginRead()) {
                Cursor cursor = transaction.cursor(tree);
                long sum = 0;
                for (boolean more = cursor.first(); more; more = cursor.next()) {
                    cursor.value(value);
                    sum += value.segment().get(Page.LONG, value.offset());
                }
                assertEquals(expected, sum);
            }
            scans++;
        }
        return scans;
    }

    private static Slice account(Slice key, int number) {
        key.segment().set(Page.INT, 0, Integer.reverseBytes(number));
        return key;
    }

    private static Slice balance(Slice value, long amount) {
        value.segment().set(Page.LONG, 0, amount);
        return value;
    }

    private static void add(
            Transaction transaction, Tree tree, Slice key, Slice value, long amount) {
        Slice found = new Slice();
        assertTrue(transaction.get(tree, key, found));
        long before = found.segment().get(Page.LONG, found.offset());
        transaction.put(tree, key, balance(value, before + amount));
    }

    @Test
    void damageIsFoundWithoutMapsToo() throws IOException {
        SimDirectory directory = new SimDirectory();
        StoreOptions options = OPTIONS.withPageReads(POSITIONAL);
        long root;
        try (Store store = Store.open(directory, options)) {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.createTree("t");
                root = tree.root();
                transaction.put(tree, Slice.of("key"), Slice.of("value"));
                transaction.commit();
            }
        }
        directory.flipBit(DataFile.NAME, (root << Page.SHIFT) * 8 + 60_000);
        try (Store store = Store.open(directory, options);
                Transaction transaction = store.beginRead()) {
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            CorruptionException damage =
                    assertThrows(
                            CorruptionException.class,
                            () -> transaction.get(tree, Slice.of("key"), new Slice()));
            assertTrue(String.valueOf(damage.getMessage()).contains("page=" + root));
        }
    }

    @Test
    void cacheHoldsNoMoreThanItMay() {
        PageCache cache = new PageCache(1 << 20);
        MemorySegment bytes = Arena.ofAuto().allocate(Page.BYTES);
        for (long page = 0; page < 10_000; page++) {
            cache.put(page, bytes);
            assertEquals(bytes, cache.get(page));
        }
        int kept = 0;
        for (long page = 0; page < 10_000; page++) {
            kept += cache.get(page) == null ? 0 : 1;
        }
        assertTrue(kept > 64 && kept <= 128, kept + " pages");
        cache.forget(0, 10_000);
        for (long page = 0; page < 10_000; page++) {
            assertEquals(null, cache.get(page));
        }
    }
}
