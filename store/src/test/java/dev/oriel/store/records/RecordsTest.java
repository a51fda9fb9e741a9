package dev.oriel.store.records;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.testkit.AfterEachCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordsTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final Store store = Store.inMemory(StoreOptions.defaults().withWriteTimeoutMillis(200));
    private final Records records = Records.open(store, "r");
    private final Slice found = new Slice();

    @BeforeEach
    void checkAfterwards() {
        check.closing(store);
        check.also("store", store::check);
        check.also(
                "records",
                () -> {
                    try (Transaction transaction = store.beginRead()) {
                        return records.check(transaction);
                    }
                });
    }

    static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 31 + i + i / 251);
        }
        return bytes;
    }

    private long insertOne(byte[] content) {
        try (Transaction transaction = store.beginWrite()) {
            long id = records.insert(transaction, content);
            transaction.commit();
            return id;
        }
    }

    private void deleteOne(long id) {
        try (Transaction transaction = store.beginWrite()) {
            records.delete(transaction, id);
            transaction.commit();
        }
    }

    private byte[] fetchOne(long id) {
        try (Transaction transaction = store.beginRead()) {
            return records.fetch(transaction, id);
        }
    }

    @Test
    void idsAscendAndRecordsComeBack() {
        assertEquals(1, insertOne(bytes(150, 1)));
        assertEquals(2, insertOne(new byte[0]));
        assertEquals(3, insertOne(bytes(10_000, 3)));
        assertArrayEquals(bytes(150, 1), fetchOne(1));
        assertArrayEquals(new byte[0], fetchOne(2));
        assertArrayEquals(bytes(10_000, 3), fetchOne(3));
    }

    /// Lengths around each boundary: of padding's two headers, of leaves, of chunks.
    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 1, 252, 253, 254, 255, 256, 1980, 1987, 1988, 1989, 1990, 1991, 8152, 65_215,
                65_216, 65_217, 130_432, 200_000
            })
    void everyLengthIsKeptHoweverItIsWritten(int length) throws IOException {
        byte[] content = bytes(length, 7);
        try (Transaction transaction = store.beginWrite()) {
            long array = records.insert(transaction, content);
            long slice = records.insert(transaction, Slice.copyOf(content));
            long stream = records.insert(transaction, new ByteArrayInputStream(content));
            long hinted = records.insert(transaction, content, length + 300);
            long grown = records.insert(transaction, new byte[3]);
            records.update(transaction, grown, content);
            long shrunk = records.insert(transaction, bytes(300_000, 1));
            records.update(transaction, shrunk, Slice.copyOf(content));
            long replaced = records.insert(transaction, bytes(70_000, 2));
            records.update(transaction, replaced, new ByteArrayInputStream(content));
            for (long id : new long[] {array, slice, stream, hinted, grown, shrunk, replaced}) {
                assertArrayEquals(content, records.fetch(transaction, id), "record " + id);
                assertEquals(length, records.length(transaction, id));
                try (InputStream in = records.open(transaction, id)) {
                    assertArrayEquals(content, in.readAllBytes());
                }
            }
            transaction.commit();
        }
    }

    @Test
    void aRecordThatGrewIsOverwrittenWhereItLies() {
        long id = insertOne(bytes(100, 1));
        int[] rows = new int[8];
        for (int i = 0; i < rows.length; i++) {
            try (Transaction transaction = store.beginWrite()) {
                records.update(transaction, id, bytes(110 + i, i));
                rows[i] = rowBytes(transaction, id);
                transaction.commit();
            }
            assertArrayEquals(bytes(110 + i, i), fetchOne(id));
        }
        assertEquals(111 + 13, rows[0], "111 bytes, and an eighth at least of room");
        assertEquals(1, Arrays.stream(rows).distinct().count(), Arrays.toString(rows));
        try (Transaction transaction = store.beginWrite()) {
            records.update(transaction, id, bytes(170, 1));
            assertEquals(171 + 47, rowBytes(transaction, id), "as much as it grew by");
            records.update(transaction, id, bytes(10, 1));
            assertEquals(11, rowBytes(transaction, id), "the room is given back");
            transaction.commit();
        }
    }

    private int rowBytes(Transaction transaction, long id) {
        Tree tree = transaction.tree("r");
        assertTrue(tree != null && transaction.get(tree, recordKey(id), found));
        return found.length();
    }

    private static Slice recordKey(long id) {
        return RecordFormat.rowKey(Slice.copyOf(new byte[8]).segment(), id, new Slice());
    }

    @Test
    void roomThatWasAskedForIsThereAndCannotBeSeen() {
        try (Transaction transaction = store.beginWrite()) {
            long id = records.insert(transaction, bytes(10, 1), 1_000);
            assertEquals(1_001, rowBytes(transaction, id));
            assertArrayEquals(bytes(10, 1), records.fetch(transaction, id));
            for (int length = 1_000; length > 5; length = length * 3 / 4) {
                records.update(transaction, id, bytes(length, length));
                assertEquals(1_001, rowBytes(transaction, id));
                assertArrayEquals(bytes(length, length), records.fetch(transaction, id));
            }
            long most = records.insert(transaction, bytes(10, 1), 1_000_000);
            assertEquals(RecordFormat.INLINE_BYTES_MAX, rowBytes(transaction, most));
            transaction.commit();
        }
    }

    @Test
    void aFreedIdIsGivenAgainAfterTheCommitOnly() {
        long first = insertOne(bytes(5, 1));
        long second = insertOne(bytes(5, 2));
        try (Transaction transaction = store.beginWrite()) {
            records.delete(transaction, first);
            assertEquals(second + 1, records.insert(transaction, bytes(5, 3)));
            transaction.commit();
        }
        assertEquals(first, insertOne(bytes(5, 4)));
        assertEquals(second + 2, insertOne(bytes(5, 5)));
    }

    @Test
    void idsAreFoundFromTheTopOfAStack() {
        for (int i = 1; i <= 1_000; i++) {
            assertEquals(i, insertOne(bytes(3, i)));
        }
        try (Transaction transaction = store.beginWrite()) {
            for (int id = 100; id <= 900; id++) {
                records.delete(transaction, id);
            }
            transaction.commit();
        }
        for (int id = 900; id >= 100; id--) {
            assertEquals(id, insertOne(bytes(4, id)));
        }
        assertEquals(1_001, insertOne(bytes(4, 0)));
    }

    @Test
    void aReaderGoesOnSeeingTheRecordWhoseIdWasGivenAgain() {
        long id = insertOne(bytes(50, 1));
        try (Transaction old = store.beginRead()) {
            deleteOne(id);
            try (Transaction between = store.beginRead()) {
                assertEquals(id, insertOne(bytes(60, 2)));
                assertArrayEquals(bytes(50, 1), records.fetch(old, id));
                assertFalse(records.fetch(between, id, found));
                assertArrayEquals(bytes(60, 2), fetchOne(id));
            }
        }
    }

    @Test
    void rollingBackGivesIdsBack() {
        long first = insertOne(bytes(5, 1));
        long second = insertOne(bytes(5, 2));
        deleteOne(first);
        try (Transaction transaction = store.beginWrite()) {
            assertEquals(first, records.insert(transaction, bytes(9, 3)));
            records.delete(transaction, second);
        }
        assertArrayEquals(bytes(5, 2), fetchOne(second));
        assertEquals(first, insertOne(bytes(9, 4)));
        assertNotEquals(second, insertOne(bytes(9, 5)));
        assertArrayEquals(bytes(5, 2), fetchOne(second));
    }

    /// The token of the undone deletion must not be valid, also not after a real one.
    @Test
    void aDeletionThatASavepointUndoesFreesNothing() {
        long id = insertOne(bytes(5, 1));
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint savepoint = transaction.savepoint();
            records.delete(transaction, id);
            transaction.rollbackTo(savepoint);
            transaction.commit();
        }
        assertEquals(id + 1, insertOne(bytes(6, 2)));
        assertArrayEquals(bytes(5, 1), fetchOne(id));
        try (Transaction transaction = store.beginWrite()) {
            Transaction.Savepoint savepoint = transaction.savepoint();
            records.delete(transaction, id);
            transaction.rollbackTo(savepoint);
            records.delete(transaction, id);
            transaction.commit();
        }
        assertEquals(id, insertOne(bytes(7, 3)));
        assertEquals(id + 2, insertOne(bytes(7, 4)));
    }

    @Test
    void handlesOfOneCollectionShareIds() {
        Records other = Records.open(store, "r");
        Records elsewhere = Records.open(store, "s");
        try (Transaction transaction = store.beginWrite()) {
            assertEquals(1, records.insert(transaction, bytes(1, 1)));
            assertEquals(2, other.insert(transaction, bytes(2, 2)));
            assertEquals(1, elsewhere.insert(transaction, bytes(3, 3)));
            records.delete(transaction, 2);
            transaction.commit();
        }
        try (Transaction transaction = store.beginWrite()) {
            assertEquals(2, other.insert(transaction, bytes(4, 4)));
            assertEquals(3, records.insert(transaction, bytes(5, 5)));
            assertArrayEquals(bytes(3, 3), elsewhere.fetch(transaction, 1));
        }
    }

    @Test
    void rootsNameRecords() {
        long id = insertOne(bytes(8, 1));
        long other = insertOne(bytes(8, 2));
        try (Transaction transaction = store.beginWrite()) {
            assertEquals(0, records.root(transaction, "head"));
            records.setRoot(transaction, "head", id);
            records.setRoot(transaction, "t\u00eate", other);
            assertEquals(id, records.root(transaction, "head"));
            records.setRoot(transaction, "head", other);
            transaction.commit();
        }
        try (Transaction transaction = store.beginWrite()) {
            assertEquals(other, records.root(transaction, "head"));
            assertEquals(other, records.root(transaction, "t\u00eate"));
            assertTrue(records.removeRoot(transaction, "head"));
            assertFalse(records.removeRoot(transaction, "head"));
            assertEquals(0, records.root(transaction, "head"));
            assertThrows(
                    UsageException.class, () -> records.setRoot(transaction, "head", other + 1));
            assertThrows(UsageException.class, () -> records.setRoot(transaction, "", other));
            assertThrows(
                    UsageException.class,
                    () -> records.setRoot(transaction, "x".repeat(1_000), other));
            records.setRoot(transaction, "x".repeat(999), other);
            transaction.commit();
        }
    }

    @Test
    void whatIsNotThereIsSaid() {
        long id = insertOne(bytes(8, 1));
        deleteOne(id);
        try (Transaction transaction = store.beginWrite()) {
            for (long missing : new long[] {id, id + 1, Long.MAX_VALUE}) {
                assertFalse(records.fetch(transaction, missing, found));
                UsageException e =
                        assertThrows(
                                UsageException.class, () -> records.fetch(transaction, missing));
                assertTrue(String.valueOf(e.getMessage()).contains("no record of that id"));
                assertEquals("records=r id=" + missing, e.context());
                assertThrows(
                        UsageException.class,
                        () -> records.update(transaction, missing, bytes(1, 1)));
                assertThrows(
                        UsageException.class,
                        () -> records.update(transaction, missing, bytes(70_000, 1)));
                assertThrows(UsageException.class, () -> records.delete(transaction, missing));
                assertThrows(UsageException.class, () -> records.open(transaction, missing));
            }
            for (long foreign : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThrows(
                        UsageException.class, () -> records.fetch(transaction, foreign, found));
            }
            assertThrows(UsageException.class, () -> records.insert(transaction, bytes(1, 1), -1));
        }
        try (Transaction reader = store.beginRead()) {
            assertThrows(UsageException.class, () -> records.insert(reader, bytes(1, 1)));
            assertThrows(UsageException.class, () -> records.delete(reader, 1));
        }
        assertEquals(id, insertOne(bytes(1, 1)), "no failure has used the free id up");
    }

    private static InputStream brokenAfter(byte[] content) {
        return new SequenceInputStream(new ByteArrayInputStream(content), new Unplugged());
    }

    private static final class Unplugged extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("unplugged");
        }

        @Override
        public int read(byte[] into, int offset, int bytesMax) throws IOException {
            throw new IOException("unplugged");
        }
    }

    @Test
    void aStreamThatFailsChangesNothing() {
        byte[] before = bytes(100_000, 1);
        long id = insertOne(before);
        InputStream broken = brokenAfter(bytes(200_000, 2));
        try (Transaction transaction = store.beginWrite()) {
            assertThrows(IOException.class, () -> records.update(transaction, id, broken));
            assertArrayEquals(before, records.fetch(transaction, id));
            transaction.commit();
        }
        assertArrayEquals(before, fetchOne(id));
    }

    @Test
    void anInsertedStreamThatFailsLeavesNothing() {
        InputStream broken = brokenAfter(bytes(200_000, 2));
        try (Transaction transaction = store.beginWrite()) {
            assertThrows(IOException.class, () -> records.insert(transaction, broken));
            transaction.commit();
        }
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree("r");
            assertTrue(tree != null);
            assertEquals(0, transaction.count(tree, new Slice(), null));
        }
    }

    /// The new chunks are written before the row is refused.
    @Test
    void aLongUpdateThatComesTooLateLeavesNothing() {
        long small = insertOne(bytes(100, 1));
        long big = insertOne(bytes(100_000, 2));
        try (Transaction late = store.beginWrite(Isolation.SNAPSHOT)) {
            Records mine = Records.open(store, "r");
            assertArrayEquals(bytes(100, 1), mine.fetch(late, small));
            try (Transaction transaction = store.beginWrite()) {
                records.update(transaction, small, bytes(50, 3));
                records.update(transaction, big, bytes(60, 4));
                transaction.commit();
            }
            for (long id : new long[] {small, big}) {
                assertThrows(
                        ConflictException.class, () -> mine.update(late, id, bytes(200_000, 5)));
            }
            mine.insert(late, bytes(10, 6));
            late.commit();
        }
        assertArrayEquals(bytes(50, 3), fetchOne(small));
        assertArrayEquals(bytes(60, 4), fetchOne(big));
    }

    @Test
    void aLongInsertWhoseIdIsLockedLeavesNothing() {
        Slice key = new Slice();
        try (Transaction holder = store.beginWrite(Isolation.READ_COMMITTED);
                Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED)) {
            Tree tree = holder.tree("r");
            assertTrue(tree != null);
            RecordFormat.rowKey(Slice.copyOf(new byte[12]).segment(), 1, key);
            holder.lock(tree, key, Transaction.LockMode.EXCLUSIVE, holder.patience());
            assertThrows(
                    ConflictException.class, () -> records.insert(transaction, bytes(200_000, 1)));
            transaction.commit();
        }
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree("r");
            assertTrue(tree != null);
            assertEquals(0, transaction.count(tree, new Slice(), null));
        }
        assertEquals(1, insertOne(bytes(200_000, 2)));
    }

    @Test
    void aStreamCanSkipAndSeesWhenItsRecordChanges() throws IOException {
        byte[] content = bytes(300_000, 5);
        long id = insertOne(content);
        try (Transaction transaction = store.beginWrite();
                InputStream in = records.open(transaction, id)) {
            assertEquals(content[0], (byte) in.read());
            in.skipNBytes(199_999);
            assertEquals(100_000, in.available());
            assertEquals(content[200_000], (byte) in.read());
            records.update(transaction, id, bytes(250_000, 6));
            in.skipNBytes(70_000);
            assertThrows(UsageException.class, in::read);
            assertArrayEquals(bytes(250_000, 6), records.fetch(transaction, id));
            transaction.commit();
        }
    }

    @Test
    void whatIsDamagedIsFound() {
        long id = insertOne(bytes(150_000, 1));
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("r");
            assertTrue(tree != null);
            Slice second =
                    RecordFormat.chunkKey(
                            Slice.copyOf(new byte[12]).segment(), id, 0, 1, new Slice());
            assertTrue(transaction.delete(tree, second));
            assertFalse(records.check(transaction).isEmpty());
            assertThrows(CorruptionException.class, () -> records.fetch(transaction, id, found));
        }
        try (Transaction transaction = store.beginWrite()) {
            Tree directory = transaction.tree("r/directory");
            assertTrue(directory != null);
            Slice free = RecordFormat.freeKey(Slice.copyOf(new byte[9]).segment(), id, new Slice());
            transaction.put(directory, free, Slice.copyOf(new byte[8]));
            assertEquals(1, records.check(transaction).size());
        }
    }
}
