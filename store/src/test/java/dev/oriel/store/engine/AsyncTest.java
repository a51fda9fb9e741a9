package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogBuffer;
import dev.oriel.store.log.LogRecord;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Commits that are acknowledged before they are written.
final class AsyncTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withCheckpointBytes(Long.MAX_VALUE / 8)
                    .withDurability(Durability.ASYNC);

    private final SimDirectory directory = new SimDirectory();
    private Tree tree = new Tree("", 0);

    private Store open() {
        return new Opening(directory, OPTIONS, new SplittableRandom(1), () -> 0)
                .withoutThreads()
                .open();
    }

    private void create(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            transaction.commit();
        }
        store.transactions().committer().writeLog();
    }

    private void put(Store store, int key, Durability durability) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            transaction.put(tree, Slice.of("key " + key), Slice.of("value " + key));
            transaction.commit();
        }
    }

    /// The keys that are there after a kill: all before the first one that is not.
    private int keptOf(SimDirectory left) {
        try (Store store = Store.open(left, OPTIONS);
                Transaction transaction = store.beginRead()) {
            Tree there = transaction.tree("t");
            if (there == null) {
                return 0;
            }
            int count = (int) transaction.count(there, new Slice(), null);
            for (int i = 0; i < count; i++) {
                assertTrue(transaction.get(there, Slice.of("key " + i), new Slice()), "a hole");
            }
            assertEquals(List.of(), store.check());
            return count;
        }
    }

    private SimDirectory killed() {
        return directory.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
    }

    @Test
    void nothingIsWrittenUntilSomebodyComesBy() {
        Store store = open();
        create(store);
        long calls = directory.operations();
        for (int i = 0; i < 20; i++) {
            put(store, i, Durability.ASYNC);
        }
        assertEquals(calls, directory.operations());
        assertEquals(0, keptOf(killed()));
        store.transactions().committer().writeLog();
        assertEquals(calls + 1, directory.operations(), "one write for all");
        assertEquals(20, keptOf(killed()));
        store.close();
    }

    /// It may have read unwritten commits, and promises that these stay.
    @Test
    void aCommitThatChangesNothingTakesThoseBeforeItAlongToo() {
        for (Durability durability : List.of(Durability.WRITTEN, Durability.SYNC)) {
            assertEquals(2, keptOf(new AsyncTest().leftBehindByNothing(durability)));
        }
    }

    private SimDirectory leftBehindByNothing(Durability durability) {
        Store store = open();
        create(store);
        put(store, 0, Durability.ASYNC);
        put(store, 1, Durability.ASYNC);
        assertEquals(0, keptOf(killed()));
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            transaction.put(tree, Slice.of("gone"), Slice.of("at once"));
            transaction.delete(tree, Slice.of("gone"));
            transaction.commit();
        }
        SimDirectory left = killed();
        store.close();
        return left;
    }

    @Test
    void theBufferIsBounded() {
        Store store = open();
        create(store);
        int commits = 0;
        int most = LogBuffer.BYTES / LogRecord.HEADER_BYTES;
        boolean written = false; // and not only a file made
        while (!written && commits < most) {
            long calls = directory.operations();
            put(store, commits++, Durability.ASYNC);
            written = directory.operations() != calls && keptOf(killed()) >= commits - 1;
        }
        int sum = commits;
        assertTrue(sum > 50 && sum < most, () -> sum + " before the older ones were written");
        store.close();
    }

    @Test
    void aCommitThatIsWrittenTakesThoseBeforeItAlong() {
        for (Durability durability : List.of(Durability.WRITTEN, Durability.SYNC)) {
            SimDirectory left = new AsyncTest().leftBehind(durability);
            assertEquals(4, keptOf(left));
        }
    }

    private SimDirectory leftBehind(Durability durability) {
        Store store = open();
        create(store);
        for (int i = 0; i < 3; i++) {
            put(store, i, Durability.ASYNC);
        }
        put(store, 3, durability);
        put(store, 4, Durability.ASYNC);
        return durability == Durability.SYNC
                ? directory.crash(new SplittableRandom(3), CrashProfile.GARBAGE_SECTOR)
                : killed();
    }

    /// A transaction without writes of its own makes the commits it has read durable.
    @Test
    void anUnchangedCommitWaitsForWhatItHasSeen() {
        Store store = open();
        create(store);
        put(store, 0, Durability.ASYNC);
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(Durability.SYNC);
            transaction.commit();
        }
        assertEquals(
                1, keptOf(directory.crash(new SplittableRandom(4), CrashProfile.ATOMIC_SECTOR)));
        store.close();
    }

    @Test
    void checkpointsAndClosesCoverWhatWasNotWritten() {
        Store store = open();
        create(store);
        put(store, 0, Durability.ASYNC);
        store.checkpoint();
        assertEquals(
                1, keptOf(directory.crash(new SplittableRandom(5), CrashProfile.ATOMIC_SECTOR)));
        put(store, 1, Durability.ASYNC);
        store.close();
        assertEquals(
                2, keptOf(directory.crash(new SplittableRandom(6), CrashProfile.ATOMIC_SECTOR)));
    }

    @Test
    void aBackupHasWhatWasNotWritten() {
        Store store = open();
        create(store);
        put(store, 0, Durability.ASYNC);
        SimDirectory target = new SimDirectory();
        store.backup(target, Progress.NONE);
        assertEquals(1, keptOf(target));
        store.close();
    }

    /// A failure after the acknowledgement poisons, and is not tried again: the next write would leave a hole.
    @Test
    void aWriteThatFailsLaterPoisons() {
        Store store = open();
        create(store);
        put(store, 0, Durability.ASYNC);
        directory.failAt(directory.operations() + 1, Fault.IO_ERROR_ONCE);
        assertThrows(StorageException.class, () -> store.transactions().committer().writeLog());
        assertThrows(StorageException.class, () -> put(store, 1, Durability.ASYNC));
        try (Transaction transaction = store.beginRead()) {
            assertTrue(transaction.get(tree, Slice.of("key 0"), new Slice()), "it still reads");
        }
        long calls = directory.operations();
        store.close();
        assertEquals(calls, directory.operations());
        assertEquals(0, keptOf(killed()));
    }

    /// The thread writes by itself, and goes with the store.
    @Test
    void theThreadWritesSoon() throws InterruptedException {
        SimDirectory folder = new SimDirectory();
        Set<Thread> before = writers(); // of stores that other tests have left open
        Store store = Store.open(folder, OPTIONS);
        create(store);
        long calls = folder.operations();
        for (int i = 0; i < 3; i++) {
            put(store, i, Durability.ASYNC);
            while (folder.operations() == calls) {
                Thread.onSpinWait();
            }
            calls = folder.operations();
        }
        Set<Thread> own = writers();
        own.removeAll(before);
        assertEquals(1, own.size());
        store.close();
        own.iterator().next().join();
    }

    private static Set<Thread> writers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("oriel-log"))
                .collect(Collectors.toSet());
    }
}
