package dev.oriel.table.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.AfterEachCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that are added beside those who write, columns that are added, rows under allotted keys.
final class DefiningTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final Store store = Store.inMemory(StoreOptions.defaults().withWriteTimeoutMillis(100));

    private Tables open() {
        Tables tables = check.closing(Tables.open(store));
        check.also("tables", tables::check);
        return tables;
    }

    private static Table link(String name, Index... indexes) {
        return new Table(
                0,
                name,
                List.of(
                        new Column("source", Type.of(Type.Name.BIGINT), false),
                        new Column("target", Type.of(Type.Name.BIGINT), false),
                        new Column("note", Type.varchar(0), true)),
                List.of(0, 1),
                List.of(indexes));
    }

    private static Tuple row(long source, long target, @Nullable String note) {
        Tuple row = new Tuple(3);
        row.setLong(0, source);
        row.setLong(1, target);
        row.setText(2, note);
        return row;
    }

    private static Table added(Tables tables, @Nullable TableTransaction beside, Table wanted) {
        try (TableTransaction transaction = tables.beginDefining(beside)) {
            Table table = transaction.create(wanted);
            transaction.commit();
            return table;
        }
    }

    @Test
    void aTableIsAddedWhileOthersWriteAndTheirCommitsDoNotUndoIt() {
        Tables tables = open();
        Table first = added(tables, null, link("first"));
        try (TableTransaction other = tables.beginWrite(Isolation.SNAPSHOT);
                TableTransaction own = tables.beginWrite(Isolation.READ_COMMITTED)) {
            other.insert(first, row(1, 1, "other"));
            own.insert(first, row(2, 2, "own"));
            Table second = added(tables, own, link("second"));
            assertNull(own.catalog().table("second"));
            own.refresh();
            assertNotNull(own.catalog().table("second"));
            own.insert(second, row(3, 3, "new"));
            assertThrows(ConstraintException.class, () -> other.insert(second, row(4, 4, null)));
            own.commit();
            other.commit();
            assertNotNull(tables.catalog().table("second"));
        }
        try (TableTransaction reader = tables.beginRead()) {
            assertEquals(List.of("other", "own"), notes(reader, tables, "first", null));
            assertEquals(List.of("new"), notes(reader, tables, "second", null));
        }
    }

    @Test
    void whatIsDefinedAndNotCommittedIsNotThere() {
        Tables tables = open();
        try (TableTransaction transaction = tables.beginDefining(null)) {
            transaction.create(link("gone"));
        }
        assertNull(tables.catalog().table("gone"));
        assertNotNull(added(tables, null, link("gone")));
    }

    @Test
    void anExclusiveTransactionLetsNobodyDefineBeside() {
        Tables tables = open();
        try (TableTransaction exclusive = tables.beginExclusive()) {
            assertThrows(UsageException.class, () -> tables.beginDefining(exclusive));
        }
        try (TableTransaction exclusive = tables.beginExclusive()) {
            exclusive.create(link("mine"));
            assertThrows(ConflictException.class, () -> tables.beginDefining(null));
            exclusive.commit();
        }
        assertNotNull(tables.catalog().table("mine"));
    }

    @Test
    void anAddedColumnIsNullInRowsThatAreThereAndTakesValues() {
        Tables tables = open();
        Table table = added(tables, null, link("first"));
        try (TableTransaction transaction = tables.beginExclusive()) {
            transaction.insert(table, row(1, 1, "old"));
            Column age = new Column("age", Type.of(Type.Name.INTEGER), true);
            Table wider = transaction.addColumn(table, age);
            Tuple row = new Tuple(4);
            row.setLong(0, 2);
            row.setLong(1, 2);
            row.setLong(3, 42);
            transaction.insert(wider, row);
            Index byAge = new Index("by_age", Index.Kind.BTREE, false, List.of(3));
            transaction.createIndex(wider, byAge);
            transaction.commit();
        }
        try (TableTransaction reader = tables.beginRead()) {
            Table now = table(tables, "first");
            RowCursor cursor = reader.cursor(now, null);
            cursor.open(reader, new KeyRange(2), false);
            assertTrue(cursor.next());
            assertTrue(cursor.isNull(3));
            assertTrue(cursor.next());
            assertEquals(42, cursor.longAt(3));
        }
    }

    @Test
    void aColumnThatMustHaveAValueIsNotAdded() {
        Tables tables = open();
        Table table = added(tables, null, link("first"));
        try (TableTransaction transaction = tables.beginExclusive()) {
            Column required = new Column("age", Type.of(Type.Name.INTEGER), false);
            UsageException refused =
                    assertThrows(
                            UsageException.class, () -> transaction.addColumn(table, required));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("must accept NULL"),
                    refused::getMessage);
            Column again = new Column("NOTE", Type.of(Type.Name.INTEGER), true);
            assertThrows(ConstraintException.class, () -> transaction.addColumn(table, again));
        }
    }

    @Test
    void anIndexThatHoldsThePrimaryKeyLeadsToRowsInItsOrder() {
        Tables tables = open();
        Index reverse = new Index("reverse", Index.Kind.BTREE, false, List.of(1, 0));
        Table table = added(tables, null, link("first", reverse));
        try (TableTransaction transaction = tables.beginWrite()) {
            transaction.insertNew(table, row(1, 9, "a"));
            transaction.insertNew(table, row(2, 8, "b"));
            transaction.insertNew(table, row(3, 8, "c"));
            transaction.commit();
        }
        try (TableTransaction transaction = tables.beginWrite()) {
            assertEquals(List.of("b", "c", "a"), notes(transaction, tables, "first", reverse));
            RowKey key = new RowKey(table);
            assertTrue(transaction.update(table, key.of(row(2, 8, null)), row(2, 10, "b")));
            assertTrue(transaction.delete(table, key.of(row(3, 8, null))));
            assertEquals(List.of("a", "b"), notes(transaction, tables, "first", reverse));
            RowCursor cursor = transaction.cursor(table, reverse);
            cursor.open(transaction, new KeyRange(2), false);
            assertTrue(cursor.next());
            assertEquals(1, cursor.longAt(0));
            assertEquals(9, cursor.longAt(1));
            transaction.commit();
        }
    }

    @Test
    void whatIsHeldCannotBeRemovedUntilTheEnd() {
        Tables tables = open();
        Table table = added(tables, null, link("first"));
        try (TableTransaction transaction = tables.beginWrite()) {
            transaction.insert(table, row(1, 1, "a"));
            transaction.commit();
        }
        RowKey key = new RowKey(table);
        Slice one = key.of(row(1, 1, null));
        try (TableTransaction holder = tables.beginWrite(Isolation.READ_COMMITTED);
                TableTransaction other = tables.beginWrite(Isolation.READ_COMMITTED)) {
            assertTrue(holder.hold(table, one));
            assertFalse(holder.hold(table, new RowKey(table).of(row(2, 2, null))));
            assertThrows(ConflictException.class, () -> other.delete(table, one));
            holder.commit();
            assertTrue(other.delete(table, one));
            other.commit();
        }
    }

    /// More than the catalog keeps of a name, and more than it can say the length of.
    @ParameterizedTest
    @ValueSource(ints = {1_001, 65_536, 65_537, 70_000})
    void namesThatAreTooLongAreRefused(int length) {
        Tables tables = open();
        String name = "n".repeat(length);
        Table plain = link("first");
        Table table = added(tables, null, plain);
        Table keyed = link("keyed").withConstraints(new Constraints(name, List.of(), List.of()));
        Table renamed = table.withConstraints(table.constraints().withPrimaryKey(name));
        List<String> one = List.of("x");
        try (TableTransaction transaction = tables.beginExclusive()) {
            assertRefused(() -> transaction.create(keyed));
            assertRefused(() -> transaction.redefine(renamed, null));
            assertRefused(() -> transaction.create(new View(0, "v", List.of(name), one, "query")));
            assertRefused(() -> transaction.create(new View(0, "v", one, List.of(name), "query")));
            transaction.commit();
        }
        Catalog again = Tables.open(store).catalog();
        assertTrue(again.views().isEmpty());
        assertEquals(List.of("first"), again.tables().stream().map(Table::name).toList());
    }

    /// Comments are about names in upper case, and options belong to layers above.
    @ParameterizedTest
    @ValueSource(ints = {65_536, 70_000})
    void textsThatTheCatalogCannotSayTheLengthOfAreRefused(int length) {
        Tables tables = open();
        String name = "n".repeat(length);
        Table table = added(tables, null, link("first"));
        Comments comments = Comments.none(table.id()).with(Comments.Subject.column(name), "text");
        ExternalTable external = new ExternalTable(0, "e", table.columns(), Map.of(name, "value"));
        try (TableTransaction transaction = tables.beginExclusive()) {
            assertRefused(() -> transaction.create(comments));
            assertRefused(() -> transaction.create(external));
            transaction.commit();
        }
        Catalog again = Tables.open(store).catalog();
        assertTrue(again.externals().isEmpty());
        assertTrue(again.comments(table.id()).texts().isEmpty());
    }

    private static void assertRefused(Runnable definition) {
        ConstraintException refused = assertThrows(ConstraintException.class, definition::run);
        assertEquals(ConstraintException.Kind.INVALID_DEFINITION, refused.kind());
    }

    private static Table table(Tables tables, String name) {
        Table table = tables.catalog().table(name);
        assertNotNull(table);
        return table;
    }

    private static List<String> notes(
            TableTransaction transaction, Tables tables, String name, @Nullable Index by) {
        RowCursor cursor = transaction.cursor(table(tables, name), by);
        cursor.open(transaction, new KeyRange(2), false);
        List<String> notes = new ArrayList<>();
        while (cursor.next()) {
            notes.add(String.valueOf(cursor.textAt(2)));
        }
        return notes;
    }
}
