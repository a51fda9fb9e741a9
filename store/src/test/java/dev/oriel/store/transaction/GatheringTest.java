package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.engine.Store;
import dev.oriel.store.model.Model;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A store in memory that gathers: what commits leave above the pages goes into pages when only readers come.
final class GatheringTest {
    private static final int KEYS = 5_000;
    private static final int COMMIT_KEYS = 10;
    private static final int READS = 500;

    /// Prime to KEYS: keys come in no order.
    private static final int STRIDE = 2_741;

    private Store store = newStore();
    private Tree tree = new Tree("", 0);

    private static Store newStore() {
        return Store.inMemory(StoreOptions.defaults().withGatheredBytesMax(8 << 20));
    }

    @BeforeEach
    void fill() {
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            transaction.commit();
        }
        for (int i = 0; i < KEYS; i += COMMIT_KEYS) {
            write(i);
        }
    }

    private void write(int first) {
        try (Transaction transaction = store.beginWrite()) {
            for (int i = first; i < first + COMMIT_KEYS; i++) {
                String key = "key" + (long) i * STRIDE % KEYS;
                transaction.put(tree, Model.slice(key), Model.slice("value of " + key));
            }
            transaction.commit();
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Deltas deltas() {
        try (Transaction transaction = store.beginRead()) {
            return ((ReadTransaction) transaction).state().deltas();
        }
    }

    private int count(Transaction transaction) {
        Cursor cursor = transaction.cursor(tree);
        int count = 0;
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            count++;
        }
        return count;
    }

    @Test
    void readersOfAQuietStoreBringEntriesIntoPages() {
        assertTrue(deltas().entries() > KEYS / 2, "entries lie above the pages");
        try (Transaction before = store.beginRead()) {
            for (int i = 0; i < READS; i++) {
                store.beginRead().close();
            }
            assertTrue(deltas().isEmpty());
            assertEquals(KEYS, count(before));
            assertFalse(((ReadTransaction) before).state().deltas().isEmpty());
        }
        try (Transaction after = store.beginRead()) {
            assertEquals(KEYS, count(after));
        }
    }

    @Test
    void transactionsThatOnlyReadDoSoToo() {
        for (int i = 0; i < READS; i++) {
            store.beginWrite().close();
        }
        assertTrue(deltas().isEmpty());
    }

    @Test
    void entriesStayWhileCommitsGoOn() {
        for (int i = 0; i < READS; i++) {
            store.beginRead().close();
            if (i % 10 == 0) {
                write(i);
            }
        }
        assertTrue(deltas().entries() > KEYS / 2);
    }

    /// In a hook of a commit, whose thread has the role.
    @Test
    void readersLeaveEntriesAloneWhileTheRoleIsTaken() {
        try (Transaction transaction = store.beginWrite()) {
            transaction.put(tree, Model.slice("another"), Model.slice(""));
            transaction.beforePublish(_ -> {
                for (int i = 0; i < READS; i++) {
                    store.beginRead().close();
                }
                assertTrue(deltas().entries() > KEYS / 2);
            });
            transaction.commit();
        }
        try (Transaction after = store.beginRead()) {
            assertEquals(KEYS + 1, count(after));
        }
    }
}
