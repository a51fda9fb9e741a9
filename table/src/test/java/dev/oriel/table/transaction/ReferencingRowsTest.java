package dev.oriel.table.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.model.Values;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.testkit.AfterEachCheck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Where no index leads from a key to the rows that refer to it, what is kept does not grow with their
/// table.
final class ReferencingRowsTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Type INT = Type.of(Type.Name.INTEGER);
    private static final ForeignKey KEY =
            new ForeignKey(
                    "fk",
                    List.of(1),
                    1,
                    List.of(0),
                    ForeignKey.Action.NO_ACTION,
                    ForeignKey.Action.NO_ACTION,
                    ForeignKey.Deferral.NOT_DEFERRABLE);

    /// 1,000 rows, of which every 400th refers to 7, and the others to 1,001 to 2,000.
    private static Table children(Tables tables) {
        try (TableTransaction write = tables.beginWrite()) {
            Column id = new Column("ID", INT, false);
            Column parent = new Column("PARENT", INT, true);
            Table table =
                    write.create(new Table(0, "child", List.of(id, parent), List.of(0), List.of()));
            for (long i = 1; i <= 1_000; i++) {
                write.insert(table, Values.tuple(i, i % 400 == 0 ? 7L : 1_000 + i));
            }
            write.commit();
            return table;
        }
    }

    @Test
    void onlyRowsThatReferAreKept() {
        Tables tables = check.closing(Tables.open(Store.inMemory(StoreOptions.defaults())));
        check.also("tables", tables::check);
        Table table = children(tables);
        try (TableTransaction write = tables.beginWrite()) {
            try (TableTransaction other = tables.beginWrite()) {
                other.insert(table, Values.tuple(2_000L, 7L)); // behind the snapshot
                other.delete(table, key(400));
                other.commit();
            }
            write.insert(table, Values.tuple(2_001L, 7L)); // its own
            StoredTransaction stored = (StoredTransaction) write;
            TableEntry child = stored.entry(table);
            ReferencingRows all = new ReferencingRows(stored, child, KEY, Values.tuple(7L));
            List<byte[]> rows = all.find(false, null);
            List<Long> ids = rows.stream().map(ReferencingRowsTest::id).toList();
            assertEquals(List.of(800L, 2_000L, 2_001L), ids);
            assertEquals(4, all.candidates()); // all that refer here or there
            ReferencingRows one = new ReferencingRows(stored, child, KEY, Values.tuple(7L));
            assertEquals(1, one.find(true, null).size());
        }
    }

    private static Slice key(long id) {
        NativeBuffer bytes = new NativeBuffer(16);
        KeyCodec.putRow(bytes, Values.tuple(id), new Type[] {INT}, 1);
        return bytes.slice(new Slice());
    }

    private static long id(byte[] key) {
        return new KeyReader().over(key, 0, key.length).takeLong();
    }
}
