package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The JVM can create no thread: no caller waits for one, operations that need none succeed, and the others are
/// refused.
@Timeout(120)
final class NoThreadsTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withCheckpointBytes(64 << 10)
                    .withExclusiveIdleMillisMax(60_000);

    private final SimDirectory directory = new SimDirectory();
    private Tree tree = new Tree("", 0);
    private boolean none;
    private int refused;

    /// A store with the tree that tests write to: creating it takes a thread.
    private Store open(StoreOptions options) {
        Tree made;
        try (Store store = Store.open(directory, options);
                Transaction transaction = store.beginWrite()) {
            made = transaction.createTree("t");
            transaction.commit();
        }
        tree = made;
        none = true;
        return new Opening(directory, options, new SplittableRandom(), System::nanoTime)
                .withThreads(this::thread)
                .open();
    }

    private Thread thread(Runnable work) {
        if (none) {
            refused++;
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(work);
    }

    private void put(Store store, int key, int bytes, Durability durability) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            transaction.put(
                    tree,
                    Slice.of("key " + key % 50),
                    Slice.of(Integer.toString(key / 50 % 10).repeat(bytes)));
            transaction.commit();
        }
    }

    private static void assertRefused(Runnable call) {
        LimitException refusal = assertThrows(LimitException.class, call::run);
        assertTrue(String.valueOf(refusal.getMessage()).contains("no more threads"));
        assertTrue(refusal.getCause() instanceof OutOfMemoryError);
    }

    /// The committing thread runs checkpoints if there is no other, and a close waits for none.
    @Test
    void checkpointsAreMadeByThoseWhoCommit() {
        Store store = open(OPTIONS);
        for (int i = 0; i < 2_000; i++) {
            put(store, i, 700, Durability.WRITTEN);
        }
        StoreStats stats = store.stats();
        assertTrue(refused > 0);
        assertTrue(stats.checkpoints() > 1, stats::toString);
        assertTrue(stats.logBytesBehind() <= 5 * OPTIONS.checkpointBytes(), stats::toString);
        none = false;
        for (int i = 0; i < 500; i++) {
            put(store, i, 700, Durability.WRITTEN);
        }
        assertEquals(List.of(), store.check());
        store.close();
    }

    /// A commit that finds no writer thread writes its record itself; a thread started later takes over.
    @Test
    void commitsOfClassAsyncAreWritten() {
        Store store = open(OPTIONS.withCheckpointBytes(1 << 30));
        for (int i = 0; i < 5; i++) {
            put(store, i, 20, Durability.ASYNC);
            SimDirectory left = directory.crash(new SplittableRandom(i), CrashProfile.PROCESS_KILL);
            try (Store again = Store.open(left, OPTIONS)) {
                assertEquals(store.stats().txid(), again.stats().txid());
            }
        }
        assertTrue(refused >= 5);
        none = false;
        put(store, 6, 20, Durability.ASYNC);
        store.close();
    }

    @Test
    void anExclusiveTransactionThatNobodyCouldEndIsRefused() {
        try (Store store = open(OPTIONS.withWriteTimeoutMillis(100))) {
            assertRefused(store::beginExclusive);
            put(store, 1, 20, Durability.SYNC); // it has left nothing behind
            try (Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED)) {
                assertRefused(transaction::exclusive);
            }
            put(store, 2, 20, Durability.SYNC);
            none = false;
            try (Transaction transaction = store.beginExclusive()) {
                transaction.put(tree, Slice.of("key"), Slice.of("value"));
                transaction.commit();
            }
        }
    }

    @Test
    void aBulkLoadAndAPlainWriterAreRefused() {
        try (Store store = open(OPTIONS.withWriteTimeoutMillis(100))) {
            assertRefused(store::bulk);
            put(store, 1, 20, Durability.SYNC);
            assertRefused(() -> store.withoutTransactions(Durability.ASYNC));
            put(store, 2, 20, Durability.SYNC);
            none = false;
            try (Bulk bulk = store.bulk()) {
                bulk.add(bulk.tree("u"), Slice.of("key"), Slice.of("value"));
                bulk.commit();
            }
            assertEquals(List.of(), store.check());
        }
    }
}
