package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores with files that gather entries above the pages: a quiet store, damaged pages, little memory, openings.
final class GatheredFilesTest {
    private static final long WAIT_NANOS = 20_000_000_000L;
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withDurability(Durability.WRITTEN)
                    .withGatheredBytesMax(16 << 20);

    private final SplittableRandom random = Seed.of("GatheredFilesTest", 11);

    /// A store whose entries no thread brings into pages.
    private Store openAlone(SimDirectory directory, StoreOptions options) {
        return new Opening(directory, options, random.split(), System::nanoTime)
                .withoutThreads()
                .open();
    }

    /// The entries of `name` at `from`, `from` + `step` and so on, below `to`, one commit for each hundred.
    private static void put(
            Store store, String name, int from, int to, int step, String value, int repeat) {
        String text = value.repeat(repeat);
        int i = from;
        while (i < to) {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = Objects.requireNonNull(transaction.tree(name));
                for (int n = 0; n < 100 && i < to; n++, i += step) {
                    transaction.put(tree, key(i, to), Slice.of(text));
                }
                transaction.commit();
            }
        }
    }

    /// Keys in no order: 7,919 is a prime.
    private static Slice key(int i, int to) {
        return Slice.of("%08d".formatted((long) i * 7_919 % to));
    }

    private static long create(Store store, String name) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree(name);
            transaction.commit();
            return tree.root();
        }
    }

    private static int count(Transaction transaction, String name, String value) {
        Cursor cursor = transaction.cursor(Objects.requireNonNull(transaction.tree(name)));
        Slice found = new Slice();
        int count = 0;
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            cursor.value(found);
            count += found.toText().startsWith(value) ? 1 : 0;
        }
        return count;
    }

    private static int count(Store store, String name, String value) {
        try (Transaction transaction = store.beginRead()) {
            return count(transaction, name, value);
        }
    }

    private static boolean isGathered(Store store) {
        return !store.core().state().deltas().isEmpty();
    }

    @Test
    void aQuietStoreBringsItsEntriesIntoPages() throws InterruptedException {
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            create(store, "t");
            put(store, "t", 0, 20_000, 1, "a", 20);
            try (Transaction before = store.beginRead()) {
                long end = System.nanoTime() + WAIT_NANOS;
                while (isGathered(store) && System.nanoTime() < end) {
                    Thread.sleep(5);
                }
                assertFalse(isGathered(store));
                assertEquals(20_000, count(before, "t", "a"));
            }
            assertEquals(20_000, count(store, "t", "a"));
            put(store, "t", 0, 20_000, 3, "b", 20);
            assertTrue(isGathered(store), "the next commits gather again");
        }
    }

    /// As in a program that writes a little all the time, and reads much.
    @Test
    void scansBringEntriesIntoPagesBetweenCommits() {
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            create(store, "t");
            create(store, "other");
            put(store, "t", 0, 20_000, 1, "a", 20);
            long end = System.nanoTime() + WAIT_NANOS;
            int commits = 0;
            while (store.stats().gatheredEntries() > 10_000 && System.nanoTime() < end) {
                assertEquals(20_000, count(store, "t", "a"));
                put(store, "other", commits, ++commits, 1, "b", 20);
            }
            assertTrue(store.stats().gatheredEntries() <= 10_000, "scans did not bring them there");
            assertEquals(20_000, count(store, "t", "a"));
            assertTrue(count(store, "other", "b") > 0);
        }
    }

    /// By default.
    @Test
    void onlyAStoreWithManySmallCommitsAtRandomGathers() {
        StoreOptions usual = StoreOptions.defaults().withDurability(Durability.WRITTEN);
        try (Store store = openAlone(new SimDirectory(), usual)) {
            create(store, "t");
            put(store, "t", 0, 1_000, 1, "a", 100);
            assertEquals(0, store.stats().gatheredEntries());
            put(store, "t", 0, 20_000, 1, "b", 100);
            assertTrue(store.stats().gatheredEntries() > 5_000, "entries are gathered");
            assertTrue(store.stats().gatheredBytes() > 100 * 5_000, "with their bytes");
            assertEquals(20_000, count(store, "t", "b"));
        }
        try (Store store = Store.inMemory(usual)) {
            create(store, "t");
            put(store, "t", 0, 20_000, 1, "b", 100);
            assertFalse(isGathered(store));
        }
    }

    /// One of them finds that another has brought all entries into pages while it waited.
    @Test
    void checkpointsAtOnceMeetTheSameEntries() throws Exception {
        StoreOptions options = OPTIONS.withCheckpointBytes(Long.MAX_VALUE / 8);
        try (Store store = Store.open(new SimDirectory(), options);
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            create(store, "t");
            for (int round = 0; round < 300; round++) {
                put(store, "t", 0, 40, 1, "v", 1);
                List<Callable<Void>> all =
                        Collections.nCopies(
                                3,
                                () -> {
                                    store.checkpoint();
                                    return null;
                                });
                for (Future<Void> one : threads.invokeAll(all)) {
                    one.get();
                }
            }
            assertEquals(40, count(store, "t", "v"));
        }
    }

    /// The thread of a checkpoint may be bringing entries into pages then.
    @Test
    void aStoreThatIsClosedDuringACheckpointIsClean() {
        StoreOptions often = OPTIONS.withGatheredBytesMax(64 << 20).withCheckpointBytes(2 << 20);
        for (int round = 0; round < 16; round++) {
            SimDirectory directory = new SimDirectory();
            try (Store store = Store.open(directory, often)) {
                create(store, "t");
                put(store, "t", 0, 16_000 + 1_000 * round, 1, "a", 150);
            }
            try (Store again = Store.open(directory, often)) {
                assertTrue(again.recovery().clean(), "round " + round);
                assertEquals(16_000 + 1_000 * round, count(again, "t", "a"));
            }
        }
    }

    /// A JVM with less memory than the one that wrote.
    @Test
    void anOpeningWithoutMemoryForTheEntriesSaysSo() {
        SimDirectory directory = new SimDirectory();
        StoreOptions options = OPTIONS.withCheckpointBytes(Long.MAX_VALUE / 8);
        Store killed = openAlone(directory, options);
        create(killed, "t");
        put(killed, "t", 0, 20_000, 1, "a", 150);
        SimDirectory files = directory.crash(random, CrashProfile.PROCESS_KILL);
        killed.close();
        NativeMemory.before =
                bytes -> {
                    if (bytes == 1 << 20) {
                        throw new OutOfMemoryError("none is left");
                    }
                };
        try {
            LimitException refused =
                    assertThrows(LimitException.class, () -> openAlone(files, options));
            assertTrue(refused.toString().contains("more gathered entries"), refused::toString);
        } finally {
            NativeMemory.before = null;
        }
        try (Store again = openAlone(files, options)) {
            assertEquals(20_000, count(again, "t", "a"));
        }
    }

    /// Its entries stay above the pages, so the thread must end without them.
    @Test
    void anIdleStoreTriesADamagedPageOnce() throws Exception {
        SimDirectory directory = new SimDirectory();
        long root;
        try (Store store = openAlone(directory, OPTIONS)) {
            root = create(store, "damaged");
            put(store, "damaged", 0, 20, 1, "a", 20);
        }
        directory.flipBit(DataFile.NAME, (root << Page.SHIFT) * 8 + 60_000);
        List<Thread> started = new CopyOnWriteArrayList<>();
        ThreadFactory factory =
                work -> {
                    Thread thread = new Thread(work);
                    started.add(thread);
                    return thread;
                };
        try (Store store =
                new Opening(directory, OPTIONS, random.split(), System::nanoTime)
                        .withThreads(factory)
                        .open()) {
            put(store, "damaged", 0, 20, 2, "b", 20);
            for (Thread thread : started) {
                thread.join(Duration.ofSeconds(20));
                assertFalse(thread.isAlive(), thread.getName());
            }
            assertTrue(isGathered(store));
            CorruptionException first =
                    assertThrows(
                            CorruptionException.class,
                            () -> put(store, "damaged", 0, 20, 20, "c", 20));
            CorruptionException second =
                    assertThrows(
                            CorruptionException.class,
                            () -> put(store, "damaged", 0, 20, 20, "c", 20));
            assertNotSame(first, second);
            assertTrue(first.getCause() instanceof CorruptionException);
        }
    }

    /// Of one leaf, and of the branch above all leaves.
    @ParameterizedTest
    @ValueSource(ints = {20, 20_000})
    void damageOfOneTreeStopsNoOther(int entries) throws IOException {
        SimDirectory directory = new SimDirectory();
        StoreOptions options = OPTIONS.withCheckpointBytes(Long.MAX_VALUE / 8);
        long root;
        try (Store store = openAlone(directory, options)) {
            root = create(store, "damaged");
            create(store, "whole");
            put(store, "damaged", 0, entries, 1, "a", 20);
            put(store, "whole", 0, 20_000, 1, "a", 20);
        }
        directory.flipBit(DataFile.NAME, (root << Page.SHIFT) * 8 + 60_000);
        Store store = openAlone(directory, options);
        put(store, "damaged", 0, entries, 2, "b", 20);
        put(store, "whole", 0, 20_000, 2, "b", 20);
        long behind = store.stats().logBytesBehind();
        store.checkpoint(); // the log has the changed pages now, before the entries that stay
        // above them
        store.checkpoint();
        assertTrue(store.stats().logBytesBehind() < behind, "the log goes");
        put(store, "whole", 1, 20_000, 2, "c", 20);
        assertThrows(
                CorruptionException.class,
                () -> put(store, "damaged", 0, entries, entries, "d", 20));
        assertThrows(CorruptionException.class, () -> store.beginExclusive().close());
        readDamaged(store, entries);
        assertEquals(1, store.check().size(), () -> store.check().toString());

        for (StoreOptions lived :
                List.of(options, options.withGatheredBytesMax(0), options.withReadOnly(true))) {
            SimDirectory killed = directory.crash(random, CrashProfile.PROCESS_KILL);
            try (Store again = openAlone(killed, lived)) {
                readDamaged(again, entries);
                if (!lived.readOnly()) {
                    again.checkpoint();
                    put(again, "whole", 0, 20_000, 2, "e", 20);
                    assertThrows(
                            CorruptionException.class,
                            () -> put(again, "damaged", 0, entries, entries, "d", 20));
                    assertEquals(10_000, count(again, "whole", "e"));
                }
            }
        }
        store.close();
    }

    private static void readDamaged(Store store, int entries) {
        try (Transaction transaction = store.beginRead()) {
            Tree tree = Objects.requireNonNull(transaction.tree("damaged"));
            Slice found = new Slice();
            assertTrue(transaction.get(tree, key(2, entries), found), "it lies above the pages");
            assertEquals("b".repeat(20), found.toText());
            assertThrows(
                    CorruptionException.class,
                    () -> transaction.get(tree, key(1, entries), new Slice()));
        }
        assertEquals(10_000, count(store, "whole", "b"));
    }

    /// Each of 4,500 changed entries has a page of its own, 36 MB of them.
    @Test
    void manyEntriesGoIntoPagesWithinTheirMemory() {
        long dirtyMax = 4 << 20;
        StoreOptions options =
                OPTIONS.withDirtyBytesMax(dirtyMax)
                        .withGatheredBytesMax(256 << 20)
                        .withCheckpointBytes(Long.MAX_VALUE / 8);
        try (Store store = Store.open(new SimDirectory(), options)) {
            create(store, "t");
            put(store, "t", 0, 9_000, 1, "a", 3_000);
            store.checkpoint();
            long before = store.stats().checkpoints();
            put(store, "t", 0, 9_000, 2, "b", 1_000);
            store.beginExclusive().close();
            assertFalse(isGathered(store));
            assertTrue(store.stats().checkpoints() > before, "memory was not enough");
            long bytes = store.stats().scratchBytes();
            assertTrue(bytes < 6 * dirtyMax, () -> "bytes=" + bytes);
            assertEquals(4_500, count(store, "t", "b"));
        }
    }

    /// The log that it needs is copied, never overwritten: a sector that is being written may become garbage.
    @Test
    void crashesOfTheMachineDuringARecoveryLoseNothing() {
        SimDirectory directory = new SimDirectory();
        StoreOptions options =
                OPTIONS.withDurability(Durability.SYNC).withCheckpointBytes(Long.MAX_VALUE / 8);
        Store killed = openAlone(directory, options);
        create(killed, "t");
        put(killed, "t", 0, 6_000, 1, "a", 20);
        SimDirectory files = directory.crash(random, CrashProfile.GARBAGE_SECTOR);
        killed.close();
        AtomicInteger calls = new AtomicInteger();
        files.inEachCall(() -> {
            calls.incrementAndGet();
            for (int outcome = 0; outcome < 10; outcome++) {
                SimDirectory left = files.crash(random, CrashProfile.GARBAGE_SECTOR);
                try (Store again = openAlone(left, options)) {
                    assertEquals(6_000, count(again, "t", "a"), () -> "after call " + calls);
                }
            }
        });
        Store opened = openAlone(files, options);
        assertTrue(isGathered(opened));
        assertTrue(calls.get() > 5, () -> "calls=" + calls);
        opened.close();
    }

    @Test
    void anOpeningLeavesEntriesAboveThePages() {
        SimDirectory directory = new SimDirectory();
        StoreOptions options = OPTIONS.withCheckpointBytes(Long.MAX_VALUE / 8);
        Store killed = openAlone(directory, options);
        create(killed, "t");
        put(killed, "t", 0, 20_000, 1, "a", 20);
        SimDirectory files = directory.crash(random, CrashProfile.PROCESS_KILL);
        killed.close();
        for (int life = 0; life < 3; life++) {
            Store store = openAlone(files, options);
            assertTrue(isGathered(store));
            put(store, "t", 0, 20_000, 1_000, "b", 20);
            files = files.crash(random, CrashProfile.PROCESS_KILL);
            store.close();
        }
        try (Store store = Store.open(files, options.withGatheredBytesMax(0))) {
            assertEquals(20_000 - 20, count(store, "t", "a"));
            put(store, "t", 0, 20_000, 1_000, "c", 20);
            assertFalse(isGathered(store));
            assertEquals(20, count(store, "t", "c"));
            assertEquals(List.of(), store.check());
        }
    }
}
