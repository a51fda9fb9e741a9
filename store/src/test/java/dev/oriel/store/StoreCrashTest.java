package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A small history is cut off at every call that changes the disk, and what a machine crash or a
/// kill could leave there is opened again. The oracle: a model per commit; what was acknowledged is
/// there, nothing is there by half.
final class StoreCrashTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    /// What a history did before it was cut off.
    private static final class Progress {
        final List<Model> committed = new ArrayList<>(List.of(new Model()));
        long acknowledged;
    }

    @Test
    void crashesAtEveryCallLoseNothingAcknowledgedWhenEachCommitIsSynced() {
        int crashes = crashEverywhere(11, Durability.SYNC, CrashProfile.ATOMIC_SECTOR, 4);
        assertTrue(crashes > 500, () -> "only " + crashes + " crashes");
    }

    @Test
    void killsAtEveryCallLoseNothingAcknowledgedWhenEachCommitIsWritten() {
        int crashes = crashEverywhere(12, Durability.WRITTEN, CrashProfile.PROCESS_KILL, 2);
        assertTrue(crashes > 200, () -> "only " + crashes + " crashes");
    }

    @Test
    void machineCrashesOfUnsyncedCommitsKeepAPrefixOfThem() {
        int crashes = crashEverywhere(13, Durability.WRITTEN, CrashProfile.ATOMIC_SECTOR, 4);
        assertTrue(crashes > 500, () -> "only " + crashes + " crashes");
    }

    /// Sectors that were being written may come back as garbage.
    @Test
    void garbageLeftByACrashIsRepaired() {
        int crashes = crashEverywhere(14, Durability.SYNC, CrashProfile.GARBAGE_SECTOR, 5);
        assertTrue(crashes > 500, () -> "only " + crashes + " crashes");
    }

    /// Kills and power cuts one after the other on the same folder: what a kill leaves unsynced is
    /// lost by the power cut that follows, unless the recovery between them has synced it.
    @Test
    void chainsOfKillsAndPowerCutsLoseNothingSynced() {
        SplittableRandom random = Seed.of("StoreCrashTest", 15);
        for (int chain = 0; chain < 80; chain++) {
            Progress progress = new Progress();
            SimDirectory directory = new SimDirectory();
            for (int link = 0; link < 6; link++) {
                long least = progress.acknowledged;
                directory.crashAfter(directory.operations() + 1 + random.nextInt(40));
                try {
                    goOn(directory, random, progress, least);
                } catch (SimCrash e) {
                    assertTrue(directory.crashed());
                }
                directory =
                        directory.crash(
                                random,
                                random.nextBoolean()
                                        ? CrashProfile.PROCESS_KILL
                                        : CrashProfile.ATOMIC_SECTOR);
            }
            openAndCheck(directory, progress, progress.acknowledged).close();
        }
    }

    private static void goOn(
            SimDirectory directory, SplittableRandom random, Progress progress, long least) {
        Store store = openAndCheck(directory, progress, least);
        int found = (int) store.stats().txid();
        progress.committed.subList(found + 1, progress.committed.size()).clear();
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

    private static int crashEverywhere(
            long usual, Durability durability, CrashProfile profile, int outcomes) {
        SplittableRandom random = Seed.of("StoreCrashTest", usual);
        int crashes = 0;
        for (int history = 0; history < 3; history++) {
            long seed = random.nextLong();
            SimDirectory whole = new SimDirectory();
            Progress all = new Progress();
            run(whole, seed, durability, all);
            for (long k = 1; k <= whole.operations(); k++) {
                SimDirectory directory = new SimDirectory();
                directory.crashAfter(k);
                Progress progress = new Progress();
                try {
                    run(directory, seed, durability, progress);
                } catch (SimCrash e) {
                    assertTrue(directory.crashed());
                }
                boolean machine = profile != CrashProfile.PROCESS_KILL;
                boolean promised = durability == Durability.SYNC || !machine;
                long least = promised ? progress.acknowledged : 0;
                for (int i = 0; i < outcomes; i++) {
                    try {
                        recover(directory.crash(random, profile), random, all, least, profile);
                    } catch (Throwable e) {
                        throw new AssertionError(
                                "history %d, crash at call %d of %s"
                                        .formatted(history, k, directory.history()),
                                e);
                    }
                    crashes++;
                }
            }
        }
        System.out.println("crashes survived: " + crashes);
        return crashes;
    }

    /// Creation, commits that split pages and overflow, checkpoints under a reader, reuse of log
    /// files, closing and opening again.
    private static void run(
            SimDirectory directory, long seed, Durability durability, Progress progress) {
        Gen gen = new Gen(new SplittableRandom(seed));
        RandomHistory history = new RandomHistory(gen, 200, 600);
        for (int session = 0; session < 2; session++) {
            Store store = Store.open(directory, OPTIONS.withDurability(durability));
            Transaction reader = store.beginRead();
            for (int i = 0; i < 6; i++) {
                commitOne(store, history, gen, progress);
                if (gen.chance(40)) {
                    store.checkpoint();
                }
                if (gen.chance(40)) {
                    reader.close();
                    reader = store.beginRead();
                }
            }
            reader.close();
            if (gen.chance(70)) {
                store.close();
            } else {
                session = 2; // leave it open: the end of the history is a crash too
            }
        }
    }

    private static void commitOne(Store store, RandomHistory history, Gen gen, Progress progress) {
        Model next = progress.committed.getLast().copy();
        try (Transaction transaction = store.beginWrite()) {
            history.change(transaction, next, 1 + gen.below(gen.chance(20) ? 200 : 20));
            long expected = progress.committed.size();
            // Known before it is acknowledged: a crash inside the commit may leave it there.
            progress.committed.add(next);
            Transaction.Commit commit = transaction.commit();
            if (commit.txid() == expected - 1) {
                progress.committed.removeLast(); // nothing had changed
            }
            progress.acknowledged = commit.txid();
        }
    }

    private static void recover(
            SimDirectory left,
            SplittableRandom random,
            Progress all,
            long least,
            CrashProfile profile) {
        SimDirectory directory = left;
        if (random.nextInt(4) == 0) { // crash once more, while it recovers
            SimDirectory twice = directory.copy();
            twice.crashAfter(1 + random.nextInt(8));
            try {
                openAndCheck(twice, all, least).close();
            } catch (SimCrash e) {
                directory = twice.crash(random, profile);
            }
        }
        Store store = openAndCheck(directory, all, least);
        Model model = all.committed.get((int) store.stats().txid()).copy();
        Gen gen = new Gen(random);
        RandomHistory history = new RandomHistory(gen, 100, 300);
        long last;
        try (Transaction transaction = store.beginWrite()) {
            history.change(transaction, model, 20);
            last = transaction.commit().txid();
        }
        if (random.nextBoolean()) {
            store.checkpoint();
        }
        if (random.nextBoolean()) {
            store.close();
        } else {
            directory = directory.crash(random, CrashProfile.PROCESS_KILL);
        }
        try (Store again = Store.open(directory, OPTIONS);
                Transaction transaction = again.beginRead()) {
            assertEquals(last, transaction.snapshot());
            model.assertSeenBy(transaction);
            assertEquals(List.of(), again.check());
        }
    }

    private static Store openAndCheck(SimDirectory directory, Progress all, long least) {
        Store store = Store.open(directory, OPTIONS);
        long txid = store.stats().txid();
        assertTrue(txid >= least, () -> "commit " + least + " was acknowledged, found " + txid);
        try (Transaction transaction = store.beginRead()) {
            all.committed.get((int) txid).assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
        return store;
    }
}
