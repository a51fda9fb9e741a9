package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.model.CommittedModels;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Histories are cut off inside calls that change the disk, and possible remains of a machine crash or a kill are
/// opened. The oracle is a model per commit: every acknowledged commit is there, and no commit is there in part.
///
/// `-Dcrashes=` sets the total number of crashes, `-Dseed=` the first history. A failure names its own seed,
/// which replays it at once with its test.
final class StoreCrashTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
    private static final long CRASHES = Long.getLong("crashes", 10_000);
    private static final List<Durability> ANY =
            List.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    private static final LongAdder ALL = new LongAdder();
    private static final LongAdder HISTORIES = new LongAdder();
    private static final LongAdder NANOS = new LongAdder();
    private static final long PROGRESS_NANOS = 10_000_000_000L;

    /// Progress of a history before it was cut off.
    private static final class Progress {
        final CommittedModels committed = new CommittedModels();
        long acknowledged;
    }

    @Test
    void crashesAtEveryCallLoseNothingAcknowledgedWhenEachCommitIsSynced() {
        crashInEveryCall(11, 25, Durability.SYNC, CrashProfile.ATOMIC_SECTOR);
    }

    /// Sectors being written at a crash may come back as garbage.
    @Test
    void garbageLeftByACrashIsRepaired() {
        crashInEveryCall(14, 30, Durability.SYNC, CrashProfile.GARBAGE_SECTOR);
    }

    @Test
    void killsAtEveryCallLoseNothingAcknowledgedWhenEachCommitIsWritten() {
        crashInEveryCall(12, 10, Durability.WRITTEN, CrashProfile.PROCESS_KILL);
    }

    @Test
    void machineCrashesOfUnsyncedCommitsKeepAPrefixOfThem() {
        crashInEveryCall(13, 10, Durability.WRITTEN, CrashProfile.ATOMIC_SECTOR);
    }

    @Test
    void garbageAfterUnsyncedCommitsIsRepairedToAPrefixOfThem() {
        crashInEveryCall(16, 10, Durability.WRITTEN, CrashProfile.GARBAGE_SECTOR);
    }

    /// Unwritten commits are lost, except those before a kept one.
    @Test
    void killsAtEveryCallKeepAPrefixOfWhatWasNotWrittenYet() {
        crashInEveryCall(20, 5, ANY, CrashProfile.PROCESS_KILL);
    }

    @Test
    void machineCrashesKeepWhatWasSyncedAmongTheUnwritten() {
        crashInEveryCall(21, 5, ANY, CrashProfile.ATOMIC_SECTOR);
    }

    @Test
    void garbageAmongTheUnwrittenIsRepairedToAPrefix() {
        crashInEveryCall(22, 5, ANY, CrashProfile.GARBAGE_SECTOR);
    }

    @Test
    void garbageInLongHistoriesOfEachDurabilityIsRepaired() {
        repeat(
                23,
                5,
                seed ->
                        new CrashHistory(seed, ANY, CrashProfile.GARBAGE_SECTOR)
                                .crashInSomeCalls());
    }

    @Test
    void crashesOfLongHistoriesLoseNothing() {
        repeat(17, 8, seed -> history(seed, CrashProfile.ATOMIC_SECTOR).crashInSomeCalls());
    }

    @Test
    void garbageInLongHistoriesIsRepaired() {
        repeat(18, 7, seed -> history(seed, CrashProfile.GARBAGE_SECTOR).crashInSomeCalls());
    }

    private static CrashHistory history(long seed, CrashProfile profile) {
        return new CrashHistory(seed, List.of(Durability.SYNC), profile);
    }

    private static void crashInEveryCall(
            long usual, int percent, Durability durability, CrashProfile profile) {
        crashInEveryCall(usual, percent, List.of(durability), profile);
    }

    private static void crashInEveryCall(
            long usual, int percent, List<Durability> durabilities, CrashProfile profile) {
        repeat(
                usual,
                percent,
                seed -> new CrashHistory(seed, durabilities, profile).crashInEveryCall(2));
    }

    /// Runs one history.
    @FunctionalInterface
    private interface Histories {
        long crashes(long seed);
    }

    /// Runs histories until they have had their share of the crashes.
    private static void repeat(long usual, int percent, Histories histories) {
        long wanted = CRASHES * percent / 100;
        String given = System.getProperty("seed", "");
        long seed = given.isEmpty() ? usual : Long.parseLong(given);
        System.out.println("StoreCrashTest -Dseed=" + seed);
        SplittableRandom seeds = new SplittableRandom(seed);
        long begun = System.nanoTime();
        long said = begun;
        long crashes = 0;
        long count = 0;
        while (crashes < wanted) {
            crashes += histories.crashes(seed);
            count++;
            seed = seeds.nextLong();
            if (System.nanoTime() - said > PROGRESS_NANOS) {
                said = System.nanoTime();
                say(crashes, count, said - begun);
            }
        }
        say(crashes, count, System.nanoTime() - begun);
        ALL.add(crashes);
        HISTORIES.add(count);
        NANOS.add(System.nanoTime() - begun);
        assertTrue(crashes >= wanted && count > 0);
    }

    @AfterAll
    static void sayAll() {
        System.out.print("all in all: ");
        say(ALL.sum(), HISTORIES.sum(), NANOS.sum());
    }

    private static void say(long crashes, long histories, long nanos) {
        System.out.printf(
                "%d crashes survived, of %d histories, %d a second%n",
                crashes, histories, crashes * 1_000_000_000L / Math.max(1, nanos));
    }

    /// Kills and power cuts follow each other on the same folder. Data that a kill leaves unsynced is lost in the
    /// next power cut, unless the recovery between them has synced it.
    @Test
    void chainsOfKillsAndPowerCutsLoseNothingSynced() {
        chains(15, CrashProfile.ATOMIC_SECTOR);
    }

    @Test
    void chainsOfKillsAndPowerCutsWithGarbageLoseNothingSynced() {
        chains(19, CrashProfile.GARBAGE_SECTOR);
    }

    private static void chains(long usual, CrashProfile profile) {
        SplittableRandom random = Seed.of("StoreCrashTest", usual);
        for (int chain = 0; chain < 80; chain++) {
            Progress progress = new Progress();
            SimDirectory directory = new SimDirectory();
            for (int link = 0; link < 6; link++) {
                long least = progress.acknowledged;
                directory.crashAfter(directory.operations() + 1 + random.nextInt(60));
                try {
                    goOn(directory, random, progress, least);
                } catch (SimCrash e) {
                    assertTrue(directory.crashed());
                }
                directory =
                        directory.crash(
                                random, random.nextBoolean() ? CrashProfile.PROCESS_KILL : profile);
            }
            openAndCheck(directory, progress, progress.acknowledged).close();
        }
    }

    private static void goOn(
            SimDirectory directory, SplittableRandom random, Progress progress, long least) {
        Store store = openAndCheck(directory, progress, least);
        try (Transaction transaction = store.beginRead()) {
            long found = transaction.snapshot();
            Model model = progress.committed.assertSeenBy(transaction, found);
            progress.committed.cutAfter(found);
            progress.committed.begin(model);
            progress.committed.end(found);
        }
        Gen gen = new Gen(random);
        RandomHistory history = new RandomHistory(gen, 100, 300);
        for (int i = 0; i < 8; i++) {
            commitOne(store, history, gen, progress);
            if (gen.chance(20)) {
                store.checkpoint();
            }
        }
        store.close();
    }

    private static void commitOne(Store store, RandomHistory history, Gen gen, Progress progress) {
        Model next = progress.committed.last().copy();
        try (Transaction transaction = store.beginWrite()) {
            history.change(transaction, next, 1 + gen.below(gen.chance(20) ? 200 : 20));
            progress.committed.begin(next);
            Transaction.Commit commit = transaction.commit();
            progress.committed.end(commit.txid());
            progress.acknowledged = commit.txid();
        }
    }

    private static Store openAndCheck(SimDirectory directory, Progress all, long least) {
        Store store = Store.open(directory, OPTIONS);
        long txid = store.stats().txid();
        assertTrue(txid >= least, () -> "commit " + least + " was acknowledged, found " + txid);
        try (Transaction transaction = store.beginRead()) {
            all.committed.assertSeenBy(transaction, txid);
        }
        assertEquals(List.of(), store.check());
        return store;
    }
}
