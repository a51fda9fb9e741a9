package dev.oriel.table.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.model.Values;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Rows that are loaded in bulk, with indexes of all kinds.
final class BulkRowsTest {
    private static final Index TREE = new Index("tree", Index.Kind.BTREE, true, List.of(1));
    private static final Index ARRAY = new Index("array", Index.Kind.ARRAY, false, List.of(1));
    private static final BulkOptions SMALL =
            BulkOptions.defaults().withSortBytesMax(64 << 10).withIdleMillisMax(0);

    private static void create(Tables tables) {
        Column id = new Column("ID", Type.of(Type.Name.BIGINT), false);
        Column text = new Column("TEXT", Type.varchar(0), false);
        try (TableTransaction write = tables.beginExclusive()) {
            write.create(new Table(0, "T", List.of(id, text), List.of(0), List.of(TREE, ARRAY)));
            write.create(new Table(0, "HEAP", List.of(id, text), List.of(), List.of()));
            write.commit();
        }
    }

    private static Table table(TableTransaction transaction, String name) {
        return Objects.requireNonNull(transaction.catalog().table(name));
    }

    private static void add(
            TableTransaction load, NavigableMap<Long, String> model, Gen gen, int count) {
        Table table = table(load, "T");
        Table heap = table(load, "HEAP");
        for (int i = 0; i < count; i++) {
            long id = gen.below(1_000_000);
            if (model.containsKey(id)) {
                continue;
            }
            String text = gen.below(100_000) + ":" + id + "x".repeat(gen.below(60));
            load.insert(table, Values.tuple(id, text));
            load.insert(heap, Values.tuple(id, text));
            model.put(id, text);
        }
    }

    private static void assertHolds(Tables tables, NavigableMap<Long, String> model) {
        assertEquals(List.of(), tables.check());
        try (TableTransaction read = tables.beginRead()) {
            for (Index index : List.of(TREE, ARRAY)) {
                NavigableMap<Long, String> rows = new TreeMap<>();
                RowCursor cursor = read.cursor(table(read, "T"), index);
                cursor.open(read, new KeyRange(1), false);
                while (cursor.next()) {
                    rows.put(cursor.longAt(0), String.valueOf(cursor.textAt(1)));
                }
                assertEquals(model, rows);
            }
            RowCursor cursor = read.cursor(table(read, "HEAP"), null);
            cursor.open(read, new KeyRange(1), false);
            int count = 0;
            while (cursor.next()) {
                assertEquals(model.get(cursor.longAt(0)), cursor.textAt(1));
                count++;
            }
            assertEquals(model.size(), count);
        }
    }

    @Test
    void unsortedRowsFillTablesAndAllTheirIndexes() {
        Gen gen = new Gen(Seed.of("BulkRowsTest", 1));
        NavigableMap<Long, String> model = new TreeMap<>();
        SimDirectory directory = new SimDirectory();
        try (Tables tables = Tables.open(Store.open(directory, StoreOptions.defaults()))) {
            create(tables);
            for (int round = 0; round < 3; round++) {
                try (TableTransaction load = tables.beginBulk(SMALL)) {
                    add(load, model, gen, 1_500);
                    assertTrue(directory.list().contains("temporary-sort"), "nothing was spilled");
                    load.commit();
                }
                assertHolds(tables, model);
                assertTrue(directory.list().stream().noneMatch(name -> name.startsWith("temp")));
            }
        }
        try (Tables tables = Tables.open(Store.open(directory, StoreOptions.defaults()))) {
            assertHolds(tables, model);
        }
    }

    /// What is not an insertion sees the rows, and changes them; nothing is lost in between.
    @Test
    void otherStatementsOfTheLoadSeeItsRows() {
        Gen gen = new Gen(Seed.of("BulkRowsTest", 2));
        NavigableMap<Long, String> model = new TreeMap<>();
        try (Tables tables = Tables.open(Store.open(new SimDirectory(), StoreOptions.defaults()))) {
            create(tables);
            try (TableTransaction load = tables.beginBulk(SMALL)) {
                add(load, model, gen, 2_000);
                RowCursor cursor = load.cursor(table(load, "HEAP"), null);
                cursor.open(load, new KeyRange(1), false);
                int seen = 0;
                while (cursor.next()) {
                    seen++;
                }
                assertEquals(model.size(), seen);
                add(load, model, gen, 500);
                Table table = load.dropIndex(table(load, "T"), TREE);
                load.createIndex(table, TREE);
                add(load, model, gen, 500);
                load.commit();
            }
            assertHolds(tables, model);
        }
    }

    /// The trees of indexes are filled too before it is known.
    @Test
    void aKeyThatComesTwiceIsToldAsOneOfTheTable() {
        Column id = new Column("ID", Type.of(Type.Name.BIGINT), false);
        Column text = new Column("TEXT", Type.varchar(0), false);
        Column one = new Column("ONE", Type.of(Type.Name.INTEGER), true);
        Index words = new Index("words", Index.Kind.SEARCH, false, List.of(1));
        Index tree = new Index("plain", Index.Kind.BTREE, false, List.of(1));
        Index unique = new Index("none", Index.Kind.BTREE, true, List.of(2));
        String many =
                IntStream.range(0, 200).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
        for (Index index : List.of(words, tree, unique)) {
            try (Tables tables =
                    Tables.open(Store.open(new SimDirectory(), StoreOptions.defaults()))) {
                List<Column> columns = List.of(id, text, one);
                try (TableTransaction write = tables.beginExclusive()) {
                    write.create(new Table(0, "W", columns, List.of(0), List.of(index)));
                    write.commit();
                }
                try (TableTransaction load = tables.beginBulk(SMALL)) {
                    Table table = table(load, "W");
                    boolean search = index.kind() == Index.Kind.SEARCH;
                    String value = search ? many : many.substring(0, 400);
                    load.insert(table, Values.tuple(1L, value, null));
                    ConstraintException refused =
                            assertThrows(
                                    ConstraintException.class,
                                    () -> {
                                        for (long i = 1; i < 100; i++) { // 1 for the second time
                                            load.insert(table, Values.tuple(i, value, null));
                                        }
                                        load.commit();
                                    });
                    assertEquals(ConstraintException.Kind.DUPLICATE_KEY, refused.kind());
                    String message = String.valueOf(refused.getMessage());
                    assertTrue(message.contains("primary key"), message);
                    assertTrue(message.contains("key=(1)"), message);
                }
            }
        }
    }

    @Test
    void keysThatComeTwiceAreRefusedAndNothingStays() {
        for (String what : List.of("primary key", "index=tree")) {
            for (boolean there : new boolean[] {false, true}) {
                try (Tables tables =
                        Tables.open(Store.open(new SimDirectory(), StoreOptions.defaults()))) {
                    create(tables);
                    NavigableMap<Long, String> model = new TreeMap<>();
                    if (there) {
                        try (TableTransaction write = tables.beginWrite()) {
                            write.insert(table(write, "T"), Values.tuple(1L, "one"));
                            write.insert(table(write, "HEAP"), Values.tuple(1L, "one"));
                            write.commit();
                        }
                        model.put(1L, "one");
                    }
                    try (TableTransaction load = tables.beginBulk(SMALL)) {
                        Table table = table(load, "T");
                        if (!there) {
                            load.insert(table, Values.tuple(1L, "one"));
                        }
                        boolean key = what.equals("primary key");
                        load.insert(table, Values.tuple(key ? 1L : 2L, key ? "two" : "one"));
                        ConstraintException twice =
                                assertThrows(ConstraintException.class, load::commit);
                        assertEquals(ConstraintException.Kind.DUPLICATE_KEY, twice.kind());
                        assertTrue(String.valueOf(twice.getMessage()).contains(what), "" + twice);
                        assertThrows(UsageException.class, load::commit);
                    }
                    assertHolds(tables, model);
                }
            }
        }
    }

    /// The machine dies in calls of three loads, the later ones into tables that have rows.
    @Test
    void indexesAgreeWithTheirTableAfterEveryCrash() {
        SplittableRandom random = Seed.of("BulkRowsTest", 3);
        long seed = random.nextLong();
        SimDirectory whole = new SimDirectory();
        run(whole, seed, new ArrayList<>());
        long least = whole.operations();
        for (long k = 1; k <= least; k += 1 + k % 3) {
            SimDirectory directory = new SimDirectory().crashAfter(k);
            List<NavigableMap<Long, String>> committed = new ArrayList<>();
            try {
                run(directory, seed, committed);
            } catch (SimCrash e) {
                assertTrue(directory.crashed());
            }
            SimDirectory left = directory.crash(random, CrashProfile.GARBAGE_SECTOR);
            try (Tables tables = Tables.open(Store.open(left, StoreOptions.defaults()))) {
                assertEquals(List.of(), tables.check());
                if (tables.catalog().table("T") == null) {
                    assertTrue(committed.size() <= 1, "the tables are gone");
                    continue;
                }
                NavigableMap<Long, String> found = rows(tables);
                int size = committed.size();
                assertTrue(
                        size == 0
                                || found.equals(committed.getLast())
                                || (size > 1 && found.equals(committed.get(size - 2)))
                                || (size == 1 && found.isEmpty()),
                        "crash at call " + k);
                assertHolds(tables, found);
            }
        }
        System.out.println("crashes in loads of tables: " + least);
    }

    private static NavigableMap<Long, String> rows(Tables tables) {
        NavigableMap<Long, String> rows = new TreeMap<>();
        try (TableTransaction read = tables.beginRead()) {
            RowCursor cursor = read.cursor(table(read, "T"), null);
            cursor.open(read, new KeyRange(1), false);
            while (cursor.next()) {
                rows.put(cursor.longAt(0), String.valueOf(cursor.textAt(1)));
            }
        }
        return rows;
    }

    /// The rows after each load are in `committed`, from the moment at which a crash may leave them.
    private static void run(
            SimDirectory directory, long seed, List<NavigableMap<Long, String>> committed) {
        Gen gen = new Gen(new SplittableRandom(seed));
        NavigableMap<Long, String> model = new TreeMap<>();
        Tables tables = Tables.open(Store.open(directory, StoreOptions.defaults()));
        create(tables);
        for (int i = 0; i < 3; i++) {
            try (TableTransaction load = tables.beginBulk(SMALL)) {
                add(load, model, gen, 350);
                committed.add(new TreeMap<>(model));
                load.commit();
            }
        }
        tables.close();
    }
}
