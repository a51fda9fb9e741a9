package dev.oriel.table.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.model.Values;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.transaction.StoredTransaction;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.testkit.AfterEachCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Damage done behind the table layer's back is found, and said in sentences.
final class TableCheckTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Type[] TEXT = {Type.varchar(0)};
    private final Store store = Store.inMemory(StoreOptions.defaults());

    /// Two rows in a table of number 1 with a BTREE index of number 2 and an ARRAY index; then
    /// `damage` gets at the tree `name`.
    private List<String> after(String name, BiConsumer<Transaction, Tree> damage) {
        Tables tables = check.closing(Tables.open(store));
        try (TableTransaction write = tables.beginWrite()) {
            Table table =
                    write.create(
                            new Table(
                                    0,
                                    "Person",
                                    List.of(
                                            new Column("ID", Type.of(Type.Name.BIGINT), false),
                                            new Column("NAME", Type.varchar(0), false)),
                                    List.of(0),
                                    List.of(
                                            new Index("tree", Index.Kind.BTREE, true, List.of(1)),
                                            new Index(
                                                    "array",
                                                    Index.Kind.ARRAY,
                                                    false,
                                                    List.of(1)))));
            write.insert(table, Values.tuple(1L, "Ada"));
            write.insert(table, Values.tuple(2L, "Bob"));
            write.commit();
        }
        assertEquals(List.of(), tables.check());
        try (Transaction write = store.beginWrite()) {
            Tree tree = write.tree(name);
            assertNotNull(tree);
            damage.accept(write, tree);
            write.commit();
        }
        return tables.check();
    }

    private static Slice text(String text) {
        NativeBuffer buffer = new NativeBuffer(16);
        KeyCodec.putRow(buffer, Values.tuple(text), TEXT, 1);
        return buffer.slice(new Slice());
    }

    @Test
    void aLostEntryIsFound() {
        List<String> found = after("i2", (write, tree) -> write.delete(tree, text("Ada")));
        assertEquals(
                List.of("Table Person, index tree lacks the row (1) under the key ('Ada')."),
                found);
    }

    @Test
    void anEntryOfNoRowIsFound() {
        List<String> found =
                after("i2", (write, tree) -> write.put(tree, text("Eve"), CatalogCodec.key(77)));
        assertEquals(
                List.of(
                        "Table Person, index tree has the key ('Eve') of a row (77) that does not"
                                + " exist."),
                found);
    }

    @Test
    void anEntryOfAnotherRowIsFound() {
        List<String> found =
                after("i2", (write, tree) -> write.put(tree, text("Ada"), CatalogCodec.key(2)));
        assertEquals(2, found.size());
        assertEquals(
                "Table Person, index tree has the row (2) under the key ('Ada') instead of"
                        + " ('Bob').",
                found.get(1));
    }

    @Test
    void aLostRowIsFoundByBothIndexes() {
        List<String> found = after("t1", (write, tree) -> write.delete(tree, CatalogCodec.key(1)));
        assertEquals(
                List.of(
                        "Table Person, index tree has the key ('Ada') of a row (1) that does not"
                                + " exist.",
                        "Table Person, index array has the key ('Ada') of a row (1) that does not"
                                + " exist."),
                found);
    }

    @Test
    void aRowUnderAnotherKeyIsFound() {
        List<String> found =
                after(
                        "t1",
                        (write, tree) -> {
                            Slice row = new Slice();
                            assertTrue(write.get(tree, CatalogCodec.key(1), row));
                            write.put(tree, CatalogCodec.key(3), Slice.copyOf(row.toBytes()));
                        });
        assertTrue(
                found.contains("Table Person has a row under the key (3) which is not its own."),
                () -> String.join("\n", found));
    }

    @Test
    void anUnreadableRowIsFound() {
        List<String> found =
                after(
                        "t1",
                        (write, tree) ->
                                write.put(tree, CatalogCodec.key(1), Slice.copyOf((byte) 1)));
        assertTrue(found.getFirst().startsWith("Table Person has a row (1) that cannot be read"));
    }

    @Test
    void aLostIndexDoesNotFillTheScreen() {
        Tables tables = check.closing(Tables.open(store));
        try (TableTransaction write = tables.beginWrite()) {
            Table table =
                    write.create(
                            new Table(
                                    0,
                                    "T",
                                    List.of(new Column("A", Type.of(Type.Name.BIGINT), false)),
                                    List.of(),
                                    List.of(new Index("i", Index.Kind.BTREE, false, List.of(0)))));
            for (long i = 0; i < 100; i++) {
                write.insert(table, Values.tuple(i));
            }
            write.commit();
        }
        try (Transaction write = store.beginWrite()) {
            Tree tree = write.tree("i2");
            assertNotNull(tree);
            write.dropTree(tree);
            write.createTree("i2");
            write.commit();
        }
        Tables again = Tables.open(store);
        List<String> found = again.check();
        assertEquals(21, found.size());
        assertEquals("Table T, index i has more such faults.", found.getLast());
    }

    @Test
    void aKeyOfTwoRowsIsFoundInAUniqueArrayIndex() {
        Tables tables = check.closing(Tables.open(store));
        Index index = new Index("array", Index.Kind.ARRAY, false, List.of(1));
        Index unique = new Index("array", Index.Kind.ARRAY, true, List.of(1));
        Column id = new Column("ID", Type.of(Type.Name.BIGINT), false);
        Column name = new Column("NAME", Type.varchar(0), true);
        List<String> found = new ArrayList<>();
        try (TableTransaction write = tables.beginWrite()) {
            Table table =
                    write.create(
                            new Table(0, "Person", List.of(id, name), List.of(0), List.of(index)));
            write.insert(table, Values.tuple(1L, "Ada"));
            write.insert(table, Values.tuple(2L, "Ada"));
            write.insert(table, Values.tuple(3L, null));
            write.insert(table, Values.tuple(4L, null));
            write.commit();
        }
        try (TableTransaction read = tables.beginRead()) {
            StoredTransaction stored = (StoredTransaction) read;
            Table table = stored.catalog().table("Person");
            assertNotNull(table);
            TableEntry entry = stored.entry(table);
            Table changed = table.withIndexes(List.of(unique));
            new TableCheck(
                            stored,
                            entry.redefined(changed, entry.missing()),
                            new CheckProgress(dev.oriel.store.Progress.NONE, 1),
                            found)
                    .run();
        }
        assertEquals(
                List.of(
                        "Table Person, index array has the row (2) under the key ('Ada'), which"
                                + " another row has."),
                found);
    }

    @Test
    void definitionsOfAnUnknownFormAreRefused() {
        after("t1", (write, tree) -> {});
        try (Transaction write = store.beginWrite()) {
            Tree tree = write.tree(CatalogCodec.TREE);
            assertNotNull(tree);
            write.put(tree, CatalogCodec.key(1), Slice.copyOf((byte) 9, (byte) 0));
            write.commit();
        }
        assertThrows(CorruptionException.class, () -> Tables.open(store));
        try (Transaction write = store.beginWrite()) {
            Tree tree = write.tree(CatalogCodec.TREE);
            assertNotNull(tree);
            write.put(tree, CatalogCodec.key(1), Slice.copyOf((byte) 1, (byte) 5));
            write.commit();
        }
        assertThrows(CorruptionException.class, () -> Tables.open(store));
    }
}
