package dev.oriel.table.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Type;
import dev.oriel.table.expiry.DueRows;
import dev.oriel.table.expiry.SweepPlace;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.TextKey;
import dev.oriel.table.model.Values;
import dev.oriel.table.row.RowBytes;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Rows that expire are absent everywhere, and each change gives its row a higher version.
final class ExpiryTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Index TREE = new Index("tree", Index.Kind.BTREE, true, List.of(1));
    private static final Index ARRAY = new Index("array", Index.Kind.ARRAY, true, List.of(2));

    private static final int VALUE_BYTES = 4 << 20;

    private final AtomicLong now = new AtomicLong(1_000);
    private final Store store = Store.inMemory(StoreOptions.defaults());
    private final Tables tables = check.closing(Tables.open(store, now::get));

    private static Column column(String name, Type.Name type, Column.Role role) {
        return new Column(name, Type.of(type), true, role);
    }

    private static Table definition() {
        return new Table(
                0,
                "T",
                List.of(
                        column("K", Type.Name.VARCHAR, Column.Role.PLAIN),
                        column("A", Type.Name.INTEGER, Column.Role.PLAIN),
                        column("B", Type.Name.INTEGER, Column.Role.PLAIN),
                        column("E", Type.Name.TIMESTAMP_TZ, Column.Role.EXPIRY),
                        new Column("V", Type.of(Type.Name.BIGINT), false, Column.Role.VERSION)),
                List.of(0),
                List.of(TREE, ARRAY));
    }

    private Table table() {
        check.also("tables", tables::check);
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(definition());
            write.commit();
            return table;
        }
    }

    private long insert(Table table, String key, long a, @Nullable Long expiry) {
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(table, row(key, a, expiry));
            write.commit();
            return write.rowVersion();
        }
    }

    private static Tuple row(String key, long a, @Nullable Long expiry) {
        Tuple row = new Tuple(5);
        row.setText(0, key);
        row.setLong(1, a);
        row.setLong(2, -a);
        if (expiry != null) {
            row.setLong(3, expiry);
        }
        row.setLong(4, 7); // which says nothing
        return row;
    }

    private List<String> keys(TableTransaction transaction, Table table, @Nullable Index index) {
        RowCursor cursor = transaction.cursor(table, index);
        cursor.open(transaction, new KeyRange(1), false);
        List<String> keys = new ArrayList<>();
        while (cursor.next()) {
            keys.add(cursor.textAt(0));
        }
        return keys;
    }

    @Test
    void whatHasExpiredIsAbsentInEveryOrderAndByKey() {
        Table table = table();
        insert(table, "a", 1, 1_500L);
        insert(table, "b", 2, null);
        insert(table, "c", 3, 2_000L);
        for (long time : new long[] {1_499, 1_500, 1_999, 2_000}) {
            now.set(time);
            List<String> expected = new ArrayList<>(List.of("a", "b", "c"));
            if (time >= 1_500) {
                expected.remove("a");
            }
            if (time >= 2_000) {
                expected.remove("c");
            }
            try (TableTransaction read = tables.beginRead()) {
                assertEquals(expected, keys(read, table, null), "at " + time);
                assertEquals(expected, keys(read, table, TREE), "at " + time);
                assertEquals(expected.reversed(), keys(read, table, ARRAY), "at " + time);
                RowBytes row = read.rowOf(table);
                boolean found = read.fetch(table, new TextKey().set("a"), row);
                assertEquals(time < 1_500, found);
            }
        }
    }

    @Test
    void whatRefersToAnExpiredRowGoesWithItOrKeepsIt() {
        Table table = table();
        Table going = referring(table, "going", ForeignKey.Action.CASCADE);
        Table keeping = referring(table, "keeping", ForeignKey.Action.NO_ACTION);
        insert(table, "a", 1, 1_500L);
        insert(table, "b", 2, 1_500L);
        insert(table, "c", 3, 1_500L);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(going, Values.tuple("a"));
            write.insert(going, Values.tuple("b"));
            write.insert(keeping, Values.tuple("b"));
            write.commit();
        }
        now.set(1_500);
        assertEquals(2, tables.sweep(table, new SweepPlace(), 100));
        try (TableTransaction read = tables.beginRead()) {
            assertEquals(List.of("b"), keys(read, going, null));
            assertEquals(List.of("b"), keys(read, keeping, null));
        }
        try (TableTransaction write = tables.beginWrite()) {
            assertTrue(write.delete(keeping, new TextKey().set("b")));
            write.commit();
        }
        assertEquals(1, tables.sweep(table, new SweepPlace(), 100));
        try (TableTransaction read = tables.beginRead()) {
            assertEquals(List.of(), keys(read, going, null));
        }
    }

    @Test
    void noNewRowRefersToAnExpiredOne() {
        Table table = table();
        Table early = referring(table, "early", ForeignKey.Action.NO_ACTION);
        Table late = referring(table, "late", ForeignKey.Action.NO_ACTION);
        insert(table, "a", 1, 1_500L);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(early, Values.tuple("a"));
            write.commit();
        }
        now.set(1_500);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(late, Values.tuple("a"));
            ConstraintException refused = assertThrows(ConstraintException.class, write::settle);
            assertEquals(ConstraintException.Kind.FOREIGN_KEY, refused.kind());
        }
        insert(table, "a", 2, null);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(late, Values.tuple("a"));
            write.commit();
        }
    }

    @Test
    void expiredRowsGoWithoutTheTriggersOfRowsThatFollow() {
        Table table = table();
        Table going = referring(table, "going", ForeignKey.Action.CASCADE);
        insert(table, "a", 1, 1_500L);
        try (TableTransaction write = tables.beginWrite()) {
            write.insert(going, Values.tuple("a"));
            write.create(
                    new Trigger(
                            0,
                            "told",
                            going.id(),
                            Trigger.Timing.BEFORE,
                            Set.of(Trigger.Event.DELETE),
                            List.of(),
                            true,
                            Trigger.Names.NONE,
                            null,
                            "SIGNAL SQLSTATE '45000'",
                            List.of(""),
                            true,
                            false));
            write.commit();
        }
        now.set(1_500);
        assertEquals(1, tables.sweep(table, new SweepPlace(), 100));
        try (TableTransaction write = tables.beginWrite()) {
            assertEquals(List.of(), keys(write, going, null));
            Table current = Objects.requireNonNull(write.catalog().table(going.id()));
            assertThrows(UsageException.class, () -> write.insert(current, Values.tuple("b")));
        }
    }

    private Table referring(Table to, String name, ForeignKey.Action action) {
        ForeignKey key =
                new ForeignKey(
                        name + "_key",
                        List.of(0),
                        to.id(),
                        List.of(0),
                        action,
                        action,
                        ForeignKey.Deferral.NOT_DEFERRABLE);
        try (TableTransaction write = tables.beginWrite()) {
            Table table =
                    write.create(
                            new Table(
                                    0,
                                    name,
                                    List.of(column("K", Type.Name.VARCHAR, Column.Role.PLAIN)),
                                    List.of(0),
                                    List.of(),
                                    new Constraints("", List.of(), List.of(key))));
            write.commit();
            return table;
        }
    }

    @Test
    void aSnapshotHasOneMoment() {
        Table table = table();
        insert(table, "a", 1, 1_500L);
        TableTransaction read = check.closing(tables.beginRead());
        assertEquals(List.of("a"), keys(read, table, null));
        now.set(9_000);
        assertEquals(List.of("a"), keys(read, table, null));
        read.commit();
        tables.renew(read);
        assertEquals(List.of(), keys(read, table, null));
    }

    @Test
    void aSnapshotKeepsItsMomentWhenItBecomesExclusive() {
        Table table = table();
        insert(table, "a", 1, 1_500L);
        try (TableTransaction write = tables.beginWrite(Isolation.SNAPSHOT)) {
            assertEquals(List.of("a"), keys(write, table, null));
            now.set(9_000);
            write.exclusive();
            assertEquals(List.of("a"), keys(write, table, null));
            write.commit();
        }
    }

    @Test
    void expiredRowsStandInNobodysWay() {
        Table table = table();
        insert(table, "a", 1, 1_500L);
        insert(table, "b", 2, 1_500L);
        insert(table, "live", 8, null);
        now.set(1_500);
        insert(table, "a", 5, null); // the same row key
        insert(table, "c", 2, null); // the same key of both unique indexes
        try (TableTransaction write = tables.beginWrite()) {
            assertFalse(write.update(table, new TextKey().set("b"), row("b", 9, null)));
            assertFalse(write.delete(table, new TextKey().set("b")));
            assertThrows(ConstraintException.class, () -> write.insert(table, row("d", 8, null)));
        }
        try (TableTransaction read = tables.beginRead()) {
            assertEquals(List.of("a", "c", "live"), keys(read, table, null));
        }
    }

    @Test
    void uniqueIndexesAreBuiltWithoutWhatHasExpired() {
        check.also("tables", tables::check);
        Table table;
        try (TableTransaction write = tables.beginWrite()) {
            Table plain = definition();
            table = write.create(new Table(0, "T", plain.columns(), plain.primaryKey(), List.of()));
            write.commit();
        }
        insert(table, "a", 1, 1_500L);
        insert(table, "b", 1, null);
        now.set(1_500);
        try (TableTransaction write = tables.beginWrite()) {
            table = write.createIndex(table, TREE);
            write.commit();
        }
        try (TableTransaction read = tables.beginRead()) {
            assertEquals(List.of("b"), keys(read, table, TREE));
        }
    }

    @Test
    void versionsRiseWhateverTheChangeSaysAndWhateverTheClockDoes() {
        Table table = table();
        long first = insert(table, "a", 1, null);
        now.set(10);
        long second;
        try (TableTransaction write = tables.beginWrite()) {
            assertTrue(write.update(table, new TextKey().set("a"), row("a", 2, null)));
            write.commit();
            second = write.rowVersion();
        }
        assertTrue(second > first, first + " " + second);
        try (TableTransaction read = tables.beginRead()) {
            RowBytes row = read.rowOf(table);
            assertTrue(read.fetch(table, new TextKey().set("a"), row));
            assertEquals(second, row.longAt(4));
        }
    }

    /// Whatever the row says of its version: NULL is what a caller says that does not know of it.
    @Test
    void anIndexOverTheVersionHoldsTheNewOne() {
        check.also("tables", tables::check);
        Index byVersion = new Index("by_version", Index.Kind.BTREE, false, List.of(4));
        Table wanted = definition();
        Table table;
        try (TableTransaction write = tables.beginWrite()) {
            table =
                    write.create(
                            new Table(
                                    0,
                                    "T",
                                    withNullableVersion(wanted.columns()),
                                    wanted.primaryKey(),
                                    List.of(byVersion, ARRAY)));
            write.insert(table, versionless("inserted", 1));
            write.insert(table, versionless("updated", 2));
            assertTrue(
                    write.update(table, new TextKey().set("updated"), versionless("updated", 3)));
            write.commit();
        }
        try (TableTransaction load = tables.beginBulk(BulkOptions.defaults())) {
            load.insert(table, versionless("loaded", 4));
            load.commit();
        }
        try (TableTransaction read = tables.beginRead()) {
            assertEquals(List.of("inserted", "updated", "loaded"), keys(read, table, byVersion));
        }
    }

    private static List<Column> withNullableVersion(List<Column> columns) {
        List<Column> changed = new ArrayList<>(columns);
        changed.set(4, column("V", Type.Name.BIGINT, Column.Role.VERSION));
        return changed;
    }

    private static Tuple versionless(String key, long a) {
        Tuple row = row(key, a, null);
        row.setNull(4);
        return row;
    }

    @Test
    void aSweepRemovesWhatHasExpiredInSlicesAndPassesOverWhatIsLocked() {
        Table table = table();
        for (int i = 0; i < 10; i++) {
            insert(table, "k" + i, i + 1, i % 2 == 0 ? 1_500L : null);
        }
        now.set(1_500);
        SweepPlace place = new SweepPlace();
        Transaction.Wait patience = new Transaction.Wait(Transaction.Wait.Kind.NOWAIT, 0);
        try (TableTransaction other = tables.beginWrite(Isolation.READ_COMMITTED)) {
            assertTrue(other.lock(table, new TextKey().set("k0"), patience));
            assertEquals(1, tables.sweep(table, place, 4)); // k2, as k0 is locked
        }
        assertEquals(2, tables.sweep(table, place, 4)); // k4, k6
        assertFalse(place.isAtBegin());
        assertEquals(1, tables.sweep(table, place, 4)); // k8
        assertTrue(place.isAtBegin());
        assertEquals(1, tables.sweep(table, place, 4)); // k0
        try (Transaction read = store.beginRead()) {
            assertEquals(5, read.count(trees(read, table), Slice.of(""), null));
        }
    }

    @Test
    void aTableIsSweptOnlyIfSomethingMayHaveExpired() {
        Table table = table();
        insert(table, "stays", 1, null);
        assertTrue(tables.mayHaveExpired(table), "nobody has looked yet");
        assertEquals(0, tables.sweep(table, new SweepPlace(), 100));
        assertFalse(tables.mayHaveExpired(table));
        insert(table, "goes", 2, 1_500L);
        assertFalse(tables.mayHaveExpired(table));
        now.set(1_500);
        assertTrue(tables.mayHaveExpired(table));
        assertEquals(1, tables.sweep(table, new SweepPlace(), 100));
        now.set(Long.MAX_VALUE - 1);
        assertFalse(tables.mayHaveExpired(table));
    }

    /// One row after the other falls due among many that stay: the others are not read for it.
    @Test
    void rowsThatFallDueOneByOneNeedNoSweep() {
        Table table = table();
        for (int i = 0; i < 100; i++) {
            insert(table, "stays" + i, 1_000 + i, null);
        }
        insert(table, "known", 1, 1_400L);
        assertEquals(0, tables.sweep(table, new SweepPlace(), 1_000));
        for (int i = 0; i < 50; i++) {
            insert(table, "goes" + i, 2_000 + i, 1_500L + i);
        }
        now.set(1_400);
        assertEquals(1, tables.sweepDue(table, 100));
        for (int i = 0; i < 50; i++) {
            assertFalse(tables.mayHaveExpired(table));
            now.set(1_500 + i);
            assertTrue(tables.mayHaveExpired(table));
            assertFalse(tables.needsSweep(table), "at " + now);
            assertEquals(1, tables.sweepDue(table, 100));
        }
        assertEquals(100, stored(table));
    }

    @Test
    void aRowThatWasWrittenAgainIsNotedAgain() {
        Table table = table();
        assertEquals(0, tables.sweep(table, new SweepPlace(), 100));
        insert(table, "a", 1, 1_500L);
        try (TableTransaction write = tables.beginWrite()) {
            assertTrue(write.update(table, new TextKey().set("a"), row("a", 1, 1_700L)));
            write.commit();
        }
        now.set(1_600);
        assertEquals(0, tables.sweepDue(table, 100));
        assertFalse(tables.mayHaveExpired(table));
        now.set(1_700);
        assertEquals(1, tables.sweepDue(table, 100));
        assertEquals(0, stored(table));
    }

    @Test
    void moreRowsThanCanBeKnownAreFoundByTheNextSweep() {
        Table table = table();
        int many = DueRows.CAPACITY + 50;
        try (TableTransaction write = tables.beginWrite()) {
            for (int i = 0; i < many; i++) {
                write.insert(table, row("k" + i, i, 2_000L + i));
            }
            write.commit();
        }
        assertEquals(0, tables.sweep(table, new SweepPlace(), many));
        now.set(2_000 + DueRows.CAPACITY - 1);
        assertFalse(tables.needsSweep(table));
        assertEquals(DueRows.CAPACITY, tables.sweepDue(table, many));
        now.set(2_000 + many);
        assertTrue(tables.needsSweep(table));
        assertEquals(50, tables.sweep(table, new SweepPlace(), many));
        assertFalse(tables.mayHaveExpired(table));
        assertEquals(0, stored(table));
    }

    /// Whatever is written and when: after a round nothing that has expired is stored, and nothing else is gone.
    @Test
    void aRoundLeavesNothingThatHasExpired() {
        Table table = table();
        Gen gen = new Gen(Seed.of("ExpiryTest", 12));
        Map<String, Long> model = new HashMap<>();
        for (int round = 0; round < 300; round++) {
            for (int i = gen.below(8); i > 0; i--) {
                String key = "k" + gen.below(60);
                Long expiry = gen.chance(30) ? null : now.get() + 1 + gen.below(200);
                Tuple row = row(key, Long.parseLong(key.substring(1)), expiry);
                try (TableTransaction write = tables.beginWrite()) {
                    if (!write.update(table, new TextKey().set(key), row)) {
                        write.insert(table, row);
                    }
                    if (gen.chance(10)) {
                        continue; // rolled back
                    }
                    write.commit();
                }
                model.put(key, expiry == null ? Long.MAX_VALUE : expiry);
            }
            now.addAndGet(gen.below(60));
            if (tables.mayHaveExpired(table)) {
                tables.sweepDue(table, 1_000);
                if (tables.needsSweep(table)) {
                    tables.sweep(table, new SweepPlace(), 1_000);
                }
            }
            model.values().removeIf(expiry -> expiry <= now.get());
            assertEquals(model.size(), stored(table), "round " + round);
        }
    }

    private long stored(Table table) {
        try (Transaction read = store.beginRead()) {
            return read.count(trees(read, table), Slice.of(""), null);
        }
    }

    @Test
    void whatIsCommittedWhileASweepIsUnderWayIsNotForgotten() {
        Table table = table();
        for (int i = 0; i < 10; i++) {
            insert(table, "k" + i, i + 1, null);
        }
        SweepPlace place = new SweepPlace();
        try (TableTransaction before = tables.beginWrite(Isolation.READ_COMMITTED)) {
            before.insert(table, row("a", 100, 1_500L));
            assertEquals(0, tables.sweep(table, place, 4));
            insert(table, "b", 101, 1_600L);
            before.commit();
        }
        assertEquals(0, tables.sweep(table, place, 100));
        assertTrue(place.isAtBegin());
        assertFalse(tables.mayHaveExpired(table));
        now.set(1_500);
        assertTrue(tables.mayHaveExpired(table), "both were written behind the sweep");
        assertEquals(1, tables.sweep(table, new SweepPlace(), 100));
        assertFalse(tables.mayHaveExpired(table));
        now.set(1_600);
        assertEquals(1, tables.sweep(table, new SweepPlace(), 100));
    }

    @Test
    void aRowThatCouldNotBeRemovedIsLookedForAgain() {
        Table table = table();
        insert(table, "k", 1, 1_500L);
        now.set(1_500);
        Transaction.Wait patience = new Transaction.Wait(Transaction.Wait.Kind.NOWAIT, 0);
        try (TableTransaction other = tables.beginWrite(Isolation.READ_COMMITTED)) {
            assertTrue(other.lock(table, new TextKey().set("k"), patience));
            assertEquals(0, tables.sweep(table, new SweepPlace(), 100));
            assertTrue(tables.mayHaveExpired(table));
        }
        assertEquals(1, tables.sweep(table, new SweepPlace(), 100));
    }

    /// Before, each sweep took memory for a copy of each long value.
    @Test
    void aSweepReadsNoLongValues() {
        Table table;
        try (TableTransaction write = tables.beginWrite()) {
            table =
                    write.create(
                            new Table(
                                    0,
                                    "LONG",
                                    List.of(
                                            column("K", Type.Name.VARCHAR, Column.Role.PLAIN),
                                            column("B", Type.Name.BLOB, Column.Role.PLAIN),
                                            column(
                                                    "E",
                                                    Type.Name.TIMESTAMP_TZ,
                                                    Column.Role.EXPIRY)),
                                    List.of(0),
                                    List.of()));
            for (String key : List.of("goes", "stays")) {
                Tuple row = new Tuple(3);
                row.setText(0, key);
                row.setBytes(1, new byte[VALUE_BYTES]);
                row.setLong(2, key.equals("goes") ? 1_500 : 9_000);
                write.insert(table, row);
            }
            write.commit();
        }
        long before = directBytes();
        for (int i = 0; i < 10; i++) {
            assertEquals(0, tables.sweep(table, new SweepPlace(), 100));
        }
        long taken = directBytes() - before;
        assertTrue(taken < VALUE_BYTES, taken + " bytes");
        now.set(1_500);
        assertEquals(1, tables.sweep(table, new SweepPlace(), 100));
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static dev.oriel.store.Tree trees(Transaction read, Table table) {
        dev.oriel.store.Tree tree = read.tree("t" + table.id());
        assertNotNull(tree);
        return tree;
    }

    @Test
    void rolesSurviveReopeningAndAreCheckedWhenDefined() {
        Table table = table();
        try (TableTransaction write = tables.beginWrite()) {
            Column wrong = column("E", Type.Name.INTEGER, Column.Role.EXPIRY);
            Table refused = new Table(0, "U", List.of(wrong), List.of(), List.of());
            UsageException error = assertThrows(UsageException.class, () -> write.create(refused));
            assertEquals(
                    "A table has at most one expiry column (TIMESTAMP WITH TIME ZONE) and one"
                            + " version column (BIGINT); neither can be in the primary key:"
                            + " table=U column=E",
                    error.getMessage());
        }
        Table again = Tables.open(store, now::get).catalog().table("T");
        assertNotNull(again);
        assertEquals(table.columns(), again.columns());
    }
}
