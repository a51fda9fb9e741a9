package dev.oriel.table.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.TextKey;
import dev.oriel.table.model.Values;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.testkit.AfterEachCheck;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A SEARCH index has the words of the rows that are there, whatever was refused before.
final class SearchIndexTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final String LONG_WORD = "w".repeat(100);
    private static final String LONG_KEY = "k".repeat(950);

    private final Tables tables =
            check.closing(Tables.open(Store.inMemory(StoreOptions.defaults())));

    @BeforeEach
    void checkAfterwards() {
        check.also("tables", tables::check);
    }

    private Table create(Table wanted) {
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(wanted);
            write.commit();
            return table;
        }
    }

    private static Index search(String table) {
        return new Index("s_" + table, Index.Kind.SEARCH, false, List.of(2));
    }

    private static Table numbered(String name, Constraints constraints) {
        return new Table(
                0,
                name,
                List.of(
                        new Column("ID", Type.of(Type.Name.BIGINT), false),
                        new Column("U", Type.of(Type.Name.BIGINT), true),
                        new Column("W", Type.varchar(0), true)),
                List.of(0),
                List.of(new Index("u_" + name, Index.Kind.BTREE, true, List.of(1)), search(name)),
                constraints);
    }

    private static Slice rowKey(long id) {
        return CatalogCodec.key(id);
    }

    @Test
    void aRefusedUpdateLeavesNoWordsBehind() {
        Table table = create(numbered("T", Constraints.NONE));
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(1L, 1L, "red apple"));
            write.insert(table, Values.tuple(2L, 2L, "green pear"));
            assertThrows(
                    ConstraintException.class,
                    () -> write.update(table, rowKey(1), Values.tuple(1L, 2L, "red apple")));
            write.insert(table, Values.tuple(3L, 3L, "red cherry"));
            write.commit();
        }
    }

    /// By a foreign key that restricts it, in a transaction before.
    @Test
    void aRefusedDeletionLeavesNoWordsBehind() {
        Table table = create(numbered("T", Constraints.NONE));
        ForeignKey key =
                new ForeignKey(
                        "to_t",
                        List.of(0),
                        table.id(),
                        List.of(0),
                        ForeignKey.Action.RESTRICT,
                        ForeignKey.Action.RESTRICT,
                        ForeignKey.Deferral.NOT_DEFERRABLE);
        Table child = create(numbered("CHILD", new Constraints("", List.of(), List.of(key))));
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(1L, 1L, "red apple"));
            write.insert(child, Values.tuple(1L, 1L, "blue sky"));
            write.commit();
        }
        try (TableTransaction write = tables.beginWrite()) {
            assertThrows(ConstraintException.class, () -> write.delete(table, rowKey(1)));
        }
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(3L, 3L, "red cherry"));
            write.commit();
        }
    }

    private static Table textual() {
        return new Table(
                0,
                "X",
                List.of(
                        new Column("K", Type.varchar(0), false),
                        new Column("N", Type.of(Type.Name.BIGINT), true),
                        new Column("W", Type.varchar(0), true)),
                List.of(0),
                List.of(search("X")));
    }

    private long rows(Table table) {
        try (TableTransaction read = tables.beginRead()) {
            return read.count(table, null, new KeyRange(1));
        }
    }

    @Test
    void aRowWithAWordThatIsTooLongBesideItsKeyIsRefusedAsAWhole() {
        Table table = create(textual());
        try (TableTransaction write = tables.beginWrite()) {
            assertThrows(
                    LimitException.class,
                    () -> write.insert(table, Values.tuple(LONG_KEY, 1L, "short " + LONG_WORD)));
            write.commit();
        }
        assertEquals(0, rows(table));
    }

    @Test
    void aChangeToAWordThatIsTooLongBesideTheKeyIsRefusedAsAWhole() {
        Table table = create(textual());
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(LONG_KEY, 1L, "short"));
            Slice key = new TextKey().set(LONG_KEY);
            assertThrows(
                    LimitException.class,
                    () -> write.update(table, key, Values.tuple(LONG_KEY, 1L, LONG_WORD)));
            assertThrows(
                    LimitException.class,
                    () -> write.update(table, key, Values.tuple(LONG_KEY, 1L, "a " + LONG_WORD)));
            assertTrue(write.update(table, key, Values.tuple(LONG_KEY, 1L, "short and new")));
            write.commit();
        }
        assertEquals(1, rows(table));
    }

    @Test
    void aBulkLoadTakesNothingOfARowWithAWordThatIsTooLong() {
        Table table = create(textual());
        try (TableTransaction load = tables.beginBulk(BulkOptions.defaults())) {
            load.insert(table, Values.tuple("before", 1L, "some words"));
            assertThrows(
                    LimitException.class,
                    () -> load.insert(table, Values.tuple(LONG_KEY, 1L, "short " + LONG_WORD)));
            load.insert(table, Values.tuple("behind", 1L, "more words"));
            load.commit();
        }
        assertEquals(2, rows(table));
    }
}
