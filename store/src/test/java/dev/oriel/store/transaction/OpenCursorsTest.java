package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ClosedException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.testkit.AfterEachCheck;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A writing transaction knows the cursors in use, however many it has made, and the ones that come back into use.
final class OpenCursorsTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final int OPEN_MAX = 130;

    private final Store store = Store.inMemory(StoreOptions.defaults());
    private final Tree tree = filled();

    /// Creates a tree with one entry.
    private Tree filled() {
        check.closing(store);
        check.also("store", store::check);
        try (Transaction transaction = store.beginWrite()) {
            Tree created = transaction.createTree("t");
            put(transaction, created, "a");
            transaction.commit();
            return created;
        }
    }

    private static void put(Transaction transaction, Tree tree, String key) {
        transaction.put(tree, Slice.of(key), Slice.of("1"));
    }

    private static String key(Cursor cursor) {
        Slice key = new Slice();
        cursor.key(key);
        return key.toText();
    }

    private WriteTransaction writing() {
        return (WriteTransaction) store.beginWrite();
    }

    private void readMuch(Transaction transaction) {
        for (int i = 0; i < 10_000; i++) {
            Cursor done = transaction.cursor(tree);
            assertTrue(done.first());
            assertFalse(done.next());
        }
    }

    @Test
    void cursorsThatAreDoneWithAreForgotten() {
        try (WriteTransaction writing = writing()) {
            Cursor kept = writing.cursor(tree);
            assertTrue(kept.first());
            readMuch(writing);
            assertTrue(writing.openCursors() <= OPEN_MAX, writing.openCursors() + " cursors");
            put(writing, tree, "b");
            assertTrue(kept.next());
            assertEquals("b", key(kept));
        }
    }

    @Test
    void cursorsThatNobodyHasAreForgotten() {
        try (WriteTransaction writing = writing()) {
            int made = 0;
            long begun = System.nanoTime();
            do {
                for (int i = 0; i < 1_000; i++) {
                    assertTrue(writing.cursor(tree).first());
                }
                made += 1_000;
                System.gc();
            } while (writing.openCursors() > made / 2
                    && System.nanoTime() - begun < Duration.ofMinutes(2).toNanos());
            assertTrue(writing.openCursors() <= made / 2, writing.openCursors() + " of " + made);
        }
    }

    @Test
    void aCursorThatWasForgottenIsToldOfWritesAgain() {
        try (WriteTransaction writing = writing()) {
            Cursor back = writing.cursor(tree);
            Cursor before = writing.cursor(tree);
            Cursor last = writing.cursor(tree);
            readMuch(writing);
            assertTrue(back.seek(Slice.of("a")));
            assertTrue(before.seekBefore(Slice.of("b")));
            assertTrue(last.last());
            put(writing, tree, "0");
            put(writing, tree, "b");
            assertTrue(back.next());
            assertEquals("b", key(back));
            assertTrue(before.previous());
            assertEquals("0", key(before));
            assertTrue(last.next());
            assertEquals("b", key(last));
        }
    }

    @Test
    void aCursorThatWasForgottenReadsWhatATransactionWritesInPlace() {
        try (WriteTransaction writing = writing()) {
            Cursor back = writing.cursor(tree);
            readMuch(writing);
            writing.exclusive();
            put(writing, tree, "b");
            assertTrue(back.last());
            assertEquals("b", key(back));
            put(writing, tree, "c");
            assertTrue(back.next());
            assertEquals("c", key(back));
        }
    }

    @Test
    void aCursorThatWasForgottenEndsWithItsTransaction() {
        try (WriteTransaction writing = writing()) {
            Cursor back = writing.cursor(tree);
            readMuch(writing);
            writing.commit();
            assertFalse(back.next());
            assertThrows(ClosedException.class, back::first);
            try (Transaction next = store.beginWrite()) {
                back.reset(next, tree);
                assertTrue(back.first());
                put(next, tree, "b");
                assertTrue(back.next());
            }
        }
    }
}
