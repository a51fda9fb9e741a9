package dev.oriel.table.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What samples say of tables whose distributions are known.
final class StatisticsTest {
    private static final int K = 0;
    private static final int FEW = 1;
    private static final int MANY = 2;
    private static final int SOME_NULL = 3;
    private static final int SKEWED = 4;

    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private final SimDirectory files = new SimDirectory();
    private Tables tables = open();

    private Tables open() {
        return check.closing(Tables.open(Store.open(files, StoreOptions.defaults())));
    }

    @Test
    void theSizeOfATableIsAboutThatOfItsEntries() {
        Table small = table(10_000);
        long bytes = tables.statistics().bytes(small.id());
        // A key of 9 bytes, a text of 7, two integers, most of a double, and the row's own head.
        assertTrue(bytes > 10_000 * 20 && bytes < 10_000 * 60, "it is " + bytes);
        assertEquals(0, tables.statistics().bytes(small.id() + 1));
    }

    @Test
    void anIndexInMemoryHasNoSizeOfItsOwn() {
        Index array = new Index("A", Index.Kind.ARRAY, false, List.of(1));
        Index tree = new Index("B", Index.Kind.BTREE, false, List.of(1));
        Table plain = definition("T");
        try (TableTransaction write = tables.beginWrite()) {
            Table table =
                    write.create(
                            new Table(
                                    0,
                                    plain.name(),
                                    plain.columns(),
                                    plain.primaryKey(),
                                    List.of(array, tree)));
            fill(write, table, 0, 500);
            write.commit();
            long bytes = tables.statistics().bytes(table.id());
            assertTrue(bytes > 500 * 35 && bytes < 500 * 90, "it is " + bytes);
        }
    }

    private static Column column(String name, Type.Name type) {
        return new Column(name, Type.of(type), !name.equals("K"));
    }

    private static Table definition(String name) {
        return new Table(
                0,
                name,
                List.of(
                        column("K", Type.Name.BIGINT),
                        column("FEW", Type.Name.VARCHAR),
                        column("MANY", Type.Name.INTEGER),
                        column("SOME_NULL", Type.Name.DOUBLE),
                        column("SKEWED", Type.Name.INTEGER)),
                List.of(0),
                List.of());
    }

    private Table table(int rows) {
        try (TableTransaction write = tables.beginWrite()) {
            Table table = write.create(definition("T"));
            fill(write, table, 0, rows);
            write.commit();
            return table;
        }
    }

    /// FEW has 4 values, MANY is uniform below 10,000, a third of SOME_NULL is NULL, half of SKEWED
    /// is 7.
    private static void fill(TableTransaction write, Table table, int from, int to) {
        SplittableRandom random = new SplittableRandom(11);
        Tuple row = new Tuple(5);
        for (int i = from; i < to; i++) {
            row.setLong(K, i);
            row.setText(FEW, "value " + random.nextInt(4));
            row.setLong(MANY, random.nextInt(10_000));
            if (random.nextInt(3) == 0) {
                row.setNull(SOME_NULL);
            } else {
                row.setDouble(SOME_NULL, random.nextDouble());
            }
            row.setLong(SKEWED, random.nextBoolean() ? 7 : random.nextInt(1_000));
            write.insert(table, row);
        }
    }

    private static Tuple of(long value) {
        Tuple tuple = new Tuple(1);
        tuple.setLong(0, value);
        return tuple;
    }

    private static Tuple of(String value) {
        Tuple tuple = new Tuple(1);
        tuple.setText(0, value);
        return tuple;
    }

    private static ColumnStatistics column(TableStatistics statistics, int column) {
        ColumnStatistics found = statistics.column(column);
        assertNotNull(found);
        return found;
    }

    private static void assertNear(double expected, double found, double by) {
        assertTrue(
                Math.abs(expected - found) <= by,
                () -> "expected " + expected + " +- " + by + ", found " + found);
    }

    private static void assertDistributions(TableStatistics statistics, double by) {
        ColumnStatistics few = column(statistics, FEW);
        assertEquals(4, few.distinct());
        assertNear(0.25, few.equal(of("value 2"), 0), by);
        assertEquals(0, few.equal(of("value 9"), 0));
        ColumnStatistics many = column(statistics, MANY);
        assertNear(0.3, many.below(of(3_000), 0), by);
        assertNear(0.5, many.below(of(5_000), 0), by);
        assertEquals(0, many.below(of(-1), 0));
        assertNear(1, many.below(of(1_000_000), 0), 0.001);
        ColumnStatistics nulls = column(statistics, SOME_NULL);
        assertNear(1.0 / 3, nulls.nulls(), by);
        ColumnStatistics skewed = column(statistics, SKEWED);
        assertNear(0.5, skewed.equal(of(7), 0), by);
        assertNear(0.0005, skewed.equal(of(500), 0), 0.003);
        assertNear(0.75, skewed.below(of(500), 0), by);
    }

    @Test
    void aSmallTableIsReadWhole() {
        TableStatistics statistics = tables.statistics().of(table(900));
        assertEquals(900, statistics.rows());
        assertEquals(900, statistics.sampled());
        assertEquals(900, statistics.distinct(K));
        assertDistributions(statistics, 0.08);
    }

    @Test
    void columnsOfATinyTableAreLookedAtWhenTheyAreAskedFor() {
        Table table = table(40);
        TableStatistics statistics = tables.statistics().of(table);
        assertEquals(40, statistics.sampled());
        try (TableTransaction write = tables.beginWrite()) {
            fill(write, table, 40, 44); // after the rows were read: not seen
            write.commit();
        }
        assertEquals(40, statistics.distinct(K));
        assertEquals(4, column(statistics, FEW).distinct());
        assertNear(0.25, column(statistics, FEW).equal(of("value 2"), 0), 0.1);
        assertNear(1.0 / 3, column(statistics, SOME_NULL).nulls(), 0.15);
        assertNear(0.5, column(statistics, SKEWED).equal(of(7), 0), 0.15);
    }

    @Test
    void ofALargeOneASampleStandsForAll() {
        Table table = table(60_000);
        TableStatistics statistics = tables.statistics().of(table);
        assertTrue(statistics.sampled() < 2_000, statistics.sampled() + " rows looked at");
        assertNear(60_000, (double) statistics.rows(), 15_000);
        assertNear(60_000, statistics.distinct(K), 15_000);
        assertNear(10_000, statistics.distinct(MANY), 5_000);
        assertDistributions(statistics, 0.08);

        TableStatistics analyzed = tables.analyze(table, null);
        assertTrue(analyzed.sampled() >= 20_000, analyzed.sampled() + " rows looked at");
        assertNear(10_000, analyzed.distinct(MANY), 1_500);
        assertDistributions(analyzed, 0.03);
    }

    @Test
    void whatWasAnalyzedIsKeptWithTheDatabase() {
        Table table = table(5_000);
        long version = tables.statistics().version();
        TableStatistics before = tables.analyze(table, null);
        assertTrue(tables.statistics().version() > version);
        tables.close();
        tables = open();
        TableStatistics after = tables.statistics().of(table);
        assertTrue(after.analyzed());
        assertEquals(before.sampled(), after.sampled());
        assertNear(before.distinct(MANY), after.distinct(MANY), 50);
        assertDistributions(after, 0.05);
        assertEquals(List.of(), tables.check());
    }

    @Test
    void aTableThatHasGrownIsLookedAtAgain() {
        Table table = table(1_000);
        assertEquals(1_000, tables.statistics().of(table).rows());
        try (TableTransaction write = tables.beginWrite()) {
            fill(write, table, 1_000, 1_100);
            write.commit();
        }
        TableStatistics little = tables.statistics().of(table);
        assertNear(1_100, (double) little.rows(), 100);
        assertEquals(1_000, little.looked());
        try (TableTransaction write = tables.beginWrite()) {
            fill(write, table, 1_100, 4_000);
            write.commit();
        }
        TableStatistics grown = tables.statistics().of(table);
        assertNear(4_000, (double) grown.rows(), 800);
        assertTrue(grown.looked() > 3_000);
    }

    @Test
    void otherColumnsWantAnotherSample() {
        Table table = table(500);
        tables.analyze(table, null);
        Table changed;
        try (TableTransaction write = tables.beginExclusive()) {
            changed = write.addColumn(table, column("MORE", Type.Name.INTEGER));
            write.commit();
        }
        TableStatistics statistics = tables.statistics().of(changed);
        assertFalse(statistics.analyzed());
        assertEquals(6, statistics.columns().size());
        assertEquals(1, column(statistics, 5).nulls());
    }

    @Test
    void ofColumnsThatAreNotCommittedNothingIsKnown() {
        Table table = table(2_000);
        assertEquals(5, tables.statistics().of(table).columns().size());
        try (TableTransaction write = tables.beginExclusive()) {
            Table changed = write.addColumn(table, column("MORE", Type.Name.INTEGER));
            TableStatistics statistics = tables.statistics().of(changed);
            assertEquals(List.of(), statistics.columns());
            assertNear(2_000, (double) statistics.rows(), 500);
        }
        assertEquals(5, tables.statistics().of(table).columns().size());
    }

    @Test
    void aTableThatIsDroppedTakesItsStatisticsAlong() {
        Table table = table(100);
        tables.analyze(table, null);
        try (TableTransaction write = tables.beginExclusive()) {
            write.drop(table);
            write.commit();
        }
        assertEquals(0, tables.statistics().of(table).rows());
        assertEquals(List.of(), tables.check());
    }

    @Test
    void beside() {
        Table table = table(100);
        try (TableTransaction write = tables.beginWrite()) {
            fill(write, table, 100, 200);
            assertEquals(100, tables.analyze(table, write).rows());
            write.commit();
        }
        assertEquals(200, tables.statistics().of(table).rows());
        try (TableTransaction exclusive = tables.beginExclusive()) {
            assertThrows(UsageException.class, () -> tables.analyze(table, exclusive));
        }
    }
}
