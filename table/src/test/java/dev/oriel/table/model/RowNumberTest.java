package dev.oriel.table.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
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
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Hidden row numbers: nobody gets one that a row has, or may have again.
final class RowNumberTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final SimDirectory files = new SimDirectory();
    private Tables tables = open();

    private Tables open() {
        Tables opened = check.closing(Tables.open(Store.open(files, StoreOptions.defaults())));
        check.also("tables", opened::check);
        return opened;
    }

    /// A table of the rows 1, 2, 3 without a primary key, whose next number nobody has looked for.
    private Table reopened() {
        Column value = new Column("V", Type.of(Type.Name.INTEGER), false);
        Index index = new Index("t_v", Index.Kind.BTREE, false, List.of(0));
        try (TableTransaction write = tables.beginWrite()) {
            Table table =
                    write.create(new Table(0, "T", List.of(value), List.of(), List.of(index)));
            for (long i = 1; i <= 3; i++) {
                write.insert(table, Values.tuple(i));
            }
            write.commit();
        }
        tables.close();
        tables = open();
        return Objects.requireNonNull(tables.catalog().table("T"));
    }

    private static void replaceAll(TableTransaction write, Table table, long value) {
        RowCursor cursor = write.cursor(table, null);
        cursor.open(write, new KeyRange(1), false);
        Slice key = new Slice();
        while (cursor.next()) {
            cursor.rowKey(key);
            write.delete(table, Slice.copyOf(key.toBytes()));
        }
        write.insert(table, Values.tuple(value));
    }

    private List<Long> values(Table table) {
        List<Long> values = new ArrayList<>();
        try (TableTransaction read = tables.beginRead()) {
            RowCursor cursor = read.cursor(table, null);
            cursor.open(read, new KeyRange(1), false);
            while (cursor.next()) {
                values.add(cursor.longAt(0));
            }
        }
        return values;
    }

    @Test
    void rowsThatComeBackKeepTheirNumbers() {
        Table table = reopened();
        try (TableTransaction undone = tables.beginWrite()) {
            replaceAll(undone, table, 10);
        }
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, Values.tuple(20L));
            write.insert(table, Values.tuple(30L));
            write.commit();
        }
        assertEquals(List.of(1L, 2L, 3L, 20L, 30L), values(table));
    }

    @Test
    void whoRemovesRowsGivesTheirNumbersToNobody() {
        Table table = reopened();
        try (TableTransaction one = tables.beginWrite(Isolation.READ_COMMITTED);
                TableTransaction other = tables.beginWrite(Isolation.READ_COMMITTED)) {
            replaceAll(one, table, 10);
            other.insert(table, Values.tuple(20L));
            other.commit();
            one.commit();
        }
        assertEquals(Set.of(10L, 20L), Set.copyOf(values(table)));
    }

    @Test
    void rowsThatASavepointBringsBackKeepTheirNumbers() {
        Table table = reopened();
        try (TableTransaction write = tables.beginWrite()) {
            Transaction.Savepoint savepoint = write.savepoint();
            replaceAll(write, table, 10);
            write.rollbackTo(savepoint);
            write.insert(table, Values.tuple(20L));
            write.insert(table, Values.tuple(30L));
            write.commit();
        }
        assertEquals(List.of(1L, 2L, 3L, 20L, 30L), values(table));
    }
}
