package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.ConflictException;
import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.checkpoint.SpaceReserve;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Bulk loads: sorted, unsorted, into empty trees and into full ones.
final class BulkTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    /// Little memory, so that some thousand entries make several runs.
    private static final BulkOptions SMALL =
            BulkOptions.defaults().withSortBytesMax(64 << 10).withIdleMillisMax(0);

    private static String anyKey(Gen gen) {
        return Integer.toString(gen.below(1_000_000_000), 36);
    }

    private static String anyValue(Gen gen, int valueMax) {
        return gen.chance(1)
                ? "long ".repeat(4_000) + gen.below(100)
                : "v".repeat(gen.below(valueMax)) + gen.below(1_000_000);
    }

    /// Adds entries to some trees in no order, now and then a key for the second time.
    private static void addAny(Bulk bulk, Model model, Gen gen, int count, int valueMax) {
        List<String> names = List.of("a", "b", "c");
        for (int i = 0; i < count; i++) {
            String name = gen.pick(names);
            Tree tree = bulk.tree(name);
            NavigableMap<String, String> entries =
                    model.trees.computeIfAbsent(name, absent -> new TreeMap<>());
            String key = anyKey(gen);
            if (gen.chance(5) && !entries.isEmpty()) {
                key = Objects.requireNonNullElse(entries.ceilingKey(key), entries.firstKey());
            }
            String value = anyValue(gen, valueMax);
            entries.put(key, value);
            bulk.add(tree, Model.slice(key), Model.slice(value));
        }
    }

    private static void assertHolds(Store store, Model model) {
        try (Transaction transaction = store.beginRead()) {
            model.assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
    }

    @Test
    void unsortedEntriesOfSeveralTreesAreSortedOnTheDisk() {
        Gen gen = new Gen(Seed.of("BulkTest", 1));
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        try (Store store = Store.open(directory, OPTIONS)) {
            for (int round = 0; round < 4; round++) {
                Model next = model.copy();
                try (Bulk bulk = store.bulk(SMALL)) {
                    addAny(bulk, next, gen, 6_000, 150);
                    assertTrue(directory.list().contains("temporary-sort"), "nothing was spilled");
                    bulk.commit();
                }
                model = next;
                assertTrue(directory.list().stream().noneMatch(SpaceReserve::isTemporary));
                assertHolds(store, model);
                if (round % 2 == 0) {
                    store.checkpoint();
                }
            }
            store.compact(Progress.NONE);
            assertHolds(store, model);
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertHolds(store, model);
        }
    }

    /// So many at once that they are sorted by digits: keys that differ late, or not at all, or by their length.
    @Test
    void manyEntriesInMemoryAreSorted() {
        Gen gen = new Gen(Seed.of("BulkTest", 6));
        BulkOptions roomy = BulkOptions.defaults().withSortBytesMax(64 << 20).withIdleMillisMax(0);
        for (int round = 0; round < 8; round++) {
            Model model = new Model();
            try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
                try (Bulk bulk = store.bulk(roomy)) {
                    Tree tree = bulk.tree("t");
                    NavigableMap<String, String> entries =
                            model.trees.computeIfAbsent("t", absent -> new TreeMap<>());
                    for (int i = 0; i < 12_000; i++) {
                        String key =
                                switch (round % 4) {
                                    case 0 -> anyKey(gen);
                                    case 1 -> "the same, long " + gen.below(20_000);
                                    case 2 -> "\0".repeat(gen.below(20)) + gen.below(300);
                                    default -> "%06d".formatted(i / 7 * 5 + gen.below(9));
                                };
                        entries.put(key, "v" + i);
                        bulk.add(tree, Model.slice(key), Slice.of("v" + i));
                    }
                    bulk.commit();
                }
                assertHolds(store, model);
            }
        }
    }

    /// Large loads of empty trees are run by two threads; a refusal in one of them ends the whole load.
    @Test
    void largeTreesAreFilledTwoAtATime() {
        BulkOptions roomy = BulkOptions.defaults().withSortBytesMax(64 << 20).withIdleMillisMax(0);
        Model model = new Model();
        SimDirectory directory = new SimDirectory();
        try (Store store = Store.open(directory, OPTIONS)) {
            for (String twice : List.of("a", "b", "")) {
                try (Bulk bulk = store.bulk(roomy)) {
                    add(bulk, bulk.tree("little"), "key");
                    for (String name : List.of("a", "b", "c")) {
                        addMuch(bulk, name, name.equals("c") ? 1 : 7_919);
                    }
                    if (twice.isEmpty()) {
                        bulk.commit();
                    } else {
                        add(bulk, bulk.tree(twice), muchKey(77));
                        IllegalStateException refusal =
                                assertThrows(IllegalStateException.class, bulk::commit);
                        assertTrue(
                                String.valueOf(refusal.getMessage()).contains(muchKey(77)),
                                () -> "" + refusal);
                    }
                }
                assertEquals(List.of(), store.check());
            }
            model.trees.put("little", new TreeMap<>(Map.of("key", "new")));
            for (String name : List.of("a", "b", "c")) {
                NavigableMap<String, String> entries = new TreeMap<>();
                for (int i = 0; i < MUCH; i++) {
                    entries.put(muchKey(i), MUCH_VALUE);
                }
                model.trees.put(name, entries);
            }
            assertHolds(store, model);
            assertTrue(store.stats().pages() < 4_200, () -> "" + store.stats());
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertHolds(store, model);
        }
    }

    private static final int MUCH = 20_000;
    private static final String MUCH_VALUE = "much ".repeat(90);

    private static String muchKey(int i) {
        return "key %05d".formatted(i);
    }

    private static void addMuch(Bulk bulk, String name, int step) {
        Tree tree = bulk.tree(name);
        Slice value = Slice.of(MUCH_VALUE);
        for (int i = 0; i < MUCH; i++) {
            bulk.add(
                    tree,
                    Slice.of(muchKey((int) ((long) i * step % MUCH))),
                    value,
                    twice -> {
                        throw new IllegalStateException("twice: " + twice.toText());
                    });
        }
    }

    /// Old entries of a tree that are far fewer than the added ones go through the merge too.
    @Test
    void muchIsMergedWithWhatTheTreeHasAndTakesNoLog() {
        Gen gen = new Gen(Seed.of("BulkTest", 2));
        SimDirectory directory = new SimDirectory();
        StoreOptions options = OPTIONS.withDirtyBytesMax(8L << 20);
        Model model = new Model();
        try (Store store = Store.open(directory, options)) {
            for (int round = 0; round < 3; round++) {
                long before = store.stats().logBytesWritten();
                try (Bulk bulk = store.bulk(SMALL)) {
                    addAny(bulk, model, gen, 10_000, 80);
                    bulk.commit();
                }
                long logged = store.stats().logBytesWritten() - before;
                assertTrue(logged < 100_000, () -> logged + " bytes of log");
                assertHolds(store, model);
            }
        }
        try (Store store = Store.open(directory, options)) {
            assertHolds(store, model);
        }
    }

    @Test
    void memoryDatabasesLoadToo() {
        Gen gen = new Gen(Seed.of("BulkTest", 3));
        Model model = new Model();
        try (Store store = Store.inMemory(OPTIONS)) {
            try (Bulk bulk = store.bulk(SMALL)) {
                addAny(bulk, model, gen, 5_000, 100);
                bulk.commit();
            }
            assertHolds(store, model);
        }
    }

    /// Entries beyond the addressable size are refused if they cannot become a run either.
    @Test
    void memoryDatabasesRefuseWhatNoBufferTakes() {
        try (Store store = Store.inMemory(OPTIONS)) {
            try (Bulk bulk =
                    new Bulk(
                            store.transactions(),
                            store.transactions().writers().beginDirect(LockMode.EXCLUSIVE, false),
                            SMALL,
                            4)) {
                Tree tree = bulk.tree("t");
                Slice value = Slice.of("v".repeat(1_000));
                int[] count = {0};
                assertThrows(
                        LimitException.class,
                        () -> {
                            while (count[0] < 10_000) {
                                bulk.add(tree, Slice.of("key " + count[0]++), value);
                            }
                        });
                assertTrue(count[0] > 100, "nothing was taken");
                assertThrows(UsageException.class, bulk::commit);
            }
            try (Transaction transaction = store.beginWrite()) {
                transaction.createTree("t");
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void keysThatComeTwiceAreRefusedWhereTheCallerSaysSo() {
        for (String where : List.of("among the new", "in the tree", "in a tree that is merged")) {
            boolean merged = where.equals("in a tree that is merged");
            StoreOptions options = merged ? OPTIONS.withDirtyBytesMax(1) : OPTIONS;
            try (Store store = Store.open(new SimDirectory(), options)) {
                Model model = new Model();
                model.trees.put("t", new TreeMap<>(Map.of("key 5", "old", "key 7", "old")));
                try (Bulk bulk = store.bulk(SMALL)) {
                    bulk.add(bulk.tree("t"), Slice.of("key 5"), Slice.of("old"));
                    bulk.add(bulk.tree("t"), Slice.of("key 7"), Slice.of("old"));
                    bulk.commit();
                }
                int first = where.equals("among the new") ? 8 : 4;
                try (Bulk bulk = store.bulk(SMALL)) {
                    Tree tree = bulk.tree("t");
                    for (int i = first; i < 10; i++) {
                        add(bulk, tree, "key " + i);
                    }
                    if (first == 8) {
                        add(bulk, tree, "key 9");
                    }
                    IllegalStateException refusal =
                            assertThrows(IllegalStateException.class, bulk::commit);
                    assertTrue(String.valueOf(refusal.getMessage()).startsWith("twice: key "));
                    UsageException broken = assertThrows(UsageException.class, bulk::commit);
                    assertTrue(String.valueOf(broken.getMessage()).contains("close it"));
                }
                assertHolds(store, model);
            }
        }
    }

    private static void add(Bulk bulk, Tree tree, String key) {
        bulk.add(
                tree,
                Slice.of(key),
                Slice.of("new"),
                twice -> {
                    throw new IllegalStateException("twice: " + twice.toText());
                });
    }

    @Test
    void waitsForWritersAndIsSeenToWait() throws InterruptedException {
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            Transaction writer = store.beginWrite();
            Thread loader =
                    new Thread(() -> {
                        try (Bulk bulk = store.bulk(SMALL)) {
                            bulk.tree("t");
                            bulk.commit();
                        }
                    });
            loader.start();
            while (store.lockWaits().isEmpty()) {
                Thread.onSpinWait();
            }
            assertEquals(List.of(writer.writer()), store.lockWaits().getFirst().blockers());
            writer.close();
            loader.join();
            try (Transaction reader = store.beginRead()) {
                assertTrue(reader.tree("t") != null);
            }
        }
    }

    /// A writer holds a lock that the load waits for, and then wants the one that the load holds.
    @Test
    void isANodeOfTheGraphOfDeadlocks() throws InterruptedException {
        try (Store store = Store.open(new SimDirectory(), OPTIONS)) {
            try (Transaction first = store.beginExclusive()) {
                first.createTree("t");
                first.commit();
            }
            Transaction one = store.beginWrite();
            Tree tree = Objects.requireNonNull(one.tree("t"));
            Slice key = Slice.of("key");
            one.lock(tree, key, LockMode.EXCLUSIVE, new Wait(Wait.Kind.NOWAIT, 0));
            Transaction two = store.beginWrite();
            Thread waiting =
                    new Thread(() -> {
                        try (two) { // waits for the key, inside its share of the writers'
                            // lock
                            two.lock(
                                    tree,
                                    key,
                                    LockMode.EXCLUSIVE,
                                    new Wait(Wait.Kind.WAIT, 60_000));
                        }
                    });
            waiting.start();
            while (store.lockWaits().isEmpty()) {
                Thread.onSpinWait();
            }
            // `one` wants to be the only writer and waits for `two`, which waits for `one`.
            ConflictException deadlock = assertThrows(ConflictException.class, one::exclusive);
            assertEquals(ConflictException.Reason.DEADLOCK, deadlock.reason());
            one.close();
            waiting.join();
            store.bulk(SMALL).close();
        }
    }

    /// The clock is simulated, so that the load is idle only when it is meant to be.
    @Test
    void idleLoadIsRolledBackAndSaysSo() {
        AtomicLong nanos = new AtomicLong();
        SplittableRandom random = new SplittableRandom(1);
        try (Store store = new Opening(new SimDirectory(), OPTIONS, random, nanos::get).open()) {
            Bulk bulk = store.bulk(SMALL.withIdleMillisMax(20));
            Tree tree = bulk.tree("t");
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(21));
            try (Transaction writer = store.beginWrite()) { // waits until it is gone
                assertEquals(null, writer.tree("t"));
            }
            LimitException idle =
                    assertThrows(
                            LimitException.class,
                            () -> bulk.add(tree, Slice.of("key"), Slice.of("value")));
            assertTrue(String.valueOf(idle.getMessage()).contains("idle"), () -> "" + idle);
            bulk.close();
            assertEquals(List.of(), store.check());
        }
    }

    /// Calls keep it alive, however long it takes in all. The clock is simulated.
    @Test
    void loadThatIsCalledIsNotIdle() {
        AtomicLong nanos = new AtomicLong();
        try (Store store =
                new Opening(new SimDirectory(), OPTIONS, new SplittableRandom(1), nanos::get)
                        .open()) {
            try (Bulk bulk = store.bulk(SMALL.withIdleMillisMax(5))) {
                Tree tree = bulk.tree("t");
                for (int i = 0; i < 100; i++) {
                    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(4));
                    bulk.add(tree, Slice.of("key " + i), Slice.of("value"));
                }
                bulk.commit();
            }
            assertEquals(List.of(), store.check());
        }
    }

    /// The disk is full from the n-th call on, for each n: the load is refused, old entries stay, and with room
    /// again the same load succeeds.
    @Test
    void fullDiskAtAnyCallRefusesTheLoadAndLosesNothing() {
        SplittableRandom random = Seed.of("BulkTest", 4);
        boolean refused = true;
        for (int call = 1; refused; call++) {
            Gen gen = new Gen(random.split());
            SimDirectory directory = new SimDirectory();
            try (Store store = Store.open(directory, OPTIONS)) {
                Model model = new Model();
                try (Bulk bulk = store.bulk(SMALL)) {
                    addAny(bulk, model, gen, 300, 100);
                    bulk.commit();
                }
                Model next = model.copy();
                directory.failAt(directory.operations() + call, Fault.DISK_FULL);
                long before = directory.operations();
                try (Bulk bulk = store.bulk(SMALL)) {
                    addAny(bulk, next, gen, 3_000, 100);
                    bulk.commit();
                    refused = directory.operations() - before >= call;
                } catch (LimitException e) {
                    next = model;
                }
                assertHolds(store, next);
                SimDirectory roomy = directory.copy();
                try (Store again = Store.open(roomy, OPTIONS)) {
                    assertHolds(again, next);
                }
            }
        }
    }

    @Test
    void crashesAtEveryCallFindAllOfALoadOrNothing() {
        SplittableRandom random = Seed.of("BulkTest", 5);
        long crashes = 0;
        while (crashes < Long.getLong("crashes", 10_000) / 20) {
            crashes += new Crashing(random.split()).run();
        }
        System.out.println("crashes beside bulk loads: " + crashes);
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
                try (Store store = open(directory)) {
                    for (int i = 0; i < 4; i++) {
                        Model next = committed.getLast().copy();
                        try (Bulk bulk = store.bulk(SMALL)) {
                            addAny(bulk, next, gen, 200 + gen.below(800), 100);
                            committed.add(next);
                            synced = bulk.commit().txid();
                        }
                        if (gen.chance(40)) {
                            store.checkpoint();
                        }
                    }
                }
            }
            return crashes;
        }

        private Store open(SimDirectory folder) {
            StoreOptions options = OPTIONS.withDirtyBytesMax(1 << 20); // merges with old entries
            return new Opening(folder, options, random.split(), () -> 0).withoutThreads().open();
        }

        private void crashHere() {
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
            try (Store store = open(left)) {
                long txid = store.stats().txid();
                assertTrue(txid >= synced, () -> synced + " was acknowledged, found " + txid);
                assertHolds(store, committed.get((int) txid));
                assertTrue(
                        left.list().stream().noneMatch(SpaceReserve::isTemporary),
                        "a run was left");
            } catch (Throwable e) {
                throw new AssertionError("in the last call of " + directory.history(), e);
            }
        }
    }
}
