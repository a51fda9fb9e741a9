package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Range deletes by one of many writers: as a whole if it can lock the tree, otherwise entry by entry.
final class RangeWritesTest {
    private static final int ROWS = 20_000;
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withWriteTimeoutMillis(50).withCheckpointBytes(1L << 40);

    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();
    private final SimDirectory directory = new SimDirectory();
    private Tree tree = new Tree("", 0);

    private Store open() {
        Store store = check.closing(Store.open(directory, OPTIONS));
        check.also("store", store::check);
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            for (int i = 0; i < ROWS; i++) {
                transaction.put(tree, key(i), Slice.of("value " + i));
            }
            transaction.commit();
        }
        return store;
    }

    private static Slice key(int i) {
        return Slice.of("key %06d".formatted(i));
    }

    private long count(Transaction transaction) {
        return transaction.count(tree, new Slice(), null);
    }

    private static boolean isWhole(Transaction transaction) {
        return !Objects.requireNonNull(((WriteTransaction) transaction).writeSet())
                .hidden()
                .isEmpty();
    }

    private static int locks(Transaction transaction) {
        return ((WriteTransaction) transaction).owner().count();
    }

    @Test
    void manyKeysGoByOneLockAndAShortRecord() {
        Store store = open();
        Transaction.Commit commit;
        try (Transaction before = store.beginRead();
                Transaction transaction = store.beginWrite()) {
            assertEquals(ROWS - 200, transaction.deleteRange(tree, key(100), key(ROWS - 100)));
            assertTrue(isWhole(transaction));
            assertTrue(locks(transaction) < 5, "locks " + locks(transaction));
            assertEquals(200, count(transaction));
            assertFalse(transaction.get(tree, key(5_000), new Slice()));
            assertTrue(transaction.insert(tree, key(5_000), Slice.of("new")));
            commit = transaction.commit();
            assertEquals(ROWS, count(before));
        }
        try (Transaction after = store.beginRead()) {
            Slice value = new Slice();
            assertEquals(201, count(after));
            assertTrue(after.get(tree, key(5_000), value));
            assertEquals("new", value.toText());
        }
        assertTrue(commit.logBytes() < 40_000, "log bytes " + commit.logBytes());
        assertTrue(store.stats().freePages() > 50, "free " + store.stats().freePages());
        SimDirectory left = directory.crash(new SplittableRandom(3), CrashProfile.ATOMIC_SECTOR);
        try (Store again = Store.open(left, OPTIONS);
                Transaction after = again.beginRead()) {
            assertEquals(201, count(after));
        }
    }

    @Test
    void whoeverElseWritesToTheTreeHasItsEntriesKeptApart() {
        Store store = open();
        try (Transaction other = store.beginWrite();
                Transaction transaction = store.beginWrite()) {
            other.put(tree, key(ROWS + 5), Slice.of("another's"));
            assertEquals(ROWS - 100, transaction.deleteRange(tree, key(100), key(ROWS)));
            assertFalse(isWhole(transaction));
            other.commit();
            transaction.commit();
        }
        try (Transaction after = store.beginRead()) {
            assertEquals(101, count(after));
        }
    }

    @Test
    void whoeverComesToTheTreeLaterWaits() {
        Store store = open();
        try (Transaction transaction = store.beginWrite();
                Transaction other = store.beginWrite(Isolation.READ_COMMITTED)) {
            transaction.deleteRange(tree, key(100), null);
            assertTrue(isWhole(transaction));
            assertThrows(ConflictException.class, () -> other.put(tree, key(3), Slice.of("waits")));
            transaction.commit();
            other.refresh();
            other.put(tree, key(3), Slice.of("comes"));
            ConflictException changed = null;
            try (Transaction older = store.beginWrite()) {
                other.commit();
                changed =
                        assertThrows(
                                ConflictException.class,
                                () -> older.put(tree, key(3), Slice.of("late")));
            }
            assertEquals(ConflictException.Reason.CHANGED, changed.reason());
        }
    }

    /// Entries that others insert into the range after the snapshot are not seen, and stay.
    @Test
    void whatCameSinceTheSnapshotStays() {
        Store store = open();
        try (Transaction transaction = store.beginWrite()) {
            try (Transaction other = store.beginWrite()) {
                other.put(tree, Slice.of("key 000500 new"), Slice.of("unseen"));
                other.commit();
            }
            assertEquals(ROWS - 100, transaction.deleteRange(tree, key(100), null));
            assertFalse(isWhole(transaction));
            transaction.commit();
        }
        try (Transaction after = store.beginRead()) {
            assertEquals(101, count(after));
        }
    }

    @Test
    void behindASavepointTheWayBackIsKept() {
        Store store = open();
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint before = transaction.savepoint();
            assertEquals(ROWS, transaction.deleteRange(tree, new Slice(), null));
            assertFalse(isWhole(transaction));
            transaction.rollbackTo(before);
            assertEquals(ROWS, count(transaction));
            transaction.release(before);
            assertEquals(ROWS, transaction.deleteRange(tree, new Slice(), null));
            assertTrue(isWhole(transaction));
            Transaction.Savepoint later = transaction.savepoint();
            transaction.put(tree, key(7), Slice.of("7"));
            assertEquals(1, count(transaction));
            transaction.rollbackTo(later);
            assertEquals(0, count(transaction));
            transaction.restart();
            assertEquals(ROWS, count(transaction));
            assertEquals(ROWS, transaction.deleteRange(tree, new Slice(), null));
            transaction.exclusive(); // continues in the tree itself
            assertEquals(0, count(transaction));
        }
        try (Transaction after = store.beginRead()) {
            assertEquals(ROWS, count(after));
        }
    }

    @Test
    void aSavepointBeforeTheFirstWriteIsReachedFromTheTreesToo() {
        Store store = open();
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint before = transaction.savepoint();
            assertEquals(ROWS, transaction.deleteRange(tree, new Slice(), null));
            transaction.exclusive();
            assertEquals(0, count(transaction));
            transaction.rollbackTo(before);
            assertEquals(ROWS, count(transaction));
            transaction.commit();
        }
        try (Transaction after = store.beginRead()) {
            assertEquals(ROWS, count(after));
        }
    }

    /// Few keys are locked one by one, so that others can use the rest of the tree.
    @Test
    void fewKeysLeaveTheTreeToOthers() {
        Store store = open();
        try (Transaction transaction = store.beginWrite();
                Transaction other = store.beginWrite()) {
            assertEquals(100, transaction.deleteRange(tree, key(100), key(200)));
            assertFalse(isWhole(transaction));
            other.put(tree, key(300), Slice.of("beside"));
            other.commit();
            transaction.commit();
        }
    }
}
