package dev.oriel.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.model.Values;
import dev.oriel.table.value.Row;
import dev.oriel.testkit.AfterEachCheck;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Cursors over one table of 1,000 rows, by every kind of path.
final class RowCursorTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Index TREE = new Index("tree", Index.Kind.BTREE, false, List.of(1));
    private static final Index ARRAY = new Index("array", Index.Kind.ARRAY, false, List.of(1));

    private Tables tables = Tables.open(Store.inMemory(StoreOptions.defaults()));
    private Table table = new Table(0, "T", List.of(), List.of(), List.of());

    @BeforeEach
    void fill() {
        check.closing(tables);
        check.also("tables", () -> tables.check());
        try (TableTransaction write = tables.beginWrite()) {
            table =
                    write.create(
                            new Table(
                                    0,
                                    "T",
                                    List.of(
                                            new Column("ID", Type.of(Type.Name.BIGINT), false),
                                            new Column("V", Type.of(Type.Name.BIGINT), false),
                                            new Column("S", Type.varchar(0), true)),
                                    List.of(0),
                                    List.of(TREE, ARRAY)));
            for (long i = 0; i < 1000; i++) {
                write.insert(table, Values.tuple(i, i, "s" + i));
            }
            write.commit();
        }
    }

    private static List<@Nullable Index> paths() {
        List<@Nullable Index> paths = new ArrayList<>();
        paths.add(null);
        paths.add(TREE);
        paths.add(ARRAY);
        return paths;
    }

    private static KeyRange from(long low) {
        KeyRange range = new KeyRange(1);
        range.lower().setLong(0, low);
        range.from(1, true);
        return range;
    }

    @Test
    void everyPathMovesOnAfterWritesOfItsTransaction() {
        for (Index path : paths()) {
            for (boolean descending : new boolean[] {false, true}) {
                try (TableTransaction write = tables.beginWrite()) {
                    RowCursor cursor = write.cursor(table, path);
                    cursor.open(write, new KeyRange(1), descending);
                    Slice key = new Slice();
                    int seen = 0;
                    while (cursor.next()) { // deletes what it stands on
                        assertEquals(descending ? 999 - seen : seen, cursor.longAt(1));
                        cursor.rowKey(key);
                        assertTrue(write.delete(table, key));
                        seen++;
                    }
                    assertEquals(1000, seen);
                    assertFalse(cursor.next());
                }
            }
        }
    }

    @Test
    void rowsAddedAheadAreSeenAndRowsRemovedAheadAreNot() {
        for (Index path : paths()) {
            try (TableTransaction write = tables.beginWrite()) {
                RowCursor cursor = write.cursor(table, path);
                cursor.open(write, from(990), false);
                assertTrue(cursor.next());
                assertEquals(990, cursor.longAt(1));
                write.insert(table, Values.tuple(1000L, 1000L, "new"));
                Slice key = new Slice();
                RowCursor other = write.cursor(table, null);
                other.open(write, from(991), false);
                assertTrue(other.next());
                other.rowKey(key);
                write.delete(table, key);
                assertTrue(cursor.next());
                assertEquals(992, cursor.longAt(1));
                int more = 0;
                while (cursor.next()) {
                    more++;
                }
                assertEquals(8, more);
            }
        }
    }

    @Test
    void aWriteAfterTheEndOrBeforeTheStartIsNoHarm() {
        for (Index path : paths()) {
            try (TableTransaction write = tables.beginWrite()) {
                RowCursor cursor = write.cursor(table, path);
                cursor.open(write, from(998), false);
                write.insert(table, Values.tuple(1001L, 1001L, "before the start"));
                for (int i = 0; i < 3; i++) {
                    assertTrue(cursor.next());
                }
                assertEquals(1001, cursor.longAt(0));
                assertFalse(cursor.next());
                write.insert(table, Values.tuple(1002L, 1002L, "after the end"));
                assertFalse(cursor.next());
            }
        }
    }

    @Test
    void aCursorThatIsLeftStandsNowhereUntilItIsOpened() {
        for (Index path : paths()) {
            RowCursor left;
            try (TableTransaction write = tables.beginWrite()) {
                RowCursor cursor = write.cursor(table, path);
                cursor.leave();
                cursor.open(write, from(10), false);
                assertTrue(cursor.next());
                cursor.leave();
                assertThrows(UsageException.class, () -> cursor.longAt(1));
                assertThrows(UsageException.class, cursor::next);
                write.insert(table, Values.tuple(1000L, 1000L, "new"));
                cursor.open(write, from(999), false);
                assertTrue(cursor.next());
                write.insert(table, Values.tuple(1001L, 1001L, "another one"));
                assertTrue(cursor.next());
                assertEquals(1000, cursor.longAt(1));
                left = cursor;
            }
            left.leave();
        }
    }

    @Test
    void aCursorIsNotReadWhereItDoesNotStand() {
        for (Index path : paths()) {
            try (TableTransaction write = tables.beginWrite()) {
                RowCursor cursor = write.cursor(table, path);
                assertThrows(UsageException.class, () -> cursor.longAt(0));
                assertThrows(UsageException.class, cursor::next);
                cursor.open(write, new KeyRange(1), false);
                assertThrows(UsageException.class, () -> cursor.textAt(2));
                assertTrue(cursor.next());
                assertEquals("s0", cursor.textAt(2));
                write.insert(table, Values.tuple(5000L, 5000L, null));
                assertThrows(UsageException.class, () -> cursor.textAt(2));
                assertThrows(UsageException.class, () -> cursor.longAt(1));
                assertTrue(cursor.next());
                assertEquals("s1", cursor.textAt(2));
                write.commit();
                assertThrows(UsageException.class, () -> cursor.textAt(2));
                try (TableTransaction again = tables.beginWrite()) {
                    Slice key = new Slice();
                    cursor.open(again, from(5000), false);
                    assertTrue(cursor.next());
                    cursor.rowKey(key);
                    again.delete(table, key);
                    again.commit();
                }
            }
        }
    }

    @Test
    void cursorsAndTransactionsAreUsedAgain() {
        TableTransaction read = check.closing(tables.beginRead());
        List<RowCursor> cursors = new ArrayList<>();
        for (Index path : paths()) {
            cursors.add(read.cursor(table, path));
        }
        for (long i = 1000; i < 1020; i++) {
            read.close();
            try (TableTransaction write = tables.beginWrite()) {
                write.insert(table, Values.tuple(i, i, "s" + i));
                write.commit();
            }
            tables.renew(read);
            for (RowCursor cursor : cursors) {
                cursor.open(read, from(0), true);
                assertTrue(cursor.next());
                assertEquals("s" + i, cursor.textAt(2));
            }
        }
        read.close();
    }

    @Test
    void aCursorFollowsADefinitionThatChanged() {
        TableTransaction read = check.closing(tables.beginRead());
        RowCursor cursor = read.cursor(table, TREE);
        read.close();
        Index other = new Index("other", Index.Kind.BTREE, false, List.of(2));
        try (TableTransaction write = tables.beginWrite()) {
            write.createIndex(table, other);
            write.commit();
        }
        tables.renew(read);
        cursor.open(read, from(7), false);
        assertTrue(cursor.next());
        assertEquals("s7", cursor.textAt(2));
        read.close();
        try (TableTransaction write = tables.beginWrite()) {
            write.dropIndex(table, TREE);
            write.commit();
        }
        tables.renew(read);
        assertThrows(ConstraintException.class, () -> cursor.open(read, from(7), false));
        read.close();
    }

    @Test
    void fetchedRowsAreThoseOfTheirKeys() {
        try (TableTransaction read = tables.beginRead()) {
            RowCursor cursor = read.cursor(table, ARRAY);
            cursor.open(read, from(500), false);
            assertTrue(cursor.next());
            Slice key = new Slice();
            cursor.rowKey(key);
            Row row = read.rowOf(table);
            assertTrue(read.fetch(table, key, row));
            assertEquals("s500", row.textAt(2));
            assertFalse(read.fetch(table, Slice.of("none"), row));
        }
    }

    @Test
    void boundsMayBeLongerThanAnyKey() {
        Index text = new Index("text", Index.Kind.BTREE, false, List.of(2));
        Index texts = new Index("texts", Index.Kind.ARRAY, false, List.of(2));
        try (TableTransaction write = tables.beginWrite()) {
            table = write.createIndex(write.createIndex(table, text), texts);
            write.insert(table, Values.tuple(2000L, 2000L, "x".repeat(900)));
            write.commit();
        }
        try (TableTransaction read = tables.beginRead()) {
            for (Index path : List.of(text, texts)) {
                RowCursor cursor = read.cursor(table, path);
                KeyRange range = new KeyRange(1);
                range.lower().setText(0, "x".repeat(800) + "a".repeat(100_000));
                range.from(1, false);
                range.upper().setText(0, "x".repeat(2_000_000));
                range.to(1, true);
                cursor.open(read, range, false);
                assertTrue(cursor.next());
                assertEquals(2000, cursor.longAt(0));
                assertFalse(cursor.next());
                range.upper().setText(0, "x".repeat(899) + "a".repeat(3000));
                cursor.open(read, range, true);
                assertFalse(cursor.next());
            }
        }
    }

    @Test
    void columnsOfTheKeyAreCovered() {
        try (TableTransaction read = tables.beginRead()) {
            assertTrue(read.cursor(table, TREE).covers(1));
            assertTrue(
                    read.cursor(table, TREE).covers(0)); // of the row key, which the index leads to
            assertFalse(read.cursor(table, TREE).covers(2));
            assertFalse(read.cursor(table, null).covers(0));
        }
    }

    @Test
    void isLeftQuietlyWhereTheStoreHasEndedItsTransaction() {
        Tables watched =
                Tables.open(
                        Store.inMemory(
                                StoreOptions.defaults()
                                        .withWriteTimeoutMillis(60_000)
                                        .withExclusiveIdleMillisMax(200)));
        check.closing(watched);
        Table made;
        try (TableTransaction write = watched.beginWrite()) {
            Column id = new Column("ID", Type.of(Type.Name.BIGINT), false);
            made = write.create(new Table(0, "W", List.of(id), List.of(0), List.of()));
            write.insert(made, Values.tuple(1L));
            write.insert(made, Values.tuple(2L));
            write.commit();
        }
        TableTransaction idle = watched.beginExclusive();
        RowCursor cursor = idle.cursor(made, null);
        cursor.open(idle, new KeyRange(1), false);
        assertTrue(cursor.next());
        watched.beginWrite().close(); // waits until the other one was ended
        assertThrows(ConflictException.class, cursor::next, "it is not the end of the rows");
        cursor.leave();
        idle.close();
    }
}
