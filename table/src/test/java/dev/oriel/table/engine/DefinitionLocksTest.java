package dev.oriel.table.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Definitions that are changed beside those who write: whom they wait for, and what is left of those that come to
/// nothing.
final class DefinitionLocksTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withWriteTimeoutMillis(100).withDirtyBytesMax(1 << 20);
    private static final Index BY_N = new Index("by_n", Index.Kind.BTREE, false, List.of(1));
    private static final int ROWS = 10_000;

    private static Tables open() {
        return Tables.open(Store.inMemory(OPTIONS));
    }

    private static Table table(String name) {
        return new Table(
                0,
                name,
                List.of(
                        new Column("id", Type.of(Type.Name.BIGINT), false),
                        new Column("n", Type.of(Type.Name.BIGINT), true)),
                List.of(0),
                List.of());
    }

    private static Table create(Tables tables, String name) {
        try (TableTransaction transaction = tables.beginExclusive()) {
            Table created = transaction.create(table(name));
            transaction.commit();
            return created;
        }
    }

    private static Table find(Tables tables, String name) {
        Table found = tables.catalog().table(name);
        assertNotNull(found);
        return found;
    }

    private static Tuple row(long id, long n) {
        Tuple row = new Tuple(2);
        row.setLong(0, id);
        row.setLong(1, n);
        return row;
    }

    private static void insert(Tables tables, Table table, long from, long count) {
        try (TableTransaction transaction = tables.beginWrite()) {
            for (long id = from; id < from + count; id++) {
                transaction.insert(table, row(id, id % 7));
            }
            transaction.commit();
        }
    }

    private static TableTransaction begin(Tables tables) {
        return tables.beginWrite(Isolation.READ_COMMITTED);
    }

    /// An index of many entries, which are committed in parts that nobody sees before the end.
    @Test
    void manyEntriesGoToTheTreeWhileOthersCommit() {
        try (Tables tables = open()) {
            Table first = create(tables, "first");
            Table other = create(tables, "other");
            insert(tables, first, 0, ROWS);
            try (TableTransaction defining = begin(tables)) {
                long[] told = {0};
                defining.createIndex(
                        first,
                        BY_N,
                        rows -> {
                            insert(tables, other, told[0]++, 1); // in the middle of it
                            assertNull(find(tables, "first").index("by_n"));
                        });
                assertTrue(told[0] > 10, "told " + told[0]);
                assertEquals(1, tables.core().unusedTrees().size());
                defining.commit();
            }
            assertEquals(List.of(), tables.core().unusedTrees());
            assertNotNull(find(tables, "first").index("by_n"));
            assertEquals(List.of(), tables.check());
        }
    }

    /// Whoever has a snapshot from before the index does not write past it.
    @Test
    void aWriterOfAnOlderDefinitionIsRefusedBeforeItWrites() {
        try (Tables tables = open()) {
            Table first = create(tables, "first");
            insert(tables, first, 0, 10);
            try (TableTransaction snapshot = tables.beginWrite(Isolation.SNAPSHOT);
                    TableTransaction moving = begin(tables);
                    TableTransaction defining = begin(tables)) {
                defining.createIndex(first, BY_N);
                defining.commit();
                ConflictException refused =
                        assertThrows(
                                ConflictException.class, () -> snapshot.insert(first, row(100, 1)));
                assertEquals(ConflictException.Reason.CHANGED, refused.reason());
                assertThrows(ConflictException.class, () -> moving.insert(first, row(101, 1)));
                moving.refresh();
                moving.insert(first, row(101, 1));
                moving.commit();
            }
            assertEquals(List.of(), tables.check());
        }
    }

    @Test
    void whoWaitsForAWriterOrADefinitionWaitsInVainOnlyForSoLong() {
        try (Tables tables = open()) {
            Table first = create(tables, "first");
            Table other = create(tables, "other");
            try (TableTransaction writing = begin(tables);
                    TableTransaction defining = begin(tables);
                    TableTransaction second = begin(tables)) {
                writing.insert(first, row(1, 1));
                ConflictException refused =
                        assertThrows(
                                ConflictException.class, () -> defining.createIndex(first, BY_N));
                assertEquals(ConflictException.Reason.LOCKED, refused.reason());
                defining.createIndex(other, BY_N); // it is usable after that
                // definitions wait for definitions
                Column more = new Column("more", Type.of(Type.Name.BIGINT), true);
                assertThrows(ConflictException.class, () -> second.addColumn(first, more));
                assertThrows(ConflictException.class, () -> tables.beginDefining(writing));
                assertThrows(UsageException.class, () -> tables.beginDefining(defining));
                defining.commit();
                writing.commit();
                try (TableTransaction adding = tables.beginDefining(null)) {
                    adding.create(table("third"));
                    adding.commit();
                }
            }
            assertNotNull(tables.catalog().table("third"));
            assertNotNull(find(tables, "other").index("by_n"));
            assertEquals(List.of(), tables.check());
        }
    }

    /// A savepoint from before somebody else's definition does not bring the older ones back.
    @Test
    void rollingBackToASavepointKeepsWhatOthersHaveDefined() {
        try (Tables tables = open()) {
            Table first = create(tables, "first");
            try (TableTransaction defining = begin(tables)) {
                var before = defining.savepoint();
                try (TableTransaction adding = tables.beginDefining(null)) {
                    adding.create(table("added"));
                    adding.commit();
                }
                defining.createIndex(first, BY_N);
                defining.rollbackTo(before);
                defining.insert(first, row(1, 1));
                defining.commit();
            }
            assertNotNull(tables.catalog().table("added"));
            assertNull(find(tables, "first").index("by_n"));
            assertEquals(List.of(), tables.core().unusedTrees());
            assertEquals(List.of(), tables.check());
        }
    }

    /// A crash at any write while an index is built beside others leaves all of it or nothing.
    @Test
    void aCrashWhileAnIndexIsBuiltLeavesItOrNothing() {
        SplittableRandom random = Seed.of("DefinitionLocksTest", 73);
        SimDirectory disk = new SimDirectory();
        List<SimDirectory> left = new ArrayList<>();
        try (Tables tables = Tables.open(Store.open(disk, OPTIONS))) {
            Table first = create(tables, "first");
            insert(tables, first, 0, 5_000);
            disk.inEachCall(() -> {
                synchronized (left) { // the log has a thread of its own
                    left.add(disk.crash(random, CrashProfile.ATOMIC_SECTOR));
                }
            });
            try (TableTransaction defining = begin(tables)) {
                defining.createIndex(first, BY_N);
                defining.commit();
            }
            disk.inEachCall(() -> {});
            left.add(disk.crash(random, CrashProfile.ATOMIC_SECTOR));
        }
        int unfinished = 0;
        for (SimDirectory crashed : left) {
            try (Tables again = Tables.open(Store.open(crashed, OPTIONS))) {
                assertEquals(List.of(), again.core().unusedTrees());
                assertEquals(List.of(), again.check());
                Table first = again.catalog().table("first");
                assertNotNull(first);
                unfinished += first.index("by_n") == null ? 1 : 0;
                Index second = new Index("second", Index.Kind.BTREE, false, List.of(1));
                try (TableTransaction transaction = begin(again)) {
                    transaction.createIndex(first, second);
                    transaction.commit();
                }
                assertEquals(List.of(), again.check());
            }
        }
        assertTrue(unfinished > 0 && unfinished < left.size(), unfinished + " of " + left.size());
    }
}
