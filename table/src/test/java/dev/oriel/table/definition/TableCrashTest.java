package dev.oriel.table.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
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
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A machine crashes at every call that changes the disk: what is opened afterwards is the state
/// after one commit, with definitions, rows and indexes that agree, and no acknowledged one is lost.
final class TableCrashTest {
    private static final Index TREE = new Index("tree", Index.Kind.BTREE, true, List.of(1));
    private static final Index ARRAY = new Index("array", Index.Kind.ARRAY, false, List.of(1));

    /// The rows after each commit, the first without a table; and how many were acknowledged.
    private static final class Progress {
        final List<TreeMap<Long, String>> committed = new ArrayList<>(List.of(new TreeMap<>()));
        int acknowledged;
    }

    @Test
    void indexesAgreeWithTheirTableAfterEveryCrash() {
        SplittableRandom random = Seed.of("TableCrashTest", 21);
        long seed = random.nextLong();
        SimDirectory whole = new SimDirectory();
        Progress all = new Progress();
        run(whole, seed, all);
        for (long k = 1; k <= whole.operations(); k++) {
            SimDirectory directory = new SimDirectory();
            directory.crashAfter(k);
            Progress progress = new Progress();
            try {
                run(directory, seed, progress);
            } catch (SimCrash e) {
                assertTrue(directory.crashed());
            }
            SimDirectory left = directory.crash(random, CrashProfile.ATOMIC_SECTOR);
            try (Tables tables = Tables.open(Store.open(left, StoreOptions.defaults()))) {
                assertEquals(List.of(), tables.check());
                NavigableMap<Long, String> found = rows(tables);
                List<TreeMap<Long, String>> possible =
                        progress.committed.subList(
                                progress.acknowledged, progress.committed.size());
                assertTrue(possible.contains(found), "crash at call " + k);
            }
        }
    }

    private static void run(SimDirectory directory, long seed, Progress progress) {
        Gen gen = new Gen(new SplittableRandom(seed));
        Store store = Store.open(directory, StoreOptions.defaults());
        Tables tables = Tables.open(store);
        for (int i = 0; i < 12; i++) {
            TreeMap<Long, String> next = new TreeMap<>(progress.committed.getLast());
            try (TableTransaction write = tables.beginWrite()) {
                change(write, next, gen, i);
                // Known before it is acknowledged: a crash inside the commit may leave it there.
                progress.committed.add(next);
                write.commit();
                progress.acknowledged++;
            }
            if (i % 4 == 3) {
                store.checkpoint();
            }
        }
        tables.close();
    }

    private static void change(
            TableTransaction write, NavigableMap<Long, String> model, Gen gen, int commit) {
        if (commit == 0) {
            Column id = new Column("ID", Type.of(Type.Name.BIGINT), false);
            Column text = new Column("TEXT", Type.varchar(0), false);
            write.create(new Table(0, "T", List.of(id, text), List.of(0), List.of(TREE, ARRAY)));
        }
        Table table = write.catalog().table("T");
        assertTrue(table != null);
        if (commit == 6) {
            table = write.dropIndex(table, TREE);
        } else if (commit == 8) {
            table = write.createIndex(table, TREE);
        }
        for (int i = 0; i < 20; i++) {
            long id = gen.below(60);
            String text = gen.below(1000) + ":" + id + "x".repeat(gen.below(60));
            if (!model.containsKey(id)) {
                write.insert(table, Values.tuple(id, text));
                model.put(id, text);
                continue;
            }
            KeyRange range = new KeyRange(1);
            range.lower().setLong(0, id);
            range.from(1, true);
            RowCursor cursor = write.cursor(table, null);
            cursor.open(write, range, false);
            assertTrue(cursor.next());
            Slice key = new Slice();
            cursor.rowKey(key);
            if (gen.chance(40)) {
                write.delete(table, key);
                model.remove(id);
            } else {
                write.update(table, key, Values.tuple(id, text));
                model.put(id, text);
            }
        }
    }

    private static NavigableMap<Long, String> rows(Tables tables) {
        TreeMap<Long, String> rows = new TreeMap<>();
        Table table = tables.catalog().table("T");
        if (table == null) {
            return rows;
        }
        try (TableTransaction read = tables.beginRead()) {
            RowCursor cursor = read.cursor(table, ARRAY);
            cursor.open(read, new KeyRange(1), false);
            while (cursor.next()) {
                rows.put(cursor.longAt(0), String.valueOf(cursor.textAt(1)));
            }
        }
        return rows;
    }
}
