package dev.oriel.table.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.model.Values;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.testkit.AfterEachCheck;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Writers beside one another keep the keys of a unique ARRAY index apart, and a transaction goes on
/// with its own entries whatever the index is called: what they commit can be opened again.
final class ArrayIndexTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Index UNIQUE = new Index("u", Index.Kind.ARRAY, true, List.of(1));
    private static final Index PLAIN = new Index("a", Index.Kind.ARRAY, false, List.of(1));

    private final Store store = Store.inMemory(StoreOptions.defaults().withWriteTimeoutMillis(100));
    private final Tables tables = check.closing(Tables.open(store));

    @BeforeEach
    void checkAfterwards() {
        check.also("tables", tables::check);
        check.also("tables opened again", () -> Tables.open(store).check());
    }

    private Table create(Index... indexes) {
        Table wanted =
                new Table(
                        0,
                        "T",
                        List.of(
                                new Column("ID", Type.of(Type.Name.BIGINT), false),
                                new Column("V", Type.varchar(0), true)),
                        List.of(0),
                        List.of(indexes));
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(wanted);
            write.commit();
            return table;
        }
    }

    private static Slice rowKey(long id) {
        return CatalogCodec.key(id);
    }

    private static ConstraintException.Kind refusal(Runnable change) {
        return assertThrows(ConstraintException.class, change::run).kind();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void twoWhoInsertTheSameKeyAreKeptApart(Isolation isolation) {
        Table table = create(UNIQUE);
        try (TableTransaction one = tables.beginWrite(isolation);
                TableTransaction other = tables.beginWrite(isolation)) {
            one.insert(table, Values.tuple(1L, "x"));
            assertThrows(ConflictException.class, () -> other.insert(table, Values.tuple(2L, "x")));
            other.insert(table, Values.tuple(3L, "y"));
            one.commit();
            assertEquals(
                    ConstraintException.Kind.DUPLICATE_KEY,
                    refusal(() -> other.insert(table, Values.tuple(2L, "x"))));
            other.commit();
        }
    }

    @Test
    void twoWhoChangeTheirRowsToTheSameKeyAreKeptApart() {
        Table table = create(UNIQUE);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(1L, "a"));
            write.insert(table, Values.tuple(2L, "b"));
            write.commit();
        }
        try (TableTransaction one = tables.beginWrite(Isolation.READ_COMMITTED);
                TableTransaction other = tables.beginWrite(Isolation.READ_COMMITTED)) {
            assertTrue(one.update(table, rowKey(1), Values.tuple(1L, "x")));
            assertThrows(
                    ConflictException.class,
                    () -> other.update(table, rowKey(2), Values.tuple(2L, "x")));
            one.commit();
        }
    }

    /// The key is given up by a change that may yet be undone.
    @Test
    void aKeyThatIsBeingGivenUpIsNotFreeYet() {
        Table table = create(UNIQUE);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(1L, "x"));
            write.commit();
        }
        try (TableTransaction one = tables.beginWrite(Isolation.READ_COMMITTED);
                TableTransaction other = tables.beginWrite(Isolation.READ_COMMITTED)) {
            assertTrue(one.delete(table, rowKey(1)));
            assertThrows(ConflictException.class, () -> other.insert(table, Values.tuple(2L, "x")));
            one.commit();
            other.refresh();
            other.insert(table, Values.tuple(2L, "x"));
            other.commit();
        }
    }

    @Test
    void whatIsNoKeyKeepsNobodyApart() {
        Table table = create(UNIQUE, PLAIN);
        try (TableTransaction one = tables.beginWrite(Isolation.READ_COMMITTED);
                TableTransaction other = tables.beginWrite(Isolation.READ_COMMITTED)) {
            one.insert(table, Values.tuple(1L, null));
            other.insert(table, Values.tuple(2L, null));
            one.commit();
            other.commit();
        }
    }

    private static Table renamed(TableTransaction transaction, Table table, String name) {
        Table other = table.withIndexes(List.of(table.indexes().getFirst().withName(name)));
        return transaction.redefine(other, null);
    }

    @Test
    void aUniqueIndexStaysUniqueInATransactionThatRenamesIt() {
        Table table = create(UNIQUE);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(1L, "x"));
            Table now = renamed(write, table, "u2");
            assertEquals(
                    ConstraintException.Kind.DUPLICATE_KEY,
                    refusal(() -> write.insert(now, Values.tuple(2L, "x"))));
            assertEquals(1, rows(write, now));
            write.commit();
        }
    }

    @Test
    void anIndexThatWasCreatedAndRenamedIsTheSameStill() {
        Table table = create();
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(1L, "x"));
            Table now = renamed(write, write.createIndex(table, PLAIN), "b");
            write.insert(now, Values.tuple(2L, "y"));
            assertEquals(2, rows(write, now));
            write.commit();
        }
        Table now = tables.catalog().table("T");
        assertNotNull(now);
        try (TableTransaction read = tables.beginRead()) {
            assertEquals(2, rows(read, now));
        }
    }

    @Test
    void aRenamingThatIsUndoneKeepsWhatWasWrittenBefore() {
        Table table = create(UNIQUE);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(1L, "x"));
            var before = write.savepoint();
            Table now = renamed(write, table, "u2");
            write.insert(now, Values.tuple(2L, "y"));
            write.rollbackTo(before);
            assertEquals(1, rows(write, table));
            assertEquals(
                    ConstraintException.Kind.DUPLICATE_KEY,
                    refusal(() -> write.insert(table, Values.tuple(2L, "x"))));
            write.commit();
        }
    }

    /// For each row all steps before it were taken again, once another had committed: minutes.
    @Test
    void manyRowsAreInsertedBesideACommitOfAnother() {
        Table table = create(UNIQUE);
        try (TableTransaction one = tables.beginWrite()) {
            one.insert(table, Values.tuple(0L, "first"));
            try (TableTransaction other = tables.beginWrite()) {
                other.insert(table, Values.tuple(-1L, "other"));
                other.commit();
            }
            assertTimeout(
                    Duration.ofMinutes(1),
                    () -> {
                        for (long i = 1; i < 30_000; i++) {
                            one.insert(table, Values.tuple(i, "v" + i * 7_919 % 30_000));
                        }
                    });
            assertEquals(
                    ConstraintException.Kind.DUPLICATE_KEY,
                    refusal(() -> one.insert(table, Values.tuple(30_000L, "other"))));
            one.commit();
        }
        try (TableTransaction reading = tables.beginRead()) {
            assertEquals(30_001, rows(reading, table));
        }
    }

    /// How many rows the table's first index leads to.
    private static int rows(TableTransaction transaction, Table table) {
        RowCursor cursor = transaction.cursor(table, table.indexes().getFirst());
        cursor.open(transaction, new KeyRange(1), false);
        int rows = 0;
        while (cursor.next()) {
            rows++;
        }
        return rows;
    }
}
