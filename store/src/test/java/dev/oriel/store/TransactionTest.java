package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.engine.Store;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Individual rules of transactions, savepoints, cursors and slices.
final class TransactionTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private Store inMemory() {
        Store store = check.closing(Store.inMemory(OPTIONS));
        check.also("store", store::check);
        return store;
    }

    private static final StoreOptions OPTIONS = StoreOptions.defaults();

    private static void put(Transaction transaction, Tree tree, String key, String value) {
        transaction.put(tree, Slice.of(key), Slice.of(value));
    }

    private static Tree fill(Store store, String... keysAndValues) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree("t");
            for (int i = 0; i < keysAndValues.length; i += 2) {
                put(transaction, tree, keysAndValues[i], keysAndValues[i + 1]);
            }
            transaction.commit();
            return tree;
        }
    }

    /// The record is in the log already, so another commit of the same number must not follow.
    @Test
    void hookThatFailsPoisonsTheStoreAndTheLogStaysReadable() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        Tree tree = fill(store, "a", "1");
        try (Transaction transaction = store.beginWrite()) {
            put(transaction, tree, "a", "2");
            transaction.beforePublish(txid -> {
                throw new IllegalStateException("a bug of the layer above");
            });
            assertThrows(IllegalStateException.class, transaction::commit);
        }
        assertThrows(StorageException.class, store::beginWrite);
        try (Transaction transaction = store.beginRead()) {
            Slice value = new Slice();
            assertTrue(transaction.get(tree, Slice.of("a"), value));
            assertEquals("1", value.toText());
        }
        store.close();
        SimDirectory left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        try (Store again = Store.open(left, OPTIONS)) {
            fillMore(again, tree);
            assertEquals(List.of(), again.check());
        }
    }

    private static void fillMore(Store store, Tree tree) {
        try (Transaction transaction = store.beginWrite()) {
            put(transaction, tree, "b", "3");
            transaction.commit();
        }
    }

    /// The pages of the dropped tree were freed before the commit that found no room.
    @Test
    void savepointsEndWithACommitThatFoundNoRoom() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        Tree tree = fill(store, "a", "1");
        fillMore(store, tree);
        directory.spaceBytesMax(0);
        try (Transaction transaction = store.beginWrite()) {
            Tree other = transaction.createTree("other");
            put(transaction, other, "large", "x".repeat(100_000));
            Transaction.Savepoint savepoint = transaction.savepoint();
            transaction.dropTree(tree);
            assertThrows(LimitException.class, transaction::commit);
            assertThrows(UsageException.class, () -> transaction.rollbackTo(savepoint));
            directory.spaceBytesMax(Long.MAX_VALUE);
            transaction.commit();
        }
        assertEquals(List.of(), store.check());
        store.close();
    }

    @Test
    void treeCreatedAndDroppedInsideASavepointIsUndone() {
        Store store = inMemory();
        Tree tree = fill(store, "a", "1");
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint outer = transaction.savepoint();
            Tree created = transaction.createTree("u");
            put(transaction, created, "k", "x".repeat(5000));
            transaction.dropTree(tree);
            Transaction.Savepoint inner = transaction.savepoint();
            transaction.dropTree(created);
            transaction.createTree("u");
            transaction.createTree("t");
            transaction.rollbackTo(inner);
            Slice value = new Slice();
            assertTrue(transaction.get(created, Slice.of("k"), value));
            assertEquals(5000, value.length());
            transaction.rollbackTo(outer);
            assertEquals(tree, transaction.tree("t"));
            assertEquals(null, transaction.tree("u"));
            transaction.dropTree(tree);
            transaction.commit();
        }
        assertEquals(List.of(), store.check());
    }

    @Test
    void cursorThatMovedToAnotherTransactionIsLeftAloneByTheWritesOfTheFirst() {
        Store store = inMemory();
        Tree tree = fill(store, "a", "1", "b", "2");
        Slice slice = new Slice();
        try (Transaction writer = store.beginWrite();
                Transaction reader = store.beginRead()) {
            Cursor cursor = writer.cursor(tree);
            assertTrue(cursor.first());
            cursor.reset(reader, tree);
            assertTrue(cursor.first());
            put(writer, tree, "a", "3");
            cursor.value(slice);
            assertEquals("1", slice.toText());
            cursor.reset(writer, tree);
            assertTrue(cursor.first());
            put(writer, tree, "a", "4");
            assertThrows(UsageException.class, () -> cursor.value(slice));
            assertTrue(cursor.next());
            cursor.value(slice);
            assertEquals("2", slice.toText());
        }
    }

    @Test
    void longValueStaysWhileOtherCursorsAndLookupsReadLongValues() {
        Store store = inMemory();
        String one = "1".repeat(9000);
        String two = "2".repeat(9000);
        Tree tree = fill(store, "a", one, "b", two);
        try (Transaction transaction = store.beginWrite()) {
            Cursor first = transaction.cursor(tree);
            Cursor second = transaction.cursor(tree);
            assertTrue(first.first());
            assertTrue(second.last());
            Slice left = new Slice();
            Slice right = new Slice();
            Slice found = new Slice();
            first.value(left);
            second.value(right);
            assertTrue(transaction.get(tree, Slice.of("b"), found));
            assertEquals(one, left.toText());
            assertEquals(two, right.toText());
            transaction.savepoint();
            transaction.put(tree, Slice.of("b"), left);
            assertTrue(transaction.get(tree, Slice.of("b"), found));
            assertEquals(one, found.toText());
            assertNotNull(transaction.tree("t"));
        }
    }

    /// A value read from a page of the same transaction may move when another entry is written.
    @Test
    void valueReadBeforeCanBeWrittenUnderAnotherKey() {
        Store store = inMemory();
        SplittableRandom random = new SplittableRandom(5);
        Tree tree = fill(store);
        try (Transaction transaction = store.beginWrite()) {
            Slice value = new Slice();
            for (int i = 0; i < 3000; i++) {
                String key = "k" + random.nextInt(40);
                String other = "k" + random.nextInt(40);
                if (transaction.get(tree, Slice.of(key), value)) {
                    String text = value.toText();
                    transaction.put(tree, Slice.of(other), value);
                    assertTrue(transaction.get(tree, Slice.of(other), value));
                    assertEquals(text, value.toText());
                } else {
                    put(transaction, tree, key, key.repeat(1 + random.nextInt(300)));
                }
                if (random.nextInt(4) == 0) {
                    transaction.delete(tree, Slice.of("k" + random.nextInt(40)));
                }
            }
        }
    }

    @Test
    void interruptedThreadBeginsAWritingTransactionWhereNobodyIsInItsWay() {
        Store store = inMemory();
        Thread.currentThread().interrupt();
        try {
            store.beginExclusive().close();
            assertTrue(Thread.currentThread().isInterrupted());
            try (Transaction first = store.beginExclusive()) {
                assertFalse(first.snapshot() < 0);
                ConflictException refusal =
                        assertThrows(ConflictException.class, store::beginWrite);
                assertEquals(ConflictException.Reason.INTERRUPTED, refusal.reason());
            }
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    /// The number of syncs of the log shows the wait of a commit.
    @Test
    void aTransactionSaysHowDurableItsCommitIsToBe() {
        for (Durability usual : new Durability[] {Durability.WRITTEN, Durability.SYNC}) {
            Durability other = usual == Durability.SYNC ? Durability.WRITTEN : Durability.SYNC;
            StoreOptions options = StoreOptions.defaults().withDurability(usual);
            try (Store store = Store.open(new SimDirectory(), options)) {
                commit(store, usual); // the first one syncs more: the database was closed before
                long syncs = store.stats().syncs();
                assertEquals(other, commit(store, other));
                long after = store.stats().syncs();
                assertEquals(other == Durability.SYNC ? syncs + 1 : syncs, after);
                assertEquals(usual, commit(store, usual));
                assertEquals(usual == Durability.SYNC ? after + 1 : after, store.stats().syncs());
            }
        }
    }

    private static Durability commit(Store store, Durability wanted) {
        try (Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED)) {
            Tree known = transaction.tree("d");
            Tree tree = known != null ? known : transaction.createTree("d");
            transaction.durability(wanted);
            transaction.put(tree, Slice.of("k"), Slice.of("" + store.stats().txid()));
            return transaction.commit().durability();
        }
    }

    /// Without files, a write set that needs too much memory is refused. The transaction can be rolled back, and
    /// an exclusive one may make the writes.
    @Test
    void transactionThatWritesTooMuchIsToldSo() {
        StoreOptions options = OPTIONS.withWriteSetBytesMax(200_000);
        try (Store store = Store.inMemory(options)) {
            Tree tree;
            try (Transaction transaction = store.beginWrite()) {
                tree = transaction.createTree("t");
                transaction.commit();
            }
            Slice value = Slice.copyOf(new byte[1_000]);
            try (Transaction transaction = store.beginWrite()) {
                LimitException refusal =
                        assertThrows(
                                LimitException.class,
                                () -> {
                                    for (int i = 0; i < 1_000; i++) {
                                        transaction.put(tree, Slice.of("key " + i), value);
                                    }
                                });
                assertTrue(refusal.context().contains("max=200000"), refusal::getMessage);
                assertThrows(UsageException.class, transaction::commit);
            }
            try (Transaction transaction = store.beginExclusive()) {
                for (int i = 0; i < 1_000; i++) {
                    transaction.put(tree, Slice.of("key " + i), value);
                }
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
            try (Transaction transaction = store.beginRead()) {
                assertEquals(1_000, transaction.count(tree, new Slice(), null));
            }
        }
    }
}
