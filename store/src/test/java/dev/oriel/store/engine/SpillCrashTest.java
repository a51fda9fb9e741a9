package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The machine crashes in histories whose transactions spill and commit in parts. The remains have exactly one of
/// the commits: the last acknowledged one, or the one in progress.
final class SpillCrashTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withCheckpointBytes(Long.MAX_VALUE / 8)
                    .withWriteSetBytesMax(3L * Page.BYTES);

    /// Options with which write sets fit in memory, but changed pages do not.
    private static final StoreOptions HELD =
            StoreOptions.defaults()
                    .withCheckpointBytes(Long.MAX_VALUE / 8)
                    .withDirtyBytesMax(12L * Page.BYTES);

    /// `-Dcrashes=` as in [StoreCrashTest]; this test takes a share of them.
    private static final long CRASHES = Long.getLong("crashes", 10_000) / 20;

    private final List<Model> committed = new ArrayList<>(List.of(new Model()));
    private SimDirectory directory = new SimDirectory();
    private SplittableRandom random = new SplittableRandom(0);
    private CrashProfile profile = CrashProfile.ATOMIC_SECTOR;

    /// Newest commit that a crash must not take back.
    private long acknowledged;

    private StoreOptions options = OPTIONS;
    private long crashes;
    private long inParts;
    private int oneOf;

    private Store open(SimDirectory folder) {
        SplittableRandom clock = random.split();
        return new Opening(folder, options, random.split(), () -> clock.nextInt(100))
                .withoutThreads()
                .open();
    }

    private void crashHere() {
        if (random.nextInt(oneOf) > 0) {
            return;
        }
        crashes++;
        try {
            boolean killed = random.nextInt(4) == 0;
            recover(directory.crash(random, killed ? CrashProfile.PROCESS_KILL : profile));
        } catch (Throwable e) {
            throw new AssertionError(
                    "crash %d, in the last call of %s".formatted(crashes, directory.history()), e);
        }
    }

    /// Recovers the remains; half of the recoveries crash too.
    private void recover(SimDirectory left) {
        SimDirectory folder = left;
        if (random.nextBoolean()) {
            SimDirectory next = folder.copy();
            next.crashAfter(1 + random.nextInt(16));
            try {
                openAndCheck(next).close();
            } catch (SimCrash e) {
                crashes++;
                folder = next.crash(random, profile);
            }
        }
        Store store = openAndCheck(folder);
        List<String> names = folder.list();
        long temporary = names.stream().filter(TemporaryFiles::isName).count();
        TemporaryFiles own = Objects.requireNonNull(store.core().temporaryFiles());
        assertEquals(own.count(), temporary, names::toString); // a long recovery has some
        if (random.nextInt(3) == 0) {
            goOn(folder, store);
        }
    }

    private Store openAndCheck(SimDirectory folder) {
        Store store = open(folder);
        long txid = store.stats().txid();
        assertTrue(txid >= acknowledged, () -> acknowledged + " was acknowledged, found " + txid);
        try (Transaction transaction = store.beginRead()) {
            committed.get((int) txid).assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
        return store;
    }

    /// Parts left in the log do no harm.
    private void goOn(SimDirectory folder, Store store) {
        Model model = committed.get((int) store.stats().txid()).copy();
        RandomHistory history = new RandomHistory(new Gen(random), 100, 300);
        for (int i = random.nextInt(3); i >= 0; i--) {
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, model, 10 + random.nextInt(300));
                transaction.commit();
            }
        }
        SimDirectory again = folder;
        if (random.nextBoolean()) {
            store.close();
        } else {
            again = folder.crash(random, profile);
        }
        try (Store last = open(again);
                Transaction transaction = last.beginRead()) {
            model.assertSeenBy(transaction);
            assertEquals(List.of(), last.check());
        }
    }

    /// Runs one history, with transactions of all sizes.
    private void history(long seed, int sessions, int commits) {
        random = new SplittableRandom(seed);
        options = random.nextBoolean() ? OPTIONS : HELD;
        directory = new SimDirectory();
        committed.subList(1, committed.size()).clear();
        acknowledged = 0;
        directory.inEachCall(this::crashHere);
        Gen gen = new Gen(random.split());
        RandomHistory history = new RandomHistory(gen, 100, 400);
        for (int session = 0; session < sessions; session++) {
            Store store = open(directory);
            for (int i = 0; i < commits; i++) {
                Model next = committed.getLast().copy();
                Durability durability = gen.chance(70) ? Durability.SYNC : Durability.WRITTEN;
                try (Transaction transaction = store.beginWrite()) {
                    transaction.durability(durability);
                    history.change(transaction, next, 1 + gen.below(gen.chance(60) ? 700 : 20));
                    long segments = directory.operations();
                    long expected = committed.size();
                    committed.add(next);
                    boolean large = gen.chance(85);
                    if (!large) {
                        committed.removeLast();
                        continue; // rolled back
                    }
                    Transaction.Commit commit = transaction.commit();
                    inParts += directory.operations() - segments > 4 ? 1 : 0;
                    if (commit.txid() == expected - 1) {
                        committed.removeLast(); // without changes
                    }
                    boolean lasts =
                            durability == Durability.SYNC || profile == CrashProfile.PROCESS_KILL;
                    acknowledged = lasts ? commit.txid() : acknowledged;
                }
                if (gen.chance(20)) {
                    giveUp(store, history, gen.chance(50));
                }
                if (gen.chance(30)) {
                    store.checkpoint();
                }
            }
            store.close();
        }
    }

    /// Writes parts to the log, perhaps synced, and gives the transaction up.
    private void giveUp(Store store, RandomHistory history, boolean synced) {
        try (Transaction transaction = store.beginExclusive()) {
            history.change(transaction, committed.getLast().copy(), 60);
            if (synced) {
                store.checkpoint();
            }
        }
    }

    /// These parts are durable but no commit, so they are not missed: neither after a sync, nor with parts of the
    /// next commit behind them.
    @Test
    void partsThatWereGivenUpAndSyncedAreNoHole() {
        directory = new SimDirectory();
        StoreOptions written =
                OPTIONS.withDurability(Durability.WRITTEN).withWriteSetBytesMax(6L * Page.BYTES);
        Store store =
                new Opening(directory, written, new SplittableRandom(1), System::nanoTime)
                        .withoutThreads()
                        .open();
        Tree tree;
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            transaction.commit();
        }
        try (Transaction first = store.beginExclusive()) {
            putMany(first, tree, "a", 300);
            store.checkpoint(); // syncs the log, with its parts
        }
        Transaction second = store.beginExclusive();
        putMany(second, tree, "b", 3000); // more than the log's buffer holds
        SimDirectory left = directory.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
        try (Store again = Store.open(left, written)) {
            assertEquals(List.of(), again.check());
            assertEquals(1, again.stats().txid());
        }
        second.close();
        store.close();
    }

    private static void putMany(Transaction transaction, Tree tree, String prefix, int count) {
        for (int i = 0; i < count; i++) {
            transaction.put(tree, Slice.of(prefix + i), Slice.of("x".repeat(1000)));
        }
    }

    private void run(long usual, CrashProfile wanted, int oneCallOf) {
        profile = wanted;
        oneOf = oneCallOf;
        SplittableRandom seeds = Seed.of("SpillCrashTest", usual);
        int histories = 0;
        while (crashes < CRASHES / 3) {
            history(seeds.nextLong(), 2, 5);
            histories++;
        }
        System.out.println(crashes + " crashes of " + histories + " histories");
        assertTrue(inParts > 0, "no commit had parts");
    }

    @Test
    void crashesLeaveAllOrNothingOfALargeCommit() {
        run(1, CrashProfile.ATOMIC_SECTOR, 6);
    }

    @Test
    void garbageInAPartMakesNothingOfTheCommit() {
        run(2, CrashProfile.GARBAGE_SECTOR, 6);
    }

    @Test
    void killsLeaveAllOrNothingOfALargeCommit() {
        run(3, CrashProfile.PROCESS_KILL, 6);
    }
}
