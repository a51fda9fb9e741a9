package dev.oriel.table.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.testkit.AfterEachCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Readers on other threads while one thread changes rows, arrays and definitions: every snapshot is
/// whole, by every path.
final class TableConcurrencyTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final int ROWS = 50;
    private static final int COMMITS = 600;

    private static Index array(int number) {
        return new Index("array" + number, Index.Kind.ARRAY, false, List.of(1));
    }

    @Test
    void snapshotsAreWholeWhileRowsAndDefinitionsChange() throws Exception {
        Tables tables = check.closing(Tables.open(Store.inMemory(StoreOptions.defaults())));
        check.also("tables", tables::check);
        try (TableTransaction write = tables.beginWrite()) {
            Column id = new Column("ID", Type.of(Type.Name.INTEGER), false);
            Column value = new Column("V", Type.of(Type.Name.INTEGER), false);
            Index tree = new Index("tree", Index.Kind.BTREE, false, List.of(1));
            Table table =
                    write.create(
                            new Table(
                                    0,
                                    "T",
                                    List.of(id, value),
                                    List.of(0),
                                    List.of(tree, array(0))));
            for (long i = 0; i < ROWS; i++) {
                write.insert(table, Values.tuple(i, 0L));
            }
            write.commit();
        }
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<Integer>> readers = new ArrayList<>();
            Callable<Integer> reader = () -> read(tables, done);
            readers.add(threads.submit(reader));
            readers.add(threads.submit(reader));
            try {
                for (int i = 1; i <= COMMITS; i++) {
                    writeAll(tables, i);
                }
            } finally {
                done.set(true);
            }
            for (Future<Integer> seen : readers) {
                assertTrue(seen.get() > 0);
            }
        }
    }

    /// Sets some rows one higher and as many one lower, so that the sum stays 0.
    private static void writeAll(Tables tables, int commit) {
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.catalog().table("T");
            assertNotNull(table);
            if (commit % 20 == 0) {
                table = write.dropIndex(table, array(commit / 20 - 1));
                table = write.createIndex(table, array(commit / 20));
            }
            add(write, table, commit % ROWS, 1);
            add(write, table, commit * 7 % ROWS, -1);
            write.commit();
        }
    }

    private static void add(TableTransaction write, Table table, long id, long more) {
        KeyRange range = new KeyRange(1);
        range.lower().setLong(0, id);
        range.from(1, true);
        RowCursor cursor = write.cursor(table, null);
        cursor.open(write, range, false);
        assertTrue(cursor.next());
        Slice key = new Slice();
        cursor.rowKey(key);
        long value = cursor.longAt(1);
        assertTrue(write.update(table, key, Values.tuple(id, value + more)));
    }

    /// Reads until `done`; how often.
    private static int read(Tables tables, AtomicBoolean done) {
        int times = 0;
        TableTransaction read = tables.beginRead();
        try {
            boolean last;
            do {
                last = done.get();
                Table table = read.catalog().table("T");
                assertNotNull(table);
                assertEquals(2, table.indexes().size());
                assertSum(read, table, read.cursor(table, null));
                for (Index index : table.indexes()) {
                    assertSum(read, table, read.cursor(table, index));
                }
                times++;
                read.close();
                tables.renew(read);
            } while (!last);
        } finally {
            read.close();
        }
        return times;
    }

    private static void assertSum(TableTransaction read, Table table, RowCursor cursor) {
        cursor.open(read, new KeyRange(1), false);
        int rows = 0;
        long sum = 0;
        long fromKeys = 0;
        while (cursor.next()) {
            rows++;
            fromKeys += cursor.longAt(1);
            assertTrue(cursor.longAt(0) < ROWS);
            sum += cursor.longAt(1);
        }
        assertEquals(ROWS, rows, table.name());
        assertEquals(0, sum);
        assertEquals(0, fromKeys);
    }
}
