package dev.oriel.table.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.ClosedException;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.array.Versions;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.model.Values;
import dev.oriel.table.transaction.StoredTransaction;
import dev.oriel.testkit.AfterEachCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

final class TablesTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Index BY_NAME = new Index("by_name", Index.Kind.BTREE, true, List.of(1));
    private static final Index BY_AGE = new Index("by_age", Index.Kind.ARRAY, true, List.of(2, 1));

    private Tables open() {
        return open(Store.inMemory(StoreOptions.defaults()));
    }

    private Tables open(Store store) {
        Tables tables = check.closing(Tables.open(store));
        check.also("tables", tables::check);
        return tables;
    }

    private static Table person(String name, Index... indexes) {
        return new Table(
                0,
                name,
                List.of(
                        new Column("Id", Type.of(Type.Name.BIGINT), true),
                        new Column("Name", Type.varchar(2000), true),
                        new Column("Age", Type.of(Type.Name.SMALLINT), true)),
                List.of(0),
                List.of(indexes));
    }

    private static List<String> names(
            TableTransaction transaction, Table table, @Nullable Index by) {
        RowCursor cursor = transaction.cursor(table, by);
        cursor.open(transaction, new KeyRange(2), false);
        List<String> names = new ArrayList<>();
        while (cursor.next()) {
            names.add(String.valueOf(cursor.textAt(1)));
        }
        return names;
    }

    private static ConstraintException refused(Kind kind, Executable work) {
        ConstraintException refusal = assertThrows(ConstraintException.class, work);
        assertEquals(kind, refusal.kind(), refusal.getMessage());
        return refusal;
    }

    @Test
    void definitionsAndRowsSurviveClosing(@TempDir Path folder) throws IOException {
        Tables tables = open(Store.open(DiskDirectory.open(folder), StoreOptions.defaults()));
        Table created;
        try (TableTransaction write = tables.beginWrite()) {
            created = write.create(person("Person", BY_NAME, BY_AGE));
            write.insert(created, Values.tuple(2L, "Ada", 36L));
            write.insert(created, Values.tuple(1L, "Bob", null));
            write.commit();
        }
        tables.close();
        tables = open(Store.open(DiskDirectory.open(folder), StoreOptions.defaults()));
        Table found = tables.catalog().table("PERSON");
        assertEquals(created, found);
        assertNotNull(found);
        assertFalse(found.columns().get(0).nullable(), "a key's column is never NULL");
        try (TableTransaction read = tables.beginRead()) {
            assertEquals(List.of("Bob", "Ada"), names(read, found, null));
            assertEquals(List.of("Ada", "Bob"), names(read, found, BY_NAME));
            assertEquals(List.of("Ada", "Bob"), names(read, found, BY_AGE), "NULL comes last");
        }
        try (TableTransaction write = tables.beginWrite()) {
            Table next = write.create(person("Other"));
            assertTrue(next.id() > created.id() + 2, "numbers are never given twice");
            write.commit();
        }
    }

    @Test
    void namesAreUniqueWithoutRegardToCase() {
        Tables tables = open();
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(person("Person", BY_NAME));
            refused(Kind.DUPLICATE_NAME, () -> write.create(person("PERSON")));
            refused(Kind.DUPLICATE_NAME, () -> write.create(person("Other", BY_NAME)));
            assertNull(write.catalog().table("Other"), "nothing of a refused table stays");
            refused(
                    Kind.DUPLICATE_NAME,
                    () ->
                            write.createIndex(
                                    table,
                                    new Index("BY_NAME", Index.Kind.ARRAY, false, List.of(2))));
            Column twice = new Column("A", Type.of(Type.Name.BIGINT), true);
            refused(
                    Kind.DUPLICATE_NAME,
                    () ->
                            write.create(
                                    new Table(
                                            0,
                                            "Twice",
                                            List.of(twice, new Column("a", twice.type(), true)),
                                            List.of(),
                                            List.of())));
            write.commit();
        }
    }

    @Test
    void unknownNamesComeWithTheNearest() {
        Tables tables = open();
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(person("Person", BY_NAME));
            write.create(person("Invoice"));
            Index misspelt = new Index("by_nmae", Index.Kind.BTREE, false, List.of(1));
            ConstraintException index =
                    refused(Kind.UNKNOWN_NAME, () -> write.dropIndex(table, misspelt));
            assertTrue(index.context().endsWith("nearest=by_name"), index.context());
            Table other = new Table(77, "Persn", table.columns(), List.of(), List.of());
            ConstraintException unknown = refused(Kind.UNKNOWN_NAME, () -> write.drop(other));
            assertTrue(unknown.context().endsWith("nearest=Person"), unknown.context());
            write.commit();
        }
    }

    @Test
    void malformedDefinitionsAreRefused() {
        Tables tables = open();
        Type number = Type.of(Type.Name.BIGINT);
        List<Column> one = List.of(new Column("A", number, true));
        List<Table> malformed =
                List.of(
                        new Table(0, "", one, List.of(), List.of()),
                        new Table(0, "T", one, List.of(1), List.of()),
                        new Table(0, "T", one, List.of(0, 0), List.of()),
                        new Table(
                                0,
                                "T",
                                one,
                                List.of(),
                                List.of(new Index("I", Index.Kind.BTREE, false, List.of()))),
                        new Table(
                                0,
                                "T",
                                List.of(new Column("A", new Type(Type.Name.DECIMAL, 2, 3), true)),
                                List.of(),
                                List.of()));
        try (TableTransaction write = tables.beginWrite()) {
            for (Table table : malformed) {
                assertThrows(UsageException.class, () -> write.create(table));
            }
            assertTrue(write.catalog().tables().isEmpty());
            write.commit();
        }
    }

    @Test
    void readersKeepTheCatalogOfTheirSnapshot() {
        Tables tables = open();
        TableTransaction before = check.closing(tables.beginRead());
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(person("Person"));
            assertNull(tables.catalog().table("Person"), "not committed yet");
            assertNotNull(write.catalog().table("Person"));
            write.insert(table, Values.tuple(1L, "Ada", 36L));
            write.commit();
        }
        assertNull(before.catalog().table("Person"));
        Table table = tables.catalog().table("Person");
        assertNotNull(table);
        TableTransaction between = check.closing(tables.beginRead());
        try (TableTransaction write = tables.beginWrite()) {
            write.drop(table);
            write.commit();
        }
        assertNull(tables.catalog().table("Person"));
        assertEquals(List.of("Ada"), names(between, table, null));
        between.close();
        tables.renew(between);
        assertNull(between.catalog().table("Person"));
        before.close();
    }

    @Test
    void catalogVersionsAreNeverGivenTwice() {
        Tables tables = open();
        long rolledBack;
        try (TableTransaction write = tables.beginWrite()) {
            write.create(person("Person"));
            rolledBack = write.catalog().version();
        }
        assertNotEquals(rolledBack, tables.catalog().version());
        try (TableTransaction write = tables.beginWrite()) {
            Transaction.Savepoint savepoint = write.savepoint();
            write.create(person("Other"));
            assertNotEquals(rolledBack, write.catalog().version());
            write.rollbackTo(savepoint);
            assertEquals(tables.catalog().version(), write.catalog().version());
            write.commit();
        }
        assertTrue(tables.catalog().tables().isEmpty());
    }

    @Test
    void refusedRowsWriteNothing() {
        Tables tables = open();
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(person("Person", BY_NAME, BY_AGE));
            write.insert(table, Values.tuple(1L, "Ada", 36L));
            write.insert(table, Values.tuple(2L, null, 40L));
            write.insert(table, Values.tuple(3L, null, 40L));
            String key =
                    refused(
                                    Kind.DUPLICATE_KEY,
                                    () -> write.insert(table, Values.tuple(1L, "Bob", 1L)))
                            .context();
            assertTrue(key.endsWith("table=Person primary key columns=(Id) key=(1)"), key);
            String unique =
                    refused(
                                    Kind.DUPLICATE_KEY,
                                    () -> write.insert(table, Values.tuple(9L, "Ada", 1L)))
                            .context();
            assertTrue(
                    unique.endsWith("table=Person index=by_name columns=(Name) key=('Ada')"),
                    unique);
            refused(Kind.NOT_NULL, () -> write.insert(table, Values.tuple(null, "Bob", 1L)));
            refused(Kind.OUT_OF_RANGE, () -> write.insert(table, Values.tuple(4L, "B", 40000L)));
            refused(
                    Kind.VALUE_TOO_LONG,
                    () -> write.insert(table, Values.tuple(4L, "x".repeat(2001), 1L)));
            LimitException tooLong =
                    assertThrows(
                            LimitException.class,
                            () -> write.insert(table, Values.tuple(4L, "x".repeat(1999), 1L)));
            assertTrue(tooLong.context().contains("index=by_name bytes=2001 bytesMax=1000"));
            RowCursor cursor = write.cursor(table, null);
            cursor.open(write, new KeyRange(1), false);
            assertTrue(cursor.next());
            Slice rowKey = new Slice();
            cursor.rowKey(rowKey);
            refused(
                    Kind.DUPLICATE_KEY,
                    () -> write.update(table, rowKey, Values.tuple(2L, "Ada", 36L)));
            write.commit();
        }
        try (TableTransaction read = tables.beginRead()) {
            Table table = tables.catalog().table("Person");
            assertNotNull(table);
            assertEquals(List.of("Ada", "null", "null"), names(read, table, null));
            assertEquals(List.of("Ada", "null", "null"), names(read, table, BY_AGE));
        }
    }

    @Test
    void anIndexThatCannotBeUniqueLeavesNothingBehind() {
        Tables tables = open();
        for (Index.Kind kind : List.of(Index.Kind.BTREE, Index.Kind.ARRAY)) {
            try (TableTransaction write = tables.beginWrite()) {
                Table table = write.create(person("Person" + kind));
                write.insert(table, Values.tuple(1L, "Ada", 36L));
                write.insert(table, Values.tuple(2L, "Ada", 37L));
                Index unique = new Index("u" + kind, kind, true, List.of(1));
                refused(Kind.DUPLICATE_KEY, () -> write.createIndex(table, unique));
                Index fine = new Index("u" + kind, kind, true, List.of(1, 2));
                Table now = write.createIndex(table, fine);
                assertEquals(List.of("Ada", "Ada"), names(write, now, fine));
                write.commit();
            }
        }
    }

    @Test
    void aReaderOpenedBeforeACommitSeesTheOldArray() {
        Tables tables = open();
        Table table;
        try (TableTransaction write = tables.beginWrite()) {
            table = write.create(person("Person", BY_AGE));
            write.insert(table, Values.tuple(1L, "Ada", 36L));
            write.insert(table, Values.tuple(2L, "Bob", 20L));
            write.commit();
        }
        TableTransaction old = check.closing(tables.beginRead());
        RowCursor open = old.cursor(table, BY_AGE);
        open.open(old, new KeyRange(2), false);
        assertTrue(open.next());
        for (long i = 3; i < 10; i++) {
            try (TableTransaction write = tables.beginWrite()) {
                write.insert(table, Values.tuple(i, "N" + i, i));
                assertEquals(List.of("Bob", "Ada"), names(old, table, BY_AGE));
                write.commit();
            }
        }
        assertEquals("Bob", open.textAt(1));
        assertTrue(open.next());
        assertEquals("Ada", open.textAt(1));
        assertFalse(open.next());
        assertEquals(List.of("Bob", "Ada"), names(old, table, BY_AGE));
        old.close();
        tables.renew(old);
        assertEquals("N3", names(old, table, BY_AGE).getFirst());
        old.close();
    }

    @Test
    void oldArraysAreForgottenWithTheirReaders() {
        Tables tables = open();
        try (StoredTransaction write = (StoredTransaction) tables.beginWrite()) {
            write.create(person("Person", BY_AGE));
            write.commit();
        }
        Table table = tables.catalog().table("Person");
        assertNotNull(table);
        TableTransaction old = check.closing(tables.beginRead());
        Versions<SortedArray> versions =
                ((StoredTransaction) old).entry(table).indexes().getFirst().versions();
        for (long i = 0; i < 10; i++) {
            try (TableTransaction write = tables.beginWrite()) {
                write.insert(table, Values.tuple(i, "N" + i, i));
                write.commit();
            }
        }
        assertEquals(11, versions.kept());
        old.close();
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(77L, "N", 7L));
            write.commit();
        }
        assertTrue(versions.kept() <= 2, versions.kept() + " versions");
    }

    @Test
    void endedAndReadOnlyTransactionsRefuseToWrite() {
        Tables tables = open();
        TableTransaction write = tables.beginWrite();
        Table table = write.create(person("Person"));
        write.commit();
        assertThrows(ClosedException.class, () -> write.insert(table, Values.tuple(1L, "Ada", 1L)));
        write.close();
        try (TableTransaction read = tables.beginRead()) {
            assertThrows(
                    UsageException.class, () -> read.insert(table, Values.tuple(1L, "Ada", 1L)));
            assertThrows(UsageException.class, () -> read.create(person("Other")));
        }
    }

    @Test
    void savepointsMustBeOfTheTransaction() {
        Tables tables = open();
        try (TableTransaction write = tables.beginWrite()) {
            Transaction.Savepoint first = write.savepoint();
            Transaction.Savepoint second = write.savepoint();
            write.rollbackTo(first);
            assertThrows(UsageException.class, () -> write.rollbackTo(second));
            write.release(first);
            assertThrows(UsageException.class, () -> write.release(first));
        }
    }
}
