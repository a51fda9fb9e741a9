package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.AfterEachCheck;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Savepoints set before the first write of a transaction: no undo log is kept for them, unless the write set is
/// flushed into the trees.
final class EarlySavepointTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Map<String, String> BEFORE = Map.of("a", "1", "b", "2");

    private Store store;
    private Tree tree;

    @BeforeEach
    void fill() {
        store = check.closing(Store.inMemory(StoreOptions.defaults()));
        check.also("store", store::check);
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            BEFORE.forEach((key, value) -> put(transaction, key, value));
            transaction.commit();
        }
    }

    private void put(Transaction transaction, String key, String value) {
        transaction.put(tree, Slice.of(key), Slice.of(value));
    }

    private Map<String, String> entries(Transaction transaction) {
        Map<String, String> entries = new TreeMap<>();
        Slice key = new Slice();
        Slice value = new Slice();
        Cursor cursor = transaction.cursor(tree);
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            cursor.key(key);
            cursor.value(value);
            entries.put(key.toText(), value.toText());
        }
        return entries;
    }

    private void assertCommitted(Map<String, String> expected) {
        try (Transaction transaction = store.beginRead()) {
            assertEquals(expected, entries(transaction));
        }
    }

    @Test
    void allThatWasWrittenIsForgotten() {
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint first = transaction.savepoint();
            Transaction.Savepoint second = transaction.savepoint();
            put(transaction, "a", "3");
            transaction.delete(tree, Slice.of("b"));
            Transaction.Savepoint third = transaction.savepoint();
            put(transaction, "c", "4");
            transaction.rollbackTo(third);
            assertEquals(Map.of("a", "3"), entries(transaction));
            transaction.rollbackTo(second);
            assertEquals(BEFORE, entries(transaction));
            assertThrows(UsageException.class, () -> transaction.rollbackTo(third));
            put(transaction, "d", "5");
            transaction.release(second);
            put(transaction, "e", "6");
            transaction.rollbackTo(first);
            assertEquals(BEFORE, entries(transaction));
            put(transaction, "f", "7");
            transaction.commit();
        }
        assertCommitted(Map.of("a", "1", "b", "2", "f", "7"));
    }

    @Test
    void itIsReachedOutOfTheTreesToo() {
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint early = transaction.savepoint();
            put(transaction, "a", "3");
            transaction.delete(tree, Slice.of("b"));
            Transaction.Savepoint late = transaction.savepoint();
            put(transaction, "c", "4");
            transaction.exclusive();
            put(transaction, "d", "5");
            transaction.rollbackTo(late);
            assertEquals(Map.of("a", "3"), entries(transaction));
            put(transaction, "b", "6");
            transaction.rollbackTo(early);
            assertEquals(BEFORE, entries(transaction));
            put(transaction, "a", "7");
            transaction.rollbackTo(early);
            assertEquals(BEFORE, entries(transaction));
            put(transaction, "e", "8");
            transaction.commit();
        }
        assertCommitted(Map.of("a", "1", "b", "2", "e", "8"));
    }

    @Test
    void oneThatIsReleasedIsNoWayBackFromTheTrees() {
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint early = transaction.savepoint();
            put(transaction, "a", "3");
            Transaction.Savepoint late = transaction.savepoint();
            transaction.exclusive();
            put(transaction, "b", "4");
            transaction.rollbackTo(late);
            transaction.release(early);
            assertThrows(UsageException.class, () -> transaction.rollbackTo(early));
            Transaction.Savepoint again = transaction.savepoint();
            put(transaction, "c", "5");
            transaction.rollbackTo(again);
            transaction.commit();
        }
        assertCommitted(Map.of("a", "3", "b", "2"));
    }

    /// Cursors go on from their positions.
    @Test
    void cursorsFindTheirPlacesAgain() {
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint early = transaction.savepoint();
            put(transaction, "aa", "3");
            Cursor cursor = transaction.cursor(tree);
            cursor.seek(Slice.of("aa"));
            transaction.rollbackTo(early);
            Slice key = new Slice();
            assertEquals(true, cursor.next());
            cursor.key(key);
            assertEquals("b", key.toText());
            transaction.commit();
        }
        assertCommitted(BEFORE);
    }
}
