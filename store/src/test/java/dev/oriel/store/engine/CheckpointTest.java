package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.PageReads;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.model.Model;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Concurrent events during a checkpoint, placed call by call instead of by chance.
class CheckpointTest {
    /// Models are found by the numbers of commits, so no commit may bring others' entries into pages.
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8).withGatheredBytesMax(0);

    private static void put(Store store, String key, String value) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("t");
            if (tree == null) {
                tree = transaction.createTree("t");
            }
            transaction.put(tree, Slice.of(key), Slice.of(value));
            transaction.commit();
        }
    }

    private static String value(Store store, String key) {
        try (Transaction transaction = store.beginRead()) {
            Slice value = new Slice();
            Tree tree = transaction.tree("t");
            return tree != null && transaction.get(tree, Slice.of(key), value)
                    ? value.toText()
                    : "";
        }
    }

    /// A reader that has written an outdated snapshot into its slot, and not yet looked again, must
    /// not take the checkpoint back to versions that are gone.
    @Test
    void readerOnItsWayIntoItsSlotDoesNotTakeTheCheckpointBack() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        put(store, "a", "1");
        put(store, "b", "2");
        put(store, "a", "3");
        long outdated = store.core().state().txid() - 1;
        store.beginExclusive().close(); // frees the versions that the newest commit superseded
        int slot = store.core().readers().claim(0, outdated);
        store.checkpoint();
        store.core().readers().release(slot);
        SimDirectory left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        try (Store again = Store.open(left, OPTIONS)) {
            assertEquals("3", value(again, "a"));
            assertEquals("2", value(again, "b"));
            assertEquals(List.of(), again.check());
        }
    }

    @Test
    void fileThatCouldNotBeMappedAfterItsGrowthIsMappedByTheNextCheckpoint() {
        assumeFalse(OPTIONS.pageReads().way() == PageReads.Way.POSITIONAL, "nothing is mapped");
        SimDirectory simulated = new SimDirectory();
        StepDirectory directory = new StepDirectory(simulated);
        try (Store store = Store.open(directory, OPTIONS)) {
            for (int i = 0; i < 40; i++) {
                put(store, "key " + i, "x".repeat(1900));
            }
            directory.onStep((verb, name) -> {
                if (verb.equals("map")) {
                    throw new IOException("Map failed");
                }
            });
            assertThrows(LimitException.class, store::checkpoint);
            directory.onStep((verb, name) -> {});
            store.checkpoint();
            store.beginExclusive().close();
            put(store, "other", "x");
            assertEquals("x".repeat(1900), value(store, "key 39"));
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void checkpointThatWaitedForAFailedOneDoesNotTryAgain() {
        SimDirectory simulated = new SimDirectory();
        StepDirectory directory = new StepDirectory(simulated);
        Store store = Store.open(directory, OPTIONS);
        put(store, "a", "1");
        List<Thread> second = new ArrayList<>();
        List<Throwable> thrown = new ArrayList<>();
        boolean[] failed = {false};
        directory.onStep((verb, name) -> {
            if (failed[0] || !verb.equals("sync") || !name.equals(DataFile.NAME)) {
                return;
            }
            failed[0] = true;
            Thread thread = new Thread(store::checkpoint);
            thread.setUncaughtExceptionHandler((dead, why) -> thrown.add(why));
            second.add(thread);
            thread.start();
            while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
                Thread.onSpinWait();
            }
            throw new IOException("the disk is gone");
        });
        assertThrows(StorageException.class, store::checkpoint);
        join(second.getFirst());
        assertEquals(1, thrown.size());
        assertEquals(StorageException.class, thrown.getFirst().getClass());
        store.close();
    }

    /// A transaction has changed a part of a page. Then a checkpoint writes the old version, with a checksum that
    /// it did not have when the page was copied. The commit's record is right all the same, and the page after a
    /// kill is the committed one.
    @Test
    void checkpointBetweenAChangeAndItsCommitIsNoPartOfWhatIsDescribed() {
        for (boolean held : new boolean[] {false, true}) {
            SimDirectory directory = new SimDirectory();
            Store store = Store.open(directory, OPTIONS);
            for (int i = 0; i < 20; i++) {
                put(store, "key " + i, "v".repeat(100));
            }
            Transaction reader = held ? store.beginRead() : null;
            put(store, "key 1", "w".repeat(100));
            try (Transaction transaction = store.beginExclusive()) {
                Tree tree = transaction.tree("t");
                assertTrue(tree != null);
                transaction.put(tree, Slice.of("key 7"), Slice.of("x".repeat(100)));
                store.checkpoint();
                transaction.put(tree, Slice.of("key 9"), Slice.of("y".repeat(100)));
                transaction.commit();
            }
            SimDirectory left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
            try (Store again = Store.open(left, OPTIONS)) {
                assertEquals("w".repeat(100), value(again, "key 1"));
                assertEquals("x".repeat(100), value(again, "key 7"));
                assertEquals("y".repeat(100), value(again, "key 9"));
                assertEquals(List.of(), again.check());
            }
            if (reader != null) {
                reader.close();
            }
            store.close();
        }
    }

    /// The header names an end of the log that must be found again, whatever a machine crash leaves
    /// of the files begun since.
    @Test
    void logFileIsNotUsedAgainBeforeTheHeaderOfTheNextIsOnTheDisk() {
        SplittableRandom random = Seed.of("CheckpointTest", 33);
        SimDirectory simulated = new SimDirectory();
        StepDirectory directory = new StepDirectory(simulated);
        Store store = Store.open(directory, OPTIONS.withDurability(Durability.WRITTEN));
        putMany(store, 0);
        boolean[] done = {false};
        directory.onStep((verb, name) -> {
            if (!done[0] && verb.equals("sync") && name.equals(DataFile.NAME)) {
                done[0] = true;
                putMany(store, 1); // begins the second file
            }
        });
        store.checkpoint();
        for (int i = 2; i < 6; i++) {
            putMany(store, i);
        }
        for (int i = 0; i < 100; i++) {
            SimDirectory left = simulated.crash(random, CrashProfile.ATOMIC_SECTOR);
            try (Store again = Store.open(left, OPTIONS)) {
                assertEquals(List.of(), again.check());
            }
        }
    }

    /// A commit of 50 KB.
    private static void putMany(Store store, int round) {
        byte[] value = new byte[1900];
        new SplittableRandom(round).nextBytes(value);
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("t");
            if (tree == null) {
                tree = transaction.createTree("t");
            }
            for (int i = 0; i < 22; i++) {
                transaction.put(tree, Slice.of("key " + i), Slice.copyOf(value));
            }
            transaction.commit();
        }
    }

    /// A commit of another thread ends while the checkpoint is in any of its calls, also the first one
    /// since the store was opened, which writes a header.
    @Test
    void commitsWaitForNoCallOfACheckpoint() {
        SimDirectory simulated = new SimDirectory();
        Store before = Store.open(simulated, OPTIONS.withDurability(Durability.WRITTEN));
        putMany(before, 0);
        SimDirectory left = simulated.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        StepDirectory directory = new StepDirectory(left);
        Store store = Store.open(directory, OPTIONS.withDurability(Durability.WRITTEN));
        Thread own = Thread.currentThread();
        List<String> calls = new ArrayList<>();
        directory.onStep((verb, name) -> {
            if (own.equals(Thread.currentThread())) {
                calls.add(verb + " " + name);
                Thread writer = new Thread(() -> put(store, "beside " + calls.size(), "x"));
                writer.setDaemon(true);
                writer.start();
                joinWithinAMinute(writer, calls.getLast());
            }
        });
        store.checkpoint(); // puts the recovered pages in their places
        long commits = calls.size();
        assertTrue(commits > 1);
        store.checkpoint();
        assertTrue(calls.stream().anyMatch(call -> call.equals("sync " + DoubleWriteBuffer.NAME)));
        assertTrue(calls.size() > commits + 5, calls::toString);
        directory.onStep((verb, name) -> {});
        assertEquals("x", value(store, "beside " + calls.size()));
        store.close();
    }

    private static void joinWithinAMinute(Thread thread, String call) {
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertTrue(!thread.isAlive(), "the commit waits for: " + call);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Commits go on at every call of a checkpoint, and the machine dies at any of the calls.
    @Test
    void machineCrashesOfCommitsBesideACheckpointKeepAPrefixOfThem() {
        besideCheckpoints(31, Durability.WRITTEN, CrashProfile.ATOMIC_SECTOR);
    }

    @Test
    void machineCrashesOfSyncedCommitsBesideACheckpointLoseNone() {
        besideCheckpoints(32, Durability.SYNC, CrashProfile.ATOMIC_SECTOR);
    }

    @Test
    void garbageLeftBesideACheckpointIsRepaired() {
        besideCheckpoints(34, Durability.SYNC, CrashProfile.GARBAGE_SECTOR);
        besideCheckpoints(35, Durability.WRITTEN, CrashProfile.GARBAGE_SECTOR);
    }

    private static void besideCheckpoints(long usual, Durability durability, CrashProfile profile) {
        SplittableRandom random = Seed.of("CheckpointTest", usual);
        int crashes = 0;
        for (int round = 0; round < 6; round++) {
            Beside beside = new Beside(random.split(), durability);
            beside.run();
            for (Beside.Moment moment : beside.moments) {
                for (int i = 0; i < 3; i++) {
                    try {
                        recover(moment, beside, random, profile);
                    } catch (Throwable e) {
                        throw new AssertionError(
                                "round %d, at %s, after %s"
                                        .formatted(round, moment.call, moment.directory.history()),
                                e);
                    }
                    crashes++;
                }
            }
        }
        System.out.println("crashes survived: " + crashes);
        assertTrue(crashes > 100);
    }

    private static void recover(
            Beside.Moment moment, Beside beside, SplittableRandom random, CrashProfile profile) {
        SimDirectory left = moment.directory.crash(random, profile);
        try (Store store = Store.open(left, OPTIONS)) {
            long txid = store.stats().txid();
            assertTrue(txid >= moment.least, () -> txid + " is older than " + moment.least);
            try (Transaction transaction = store.beginRead()) {
                beside.committed.get((int) txid).assertSeenBy(transaction);
            }
            assertEquals(List.of(), store.check());
        }
    }

    /// A history whose commits, rollbacks and readers happen inside the calls of its checkpoints.
    private static final class Beside {
        private record Moment(String call, SimDirectory directory, long least) {}

        private final SimDirectory simulated = new SimDirectory();
        private final StepDirectory directory = new StepDirectory(simulated);
        private final Gen gen;
        private final RandomHistory history;
        private final Durability durability;
        private final List<Model> committed = new ArrayList<>(List.of(new Model()));
        private final List<Moment> moments = new ArrayList<>();
        private boolean inside;
        private long acknowledged;

        Beside(SplittableRandom random, Durability durability) {
            this.gen = new Gen(random);
            this.history = new RandomHistory(gen, 100, 900);
            this.durability = durability;
        }

        void run() {
            Store store = Store.open(directory, OPTIONS.withDurability(durability));
            Transaction reader = store.beginRead();
            directory.onStep((verb, name) -> step(store, verb + " " + name));
            for (int i = 0; i < 8; i++) {
                inside = true;
                writeOne(store);
                inside = false;
                if (gen.chance(50)) {
                    reader.close();
                    reader = store.beginRead();
                }
                Transaction open = gen.chance(30) ? store.beginWrite() : null;
                if (open != null) {
                    history.change(open, committed.getLast().copy(), 10);
                    inside = true;
                }
                store.checkpoint();
                inside = false;
                if (open != null) {
                    open.close();
                }
            }
            reader.close();
        }

        private void step(Store store, String call) {
            if (inside) {
                return;
            }
            inside = true;
            for (int i = gen.below(4); i > 0; i--) {
                writeOne(store);
            }
            long least = durability == Durability.SYNC ? acknowledged : 0;
            moments.add(new Moment(call, simulated.copy(), least));
            inside = false;
        }

        private void writeOne(Store store) {
            Model next = committed.getLast().copy();
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, next, 1 + gen.below(gen.chance(30) ? 150 : 10));
                if (gen.chance(20)) {
                    return;
                }
                long txid = transaction.commit().txid();
                if (txid == committed.size()) {
                    committed.add(next);
                }
                acknowledged = txid;
            }
        }
    }
}
