package dev.oriel.table.definition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.model.Values;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Random histories of one table against a list of rows: changes, refusals, savepoints, rollbacks,
/// definitions, readers on old snapshots, closing and opening again. Every path to the rows must
/// give what sorting the list gives.
final class TableModelTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final List<Column> COLUMNS =
            List.of(
                    new Column("ID", Type.of(Type.Name.INTEGER), false),
                    new Column("NAME", Type.varchar(12), true),
                    new Column("SCORE", Type.of(Type.Name.DOUBLE), true),
                    new Column("PRICE", new Type(Type.Name.DECIMAL, 6, 2), true),
                    new Column("DATA", new Type(Type.Name.VARBINARY, 300, 0), true),
                    new Column("TAG", Type.of(Type.Name.SMALLINT), true));

    private static final List<Index> INDEXES =
            List.of(
                    index("BY_NAME", Index.Kind.BTREE, false, 1),
                    index("BY_SCORE", Index.Kind.ARRAY, false, 2, 1),
                    index("BY_PRICE", Index.Kind.BTREE, true, 3, 5),
                    index("BY_TAG", Index.Kind.ARRAY, true, 5, 1),
                    index("BY_DATA", Index.Kind.ARRAY, false, 4),
                    index("MIXED", Index.Kind.BTREE, false, 5, 1)
                            .withOrders(List.of(KeyOrder.ASC, KeyOrder.DESC)),
                    index("MIXED_UNIQUE", Index.Kind.BTREE, true, 2, 4)
                            .withOrders(List.of(KeyOrder.DESC, KeyOrder.ASC)),
                    index("MIXED_NULLS", Index.Kind.BTREE, false, 3, 2, 4)
                            .withOrders(
                                    List.of(
                                            KeyOrder.DESC_NULLS_LAST,
                                            KeyOrder.ASC_NULLS_FIRST,
                                            KeyOrder.DESC_NULLS_LAST)),
                    index("MIXED_ARRAY", Index.Kind.ARRAY, true, 0, 3, 1)
                            .withOrders(
                                    List.of(
                                            KeyOrder.ASC_NULLS_FIRST,
                                            KeyOrder.DESC,
                                            KeyOrder.DESC_NULLS_LAST)));

    private static Index index(String name, Index.Kind kind, boolean unique, Integer... columns) {
        return new Index(name, kind, unique, List.of(columns));
    }

    /// A row and, where there is no primary key, its place in the order of insertion.
    private static final class Entry {
        final @Nullable Object[] values;
        final long number;

        Entry(@Nullable Object[] values, long number) {
            this.values = values;
            this.number = number;
        }
    }

    private Gen gen = new Gen(Seed.of("TableModelTest", 1));
    private int[] keyColumns = {};
    private List<Entry> model = new ArrayList<>();
    private long numbers;

    @Test
    void rowsByOneColumnInMemory() {
        run(Seed.of("TableModelTest.one", 11).nextLong(), null, List.of(0));
    }

    @Test
    void rowsByTwoColumnsInMemory() {
        run(Seed.of("TableModelTest.two", 12).nextLong(), null, List.of(5, 0));
    }

    @Test
    void rowsByHiddenNumberInMemory() {
        run(Seed.of("TableModelTest.none", 13).nextLong(), null, List.of());
    }

    @Test
    void rowsByOneColumnOnDisk(@TempDir Path folder) {
        run(Seed.of("TableModelTest.disk", 14).nextLong(), folder, List.of(0));
    }

    @Test
    void rowsByHiddenNumberOnDisk(@TempDir Path folder) {
        run(Seed.of("TableModelTest.diskNone", 15).nextLong(), folder, List.of());
    }

    private static Store open(@Nullable Path folder) {
        StoreOptions options = StoreOptions.defaults().withDurability(Durability.ASYNC);
        if (folder == null) {
            return Store.inMemory(options);
        }
        try {
            return Store.open(DiskDirectory.open(folder), options);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Tables tables(@Nullable Path folder) {
        Tables tables = check.closing(Tables.open(open(folder)));
        check.also("tables", tables::check);
        return tables;
    }

    private void run(long seed, @Nullable Path folder, List<Integer> primaryKey) {
        gen = new Gen(new SplittableRandom(seed));
        keyColumns = primaryKey.stream().mapToInt(Integer::intValue).toArray();
        Tables tables = tables(folder);
        try (TableTransaction begin = tables.beginWrite()) {
            begin.create(new Table(0, "T", COLUMNS, primaryKey, INDEXES.subList(0, 4)));
            begin.commit();
        }
        for (int round = 0; round < 60; round++) {
            if (folder != null && gen.chance(10)) {
                tables.close();
                tables = tables(folder);
            }
            List<Entry> before = new ArrayList<>(model);
            try (TableTransaction reader = tables.beginRead()) {
                writeOnce(tables);
                assertSees(reader, before);
            }
            try (TableTransaction reader = tables.beginRead()) {
                assertSees(reader, model);
            }
            if (round % 10 == 0) {
                assertEquals(List.of(), tables.check());
            }
        }
    }

    private void writeOnce(Tables tables) {
        List<Entry> before = new ArrayList<>(model);
        try (TableTransaction transaction = tables.beginWrite()) {
            int steps = gen.length(120);
            for (int i = 0; i < steps; i++) {
                step(transaction);
            }
            if (gen.chance(30)) {
                assertSees(transaction, model);
            }
            if (gen.chance(20)) {
                model = before;
            } else {
                transaction.commit();
            }
        }
    }

    private void step(TableTransaction transaction) {
        switch (gen.weighted(50, 20, 20, 6, 2)) {
            case 0 -> insert(transaction);
            case 1 -> update(transaction);
            case 2 -> delete(transaction);
            case 3 -> {
                Transaction.Savepoint savepoint = transaction.savepoint();
                List<Entry> before = new ArrayList<>(model);
                int steps = gen.below(8);
                for (int i = 0; i < steps; i++) {
                    step(transaction);
                }
                if (gen.chance(60)) {
                    transaction.rollbackTo(savepoint);
                    model = before;
                }
                transaction.release(savepoint);
            }
            default -> redefine(transaction);
        }
    }

    private static Table table(TableTransaction transaction) {
        Table table = transaction.catalog().table("t");
        assertTrue(table != null);
        return table;
    }

    /// Drops an index, or makes it anew.
    private void redefine(TableTransaction transaction) {
        Table table = table(transaction);
        Index index = gen.pick(INDEXES);
        if (table.index(index.name()) != null) {
            transaction.dropIndex(table, index);
            return;
        }
        boolean refused = index.unique() && hasDuplicates(index);
        try {
            transaction.createIndex(table, index);
            assertFalse(refused);
        } catch (ConstraintException e) {
            assertEquals(Kind.DUPLICATE_KEY, e.kind());
            assertTrue(refused, e.getMessage());
        }
    }

    private boolean hasDuplicates(Index index) {
        int[] columns = columns(index);
        for (Entry entry : model) {
            if (isTaken(entry.values, columns, entry)) {
                return true;
            }
        }
        return false;
    }

    private static int[] columns(Index index) {
        return index.columns().stream().mapToInt(Integer::intValue).toArray();
    }

    private @Nullable Object[] randomRow() {
        boolean small = gen.chance(70);
        return new @Nullable Object[] {
            (long) gen.below(400),
            gen.chance(10) ? null : small ? "n" + gen.below(6) : gen.text(12),
            gen.chance(10) ? null : small ? (double) gen.below(5) : gen.anyDouble(),
            gen.chance(30) ? null : BigDecimal.valueOf(gen.below(3000), 2),
            gen.chance(10) ? null : gen.bytes(small ? 3 : 300),
            gen.chance(10) && !Arrays.stream(keyColumns).anyMatch(c -> c == 5)
                    ? null
                    : (long) gen.below(60)
        };
    }

    /// Whether the definition refuses `values` in place of `replaced`.
    private boolean isRefused(Table table, @Nullable Object[] values, @Nullable Entry replaced) {
        if (keyColumns.length > 0 && isTaken(values, keyColumns, replaced)) {
            return true;
        }
        for (Index index : table.indexes()) {
            if (index.unique() && isTaken(values, columns(index), replaced)) {
                return true;
            }
        }
        return false;
    }

    private boolean isTaken(@Nullable Object[] values, int[] columns, @Nullable Entry except) {
        for (int column : columns) {
            if (values[column] == null) {
                return false;
            }
        }
        for (Entry entry : model) {
            if (entry != except
                    && Values.compare(entry.values, values, columns, columns.length) == 0) {
                return true;
            }
        }
        return false;
    }

    private void insert(TableTransaction transaction) {
        @Nullable Object[] values = randomRow();
        boolean refused = isRefused(table(transaction), values, null);
        try {
            transaction.insert(table(transaction), Values.tuple(values));
            assertFalse(refused);
            model.add(new Entry(values, numbers++));
        } catch (ConstraintException e) {
            assertEquals(Kind.DUPLICATE_KEY, e.kind());
            assertTrue(refused, e.getMessage());
        }
    }

    private void update(TableTransaction transaction) {
        Slice key = new Slice();
        Entry chosen = choose(transaction, key);
        if (chosen == null) {
            return;
        }
        @Nullable Object[] values = chosen.values.clone();
        @Nullable Object[] other = randomRow();
        for (int i = 0; i < values.length; i++) {
            values[i] = gen.chance(40) ? other[i] : values[i];
        }
        boolean refused = isRefused(table(transaction), values, chosen);
        try {
            assertTrue(transaction.update(table(transaction), key, Values.tuple(values)));
            assertFalse(refused);
            model.set(model.indexOf(chosen), new Entry(values, chosen.number));
        } catch (ConstraintException e) {
            assertEquals(Kind.DUPLICATE_KEY, e.kind());
            assertTrue(refused, e.getMessage());
        }
    }

    private void delete(TableTransaction transaction) {
        Slice key = new Slice();
        Entry chosen = choose(transaction, key);
        if (chosen == null) {
            return;
        }
        Slice kept = Slice.copyOf(key.toBytes());
        assertTrue(transaction.delete(table(transaction), key));
        assertFalse(transaction.delete(table(transaction), kept));
        assertFalse(transaction.update(table(transaction), kept, Values.tuple(randomRow())));
        model.remove(chosen);
    }

    /// A random row of the table, found by a random path; its key in `key`.
    private @Nullable Entry choose(TableTransaction transaction, Slice key) {
        if (model.isEmpty()) {
            return null;
        }
        Table table = table(transaction);
        int path = gen.below(table.indexes().size() + 1) - 1;
        Index index = path < 0 ? null : table.indexes().get(path);
        RowCursor cursor = transaction.cursor(table, index);
        cursor.open(transaction, new KeyRange(3), gen.chance(50));
        int steps = gen.below(model.size()) + 1;
        for (int i = 0; i < steps; i++) {
            assertTrue(cursor.next());
        }
        @Nullable Object[] values = Values.row(cursor, table);
        cursor.rowKey(key);
        if (keyColumns.length > 0) {
            for (Entry entry : model) {
                if (Values.compare(entry.values, values, keyColumns, keyColumns.length) == 0) {
                    return entry;
                }
            }
            throw new AssertionError("no such row " + Arrays.toString(values));
        }
        // Without a primary key the row is known by its rank among all.
        RowCursor all = transaction.cursor(table, null);
        all.open(transaction, new KeyRange(0), false);
        Slice at = new Slice();
        for (Entry entry : sorted(model, new int[0], List.of())) {
            assertTrue(all.next());
            all.rowKey(at);
            if (Slice.compare(at, key) == 0) {
                return entry;
            }
        }
        throw new AssertionError("no such row " + Arrays.toString(values));
    }

    private List<Entry> sorted(List<Entry> entries, int[] columns, List<KeyOrder> orders) {
        List<Entry> sorted = new ArrayList<>(entries);
        sorted.sort((a, b) -> {
            int order = Values.compare(a.values, b.values, columns, columns.length, orders);
            if (order == 0) {
                order = Values.compare(a.values, b.values, keyColumns, keyColumns.length);
            }
            return order == 0 ? Long.compare(a.number, b.number) : order;
        });
        return sorted;
    }

    /// Reads everything and a few random ranges by every path.
    private void assertSees(TableTransaction transaction, List<Entry> expected) {
        Table table = table(transaction);
        List<@Nullable Index> paths = new ArrayList<>(table.indexes());
        paths.add(null);
        for (Index index : paths) {
            RowCursor cursor = transaction.cursor(table, index);
            for (int i = 0; i < 4; i++) {
                assertRange(transaction, cursor, table, index, expected, i);
            }
        }
    }

    private void assertRange(
            TableTransaction transaction,
            RowCursor cursor,
            Table table,
            @Nullable Index index,
            List<Entry> entries,
            int attempt) {
        int[] columns = index == null ? keyColumns : columns(index);
        List<KeyOrder> orders = index == null ? List.of() : index.entryOrders();
        KeyRange range = new KeyRange(columns.length);
        List<Entry> expected = sorted(entries, columns, orders);
        if (attempt > 0 && columns.length > 0) {
            @Nullable Object[] low = bound(entries);
            @Nullable Object[] high = gen.chance(30) ? low : bound(entries);
            int lowCount = gen.below(columns.length + 1);
            int highCount = gen.below(columns.length + 1);
            boolean lowInclusive = gen.chance(50);
            boolean highInclusive = gen.chance(50);
            for (int i = 0; i < columns.length; i++) {
                Values.set(range.lower(), i, low[columns[i]]);
                Values.set(range.upper(), i, high[columns[i]]);
            }
            range.from(lowCount, lowInclusive);
            range.to(highCount, highInclusive);
            expected.removeIf(entry -> {
                int above = Values.compare(entry.values, low, columns, lowCount, orders);
                int below = Values.compare(entry.values, high, columns, highCount, orders);
                if (lowCount > 0 && (lowInclusive ? above < 0 : above <= 0)) {
                    return true;
                }
                return highCount > 0 && (highInclusive ? below > 0 : below >= 0);
            });
        }
        boolean descending = attempt % 2 == 1;
        if (descending) {
            Collections.reverse(expected);
        }
        cursor.open(transaction, range, descending);
        for (Entry entry : expected) {
            assertTrue(cursor.next());
            if (gen.chance(50)) { // before the row is fetched, from the key
                int column = gen.below(COLUMNS.size());
                Type type = COLUMNS.get(column).type();
                Object found = Values.get(cursor, column, type);
                assertEquals(0, Values.ORDER.compare(entry.values[column], found));
            }
            assertArrayEquals(entry.values, Values.row(cursor, table));
        }
        assertFalse(cursor.next());
        assertFalse(cursor.next());
    }

    private @Nullable Object[] bound(List<Entry> entries) {
        return entries.isEmpty() || gen.chance(40) ? randomRow() : gen.pick(entries).values;
    }
}
