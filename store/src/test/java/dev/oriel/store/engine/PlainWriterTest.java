package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.ClosedException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Writes without explicit transactions.
final class PlainWriterTest {
    private static final long GROWTH_BYTES_MAX = 4 << 20;
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    @TempDir private Path folder;

    private static Tree create(Store store, String name) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree(name);
            transaction.commit();
            return tree;
        }
    }

    private static void assertHolds(Store store, NavigableMap<String, String> entries) {
        Model model = new Model();
        model.trees.put("t", entries);
        try (Transaction transaction = store.beginRead()) {
            model.assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
    }

    /// Applies one change to the writer and to the model.
    private static void change(
            PlainWriter writer, Tree tree, NavigableMap<String, String> entries, Gen gen) {
        String key = Integer.toString(gen.below(3_000), 36);
        String value = "v".repeat(gen.below(200)) + gen.below(1_000);
        Slice keySlice = Model.slice(key);
        Slice valueSlice = Model.slice(value);
        switch (gen.weighted(5, 2, 3, 1)) {
            case 0 -> {
                entries.put(key, value); // first: a crash inside the call may leave it there
                writer.put(tree, keySlice, valueSlice);
            }
            case 1 -> {
                boolean added = entries.putIfAbsent(key, value) == null;
                assertEquals(added, writer.insert(tree, keySlice, valueSlice));
            }
            case 2 -> {
                boolean removed = entries.remove(key) != null;
                assertEquals(removed, writer.delete(tree, keySlice));
            }
            default -> {
                String other = key + "!";
                boolean fails = gen.chance(30);
                if (!fails) {
                    entries.put(key, value);
                    entries.put(other, value);
                }
                try {
                    boolean _ =
                            writer.change(transaction -> {
                                transaction.put(tree, keySlice, valueSlice);
                                transaction.put(tree, Model.slice(other), valueSlice);
                                if (fails) {
                                    throw new IllegalStateException("undone");
                                }
                                return true;
                            });
                } catch (IllegalStateException e) {
                    assertTrue(fails);
                }
            }
        }
        Slice found = new Slice();
        boolean there = writer.get(tree, keySlice, found);
        assertEquals(entries.get(key), there ? Model.text(found) : null);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void changesAreThereAtOnceAndAfterTheClose(Durability durability) {
        Gen gen = new Gen(Seed.of("PlainWriterTest", 1));
        SimDirectory directory = new SimDirectory();
        NavigableMap<String, String> entries = new TreeMap<>();
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = create(store, "t");
            try (PlainWriter writer = store.withoutTransactions(durability)) {
                for (int i = 0; i < 4_000; i++) {
                    change(writer, tree, entries, gen);
                }
                writer.flush();
                assertHolds(store, entries);
            }
            // The store commits writers that are still open.
            PlainWriter left = store.withoutTransactions(durability);
            left.put(tree, Slice.of("last"), Slice.of("one"));
            entries.put("last", "one");
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertHolds(store, entries);
        }
    }

    /// A change without successors is committed, so that others see it.
    @Test
    void aLonelyChangeIsCommittedByItself() {
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            Tree tree = create(store, "t");
            try (PlainWriter writer = store.withoutTransactions(Durability.ASYNC)) {
                for (int i = 0; i < 20; i++) {
                    Slice key = Slice.of("key " + i);
                    writer.put(tree, key, key);
                    Slice found = new Slice();
                    boolean seen = false;
                    while (!seen) {
                        try (Transaction reader = store.beginRead()) {
                            seen = reader.get(tree, key, found);
                        }
                    }
                }
            }
        }
    }

    /// Other writers run transactions meanwhile, and wait only a moment for their turn. Counters reveal lost
    /// changes of either kind.
    @Test
    void othersWriteBesideIt() throws InterruptedException {
        AtomicLong plain = new AtomicLong();
        AtomicBoolean done = new AtomicBoolean();
        int transactions = 300;
        try (Store store = Store.open(new SimDirectory(), OPTIONS);
                PlainWriter writer = store.withoutTransactions(Durability.ASYNC)) {
            Tree tree = create(store, "t");
            Slice key = Slice.of("counter");
            boolean _ = writer.insert(tree, key, number(0));
            Thread thread =
                    new Thread(() -> {
                        do {
                            boolean _ =
                                    writer.change(transaction -> increment(transaction, tree, key));
                            plain.incrementAndGet();
                        } while (!done.get());
                    });
            thread.start();
            for (int i = 0; i < transactions; i++) {
                boolean _ =
                        store.transact(
                                Isolation.SNAPSHOT,
                                transaction -> increment(transaction, tree, key));
            }
            done.set(true);
            thread.join();
            writer.flush();
            try (Transaction reader = store.beginRead()) {
                Slice found = new Slice();
                assertTrue(reader.get(tree, key, found));
                long counted = found.segment().get(Page.LONG, found.offset());
                assertEquals(plain.get() + transactions, counted);
            }
            assertTrue(plain.get() > 0);
        }
    }

    private static Slice number(long value) {
        Slice slice = Slice.copyOf(new byte[8]);
        slice.segment().set(Page.LONG, 0, value);
        return slice;
    }

    private static boolean increment(Transaction transaction, Tree tree, Slice key) {
        Slice found = new Slice();
        assertTrue(transaction.get(tree, key, found));
        long before = found.segment().get(Page.LONG, found.offset());
        transaction.put(tree, key, number(before + 1));
        return true;
    }

    /// jdbm's mode without transactions kept every changed page. Here heap, scratch, log and shadow stay bounded
    /// over millions of changes, with `-Dlong` tens of millions.
    @Test
    void memoryAndFilesStayBoundedOverMillionsOfChanges() throws Exception {
        int rounds = Boolean.getBoolean("long") ? 100 : 4;
        StoreOptions options =
                StoreOptions.defaults().withCheckpointBytes(4 << 20).withDirtyBytesMax(16 << 20);
        SplittableRandom random = Seed.of("PlainWriterTest", 2);
        try (Store store = Store.open(DiskDirectory.open(folder), options);
                PlainWriter writer = store.withoutTransactions(Durability.ASYNC)) {
            Tree tree = create(store, "t");
            Slice key = Slice.copyOf(new byte[8]);
            Slice value = Slice.copyOf(new byte[50]);
            long heapAfterFirst = 0;
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < 300_000; i++) {
                    key.segment().set(Page.LONG, 0, random.nextInt(50_000));
                    value.segment().set(Page.LONG, 0, i);
                    if (random.nextInt(10) == 0) {
                        boolean _ = writer.delete(tree, key);
                    } else {
                        writer.put(tree, key, value);
                    }
                }
                StoreStats stats = store.stats();
                assertTrue(stats.scratchBytes() <= (2 * 16) << 20, () -> "scratch: " + stats);
                assertTrue(stats.logBytes() <= 64 << 20, () -> "log: " + stats);
                assertTrue(stats.fileBytes() <= 160 << 20, () -> "files: " + stats);
                long heap = heapAfterCollection();
                heapAfterFirst = round == 0 ? heap : heapAfterFirst;
                for (int i = 0; i < 20 && heap - heapAfterFirst >= GROWTH_BYTES_MAX; i++) {
                    heap = heapAfterCollection(); // threads of the store may hold some for a moment
                }
                long grown = heap - heapAfterFirst;
                assertTrue(grown < GROWTH_BYTES_MAX, () -> "the heap grew by " + grown);
            }
            assertEquals(List.of(), store.check());
        }
    }

    private static long heapAfterCollection() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void whatTheStoreRefusesChangesNothing() {
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            Tree tree = create(store, "t");
            PlainWriter writer = store.withoutTransactions(Durability.ASYNC);
            writer.put(tree, Slice.of("a"), Slice.of("1"));
            Slice longKey = Slice.copyOf(new byte[Node.KEY_BYTES_MAX + 1]);
            assertThrows(LimitException.class, () -> writer.put(tree, longKey, longKey));
            writer.put(tree, Slice.of("b"), Slice.of("2"));
            assertFalse(writer.insert(tree, Slice.of("b"), Slice.of("3")));
            writer.close();
            writer.close();
            ClosedException closed =
                    assertThrows(
                            ClosedException.class,
                            () -> writer.put(tree, Slice.of("c"), Slice.of("3")));
            assertTrue(String.valueOf(closed.getMessage()).contains("has been closed"));
            assertHolds(store, new TreeMap<>(Map.of("a", "1", "b", "2")));
        }
    }

    private static boolean has(PlainWriter writer, Tree tree, String key) {
        return writer.get(tree, Slice.of(key), new Slice());
    }

    /// Asserts that others can write: the place of the exclusive writer is released.
    private static void assertOthersWrite(Store store) {
        try (Transaction other = store.tryBeginWrite(Isolation.SNAPSHOT, Durability.ASYNC)) {
            assertNotNull(other, "nobody else can write");
        }
    }

    /// Puts until there is no room; returns the number of the first refused put.
    private static int fill(PlainWriter writer, Tree tree, int from) {
        Slice value = Slice.of("v".repeat(900));
        for (int i = from; ; i++) {
            try {
                writer.put(tree, Slice.of("key " + i), value);
            } catch (LimitException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("free space"), e::toString);
                return i;
            }
        }
    }

    /// A refused change changes nothing, also not later, and does not keep others from making room.
    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"WRITTEN", "SYNC"})
    void aFullDiskRefusesAChangeAndNothingElse(Durability durability) {
        SimDirectory directory = new SimDirectory();
        try (Store store = Store.open(directory, OPTIONS);
                PlainWriter writer = store.withoutTransactions(durability)) {
            Tree tree = create(store, "t");
            directory.spaceBytesMax(1_500_000);
            int refused = fill(writer, tree, 0);
            assertFalse(has(writer, tree, "key " + refused));
            assertTrue(has(writer, tree, "key " + (refused - 1)));
            assertOthersWrite(store);
            boolean deleted =
                    store.transact(
                            Isolation.SNAPSHOT,
                            transaction -> transaction.delete(tree, Slice.of("key 0")));
            assertTrue(deleted);
            assertTrue(writer.delete(tree, Slice.of("key 1")));
            directory.spaceBytesMax(Long.MAX_VALUE);
            writer.put(tree, Slice.of("more"), Slice.of("later"));
            assertFalse(has(writer, tree, "key " + refused));
            assertEquals(List.of(), store.check());
        }
    }

    /// The acknowledged changes of one commit are lost, and the next call reports their number. In the end a
    /// change is refused to its caller.
    @Test
    void aFullDiskLosesNoMoreThanItSays() {
        SimDirectory directory = new SimDirectory();
        Store store =
                new Opening(directory, OPTIONS, new SplittableRandom(1), () -> 0)
                        .withoutThreads()
                        .open();
        PlainWriter writer = store.withoutTransactions(Durability.ASYNC);
        Tree tree = create(store, "t");
        directory.spaceBytesMax(9_000_000);
        List<String> kept = new ArrayList<>();
        int lost = 0;
        boolean refused = false;
        for (int i = 0; !refused; i++) {
            String key = "key " + i;
            try {
                writer.put(tree, Slice.of(key), Slice.of("v".repeat(900)));
                kept.add(key);
            } catch (LimitException e) {
                refused = !e.context().startsWith("changes=");
                if (!refused) {
                    int newest = Integer.parseInt(e.context().substring("changes=".length()));
                    kept.subList(kept.size() - newest, kept.size()).clear();
                    lost += newest;
                }
                assertFalse(has(writer, tree, key));
                assertOthersWrite(store);
            }
        }
        assertTrue(kept.size() > 1_000 && lost > 0, "a test of something");
        NavigableMap<String, String> entries = new TreeMap<>();
        kept.forEach(key -> entries.put(key, "v".repeat(900)));
        assertHolds(store, entries);
        assertTrue(writer.delete(tree, Slice.of("key 0")));
        assertOthersWrite(store);
        directory.spaceBytesMax(Long.MAX_VALUE);
        writer.put(tree, Slice.of("more"), Slice.of("later"));
        store.close();
        entries.remove("key 0");
        entries.put("more", "later");
        try (Store again = Store.open(directory, OPTIONS)) {
            assertHolds(again, entries);
        }
    }

    /// The committing thread meets the failure, and survives.
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theNextCallIsToldOfWhatFailedMeanwhile() {
        SimDirectory directory = new SimDirectory();
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = create(store, "t");
            try (PlainWriter writer = store.withoutTransactions(Durability.ASYNC)) {
                directory.spaceBytesMax(1); // the space in use
                Slice value = Slice.of("v".repeat(5_000_000));
                writer.put(tree, Slice.of("large"), value);
                while (has(writer, tree, "large")) {
                    Thread.onSpinWait();
                }
                LimitException told =
                        assertThrows(
                                LimitException.class,
                                () -> writer.put(tree, Slice.of("a"), Slice.of("1")));
                assertEquals("changes=1", told.context());
                assertOthersWrite(store);
                directory.spaceBytesMax(Long.MAX_VALUE);
                NavigableMap<String, String> entries = new TreeMap<>();
                boolean seen = true;
                while (seen) { // until enough found room to share a commit again
                    String key = "key " + entries.size();
                    writer.put(tree, Slice.of(key), Slice.of("v".repeat(50)));
                    entries.put(key, "v".repeat(50));
                    seen = isCommitted(store, tree, key);
                }
                while (!seen) { // by the thread that met the full disk
                    seen = isCommitted(store, tree, entries.lastKey());
                }
                writer.flush();
                assertHolds(store, entries);
            }
        }
    }

    private static boolean isCommitted(Store store, Tree tree, String key) {
        try (Transaction reader = store.beginRead()) {
            return reader.get(tree, Slice.of(key), new Slice());
        }
    }

    /// Returns a store with a tree beside another one whose root is damaged.
    private static SimDirectory damaged() throws NoSuchFileException {
        SimDirectory directory = new SimDirectory();
        long root;
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree bad = create(store, "bad");
            create(store, "good");
            root = bad.root();
            try (Transaction transaction = store.beginWrite()) {
                transaction.put(bad, Slice.of("a"), Slice.of("1"));
                transaction.commit();
            }
        }
        directory.flipBit("data", (root * Page.BYTES + 5_000) * 8);
        return directory;
    }

    private static Tree tree(Store store, String name) {
        try (Transaction reader = store.beginRead()) {
            return Objects.requireNonNull(reader.tree(name));
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void aDamagedTreeCostsNoOther(Durability durability) throws NoSuchFileException {
        SimDirectory directory = damaged();
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree bad = tree(store, "bad");
            Tree good = tree(store, "good");
            PlainWriter writer = store.withoutTransactions(durability);
            Slice one = Slice.of("1");
            assertThrows(CorruptionException.class, () -> writer.put(bad, one, one));
            assertOthersWrite(store);
            writer.put(good, Slice.of("before"), one);
            assertThrows(CorruptionException.class, () -> writer.put(bad, one, one));
            assertThrows(CorruptionException.class, () -> writer.insert(bad, one, one));
            assertThrows(CorruptionException.class, () -> writer.delete(bad, one));
            assertThrows(
                    CorruptionException.class,
                    () -> writer.change(transaction -> transaction.delete(bad, one)));
            writer.put(good, Slice.of("after"), one);
            writer.flush();
            writer.put(good, Slice.of("last"), one);
            writer.close();
        }
        try (Store store = Store.open(directory, OPTIONS);
                PlainWriter writer = store.withoutTransactions(durability)) {
            for (String key : List.of("before", "after", "last")) {
                assertTrue(has(writer, tree(store, "good"), key), key);
            }
        }
    }

    /// Memory runs out in the middle of a change: the uncommitted changes are undone with it, and the caller is
    /// told.
    @Test
    void aChangeThatFailsHalfWaySaysWhatWasLostWithIt() {
        try (Store store =
                        new Opening(new SimDirectory(), OPTIONS, new SplittableRandom(1), () -> 0)
                                .withoutThreads()
                                .open();
                PlainWriter writer = store.withoutTransactions(Durability.ASYNC)) {
            Tree tree = create(store, "t");
            for (int i = 0; i < 3; i++) {
                writer.put(tree, Slice.of("key " + i), Slice.of("1"));
            }
            Slice large = Slice.of("v".repeat(5_000_000));
            NativeMemory.before =
                    _ -> {
                        throw new OutOfMemoryError("planned");
                    };
            StorageException told;
            try {
                told =
                        assertThrows(
                                StorageException.class,
                                () -> writer.put(tree, Slice.of("large"), large));
            } finally {
                NativeMemory.before = null;
            }
            assertEquals("changes=3", told.context());
            assertOthersWrite(store);
            writer.put(tree, Slice.of("key 3"), Slice.of("1"));
            writer.flush();
            assertHolds(store, new TreeMap<>(Map.of("key 3", "1")));
        }
    }

    /// A change refused at once leaves no transaction behind for which others would wait.
    @ParameterizedTest
    @EnumSource(Durability.class)
    void aRefusedChangeKeepsNobodyFromWriting(Durability durability) {
        try (Store store = Store.open(new SimDirectory(), OPTIONS);
                PlainWriter writer = store.withoutTransactions(durability)) {
            Tree tree = create(store, "t");
            Slice longKey = Slice.copyOf(new byte[Node.KEY_BYTES_MAX + 1]);
            assertThrows(LimitException.class, () -> writer.put(tree, longKey, longKey));
            assertOthersWrite(store);
            assertThrows(
                    IllegalStateException.class,
                    () ->
                            writer.change(transaction -> {
                                throw new IllegalStateException("undone");
                            }));
            assertOthersWrite(store);
        }
    }

    /// After any crash, the state is the one after some change, and no change acknowledged in its class is
    /// missing.
    @Test
    void crashesLeaveWhatThereWasAfterSomeChange() {
        SplittableRandom random = Seed.of("PlainWriterTest", 3);
        long crashes = 0;
        while (crashes < Long.getLong("crashes", 10_000) / 20) {
            for (Durability durability : Durability.values()) {
                crashes += new Crashing(random.split(), durability).run();
            }
        }
        System.out.println("crashes without transactions: " + crashes);
    }

    private static final class Crashing {
        private final SplittableRandom random;
        private final Durability durability;
        private final SimDirectory directory = new SimDirectory();

        /// States by the number of the newest change; a commit has one of them.
        private final List<NavigableMap<String, String>> moments = new ArrayList<>();

        private int written;
        private int synced;
        private long crashes;

        Crashing(SplittableRandom random, Durability durability) {
            this.random = random;
            this.durability = durability;
        }

        long run() {
            Gen gen = new Gen(random.split());
            for (int session = 0; session < 2; session++) {
                try (Store store = open(directory)) {
                    Tree tree = session == 0 ? create(store, "t") : tree(store);
                    if (session == 0) {
                        moments.add(new TreeMap<>());
                        directory.inEachCall(this::crashHere);
                    }
                    try (PlainWriter writer = store.withoutTransactions(durability)) {
                        for (int i = 0; i < 120; i++) {
                            NavigableMap<String, String> next = new TreeMap<>(moments.getLast());
                            moments.add(next);
                            change(writer, tree, next, gen);
                            acknowledged(durability);
                            if (gen.chance(10)) {
                                writer.flush();
                                store.checkpoint();
                                acknowledged(Durability.SYNC);
                            }
                        }
                    }
                }
                acknowledged(Durability.SYNC);
            }
            return crashes;
        }

        private static Tree tree(Store store) {
            try (Transaction transaction = store.beginRead()) {
                return Objects.requireNonNull(transaction.tree("t"));
            }
        }

        private void acknowledged(Durability reached) {
            int newest = moments.size() - 1;
            written = reached == Durability.ASYNC ? written : newest;
            synced = reached == Durability.SYNC ? newest : synced;
        }

        private Store open(SimDirectory folder) {
            return new Opening(folder, OPTIONS, random.split(), () -> 0).withoutThreads().open();
        }

        private void crashHere() {
            if (random.nextInt(durability == Durability.ASYNC ? 1 : 8) > 0) {
                return;
            }
            boolean kill = random.nextBoolean();
            CrashProfile profile = kill ? CrashProfile.PROCESS_KILL : CrashProfile.GARBAGE_SECTOR;
            SimDirectory left = directory.crash(random, profile);
            crashes++;
            try (Store store = open(left)) {
                NavigableMap<String, String> found = read(store);
                int least = kill ? written : synced;
                boolean known = false;
                for (int i = moments.size() - 1; i >= least && !known; i--) {
                    known = moments.get(i).equals(found);
                }
                assertTrue(known, () -> found + " was never there, or is older than " + least);
                assertEquals(List.of(), store.check());
            } catch (Throwable e) {
                throw new AssertionError("in the last call of " + directory.history(), e);
            }
        }

        private static NavigableMap<String, String> read(Store store) {
            NavigableMap<String, String> found = new TreeMap<>();
            try (Transaction transaction = store.beginRead()) {
                Cursor cursor = transaction.cursor(tree(store));
                Slice key = new Slice();
                Slice value = new Slice();
                for (boolean more = cursor.first(); more; more = cursor.next()) {
                    cursor.key(key);
                    cursor.value(value);
                    found.put(Model.text(key), Model.text(value));
                }
            }
            return found;
        }
    }
}
