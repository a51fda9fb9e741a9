package dev.oriel.table.statistics;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableSize;
import dev.oriel.table.array.Versions;
import dev.oriel.table.definition.Table;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Statistics of the rows of all tables, for planners. Safe for use by any number of threads; no call waits for a
/// transaction.
///
/// A call for a table without statistics takes a small sample of it, and another one once the table has grown or
/// shrunk to a multiple. [#analyze] takes a larger sample and keeps it with the database, by a transaction of its
/// own.
public final class Statistics {
    private static final long SAMPLED_ROWS = 1_000;
    private static final long ANALYZED_ROWS = 30_000;

    /// Rows up to which [#size] reads each.
    private static final long COUNTED_ROWS = 20_000;

    /// Bytes up to which it counts the rows of a larger table, by its pages.
    private static final long COUNTED_BYTES = 256 << 20;

    /// Places at which [#size] measures a larger table, and rows at each.
    private static final int MEASURED_PLACES = 64;

    private static final long MEASURED_ROWS = 8;

    /// Factor of growth or shrinking that makes a new sample due.
    private static final double OUTGROWN = 2;

    /// Greatest change of the number of rows that is ignored.
    private static final long ROWS_LEAST = 200;

    private final Store store;
    private final Versions<Schema> schemas;
    private final Map<Long, TableStatistics> known = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();

    /// For `Tables` alone.
    @SuppressWarnings("exports")
    public Statistics(Store store, Versions<Schema> schemas) {
        this.store = store;
        this.schemas = schemas;
    }

    /// Grows whenever a table was analyzed: older plans may be improved.
    public long version() {
        return version.get();
    }

    /// About how many rows the table of number `table` has, from a few of its pages.
    public long rows(long table) {
        try (Transaction transaction = store.beginRead()) {
            TableEntry entry = entry(transaction, table);
            return entry == null ? 0 : rows(transaction, entry);
        }
    }

    /// Size of the table of number `table`: exact if it is small, otherwise estimated from rows at places all over
    /// it. No long value is read for it.
    public TableSize size(long table) {
        try (Transaction transaction = store.beginRead()) {
            TableEntry entry = entry(transaction, table);
            return entry == null
                    ? TableSize.NONE
                    : size(transaction, entry.tree(), rows(transaction, entry), COUNTED_BYTES);
        }
    }

    /// About how many bytes the rows of the table of number `table` and the entries of its indexes take. It counts
    /// keys and values alone: the pages that hold them are part empty.
    public long bytes(long table) {
        try (Transaction transaction = store.beginRead()) {
            TableEntry entry = entry(transaction, table);
            if (entry == null) {
                return 0;
            }
            long bytes = estimate(transaction, entry.tree());
            for (IndexEntry index : entry.indexes()) {
                bytes += index.isArray() ? 0 : estimate(transaction, index.tree());
            }
            return bytes;
        }
    }

    private static long estimate(Transaction transaction, Tree tree) {
        long rows = transaction.estimate(tree, new Slice(), null);
        return size(transaction, tree, rows, 0).bytes();
    }

    /// @param rows estimate of the number of entries
    /// @param countedBytes bytes up to which the entries of a larger tree are counted, by its pages
    private static TableSize size(
            Transaction transaction, Tree tree, long rows, long countedBytes) {
        Cursor cursor = transaction.cursor(tree);
        long[] seen = new long[2];
        if (rows <= COUNTED_ROWS) {
            measure(cursor, cursor.first(), Long.MAX_VALUE, seen);
            return new TableSize(seen[0], seen[1], true);
        }
        for (byte[] point : transaction.splitPoints(tree, MEASURED_PLACES)) {
            measure(cursor, cursor.seek(Slice.copyOf(point)), MEASURED_ROWS, seen);
        }
        double average = (double) seen[1] / Math.max(1, seen[0]);
        boolean counts = average * rows <= countedBytes;
        long all = counts ? transaction.count(tree, new Slice(), null) : rows;
        return new TableSize(all, Math.round(average * all), false);
    }

    /// Adds up to `rowsMax` rows from the cursor's place on to `seen`: their number, and their bytes.
    private static void measure(Cursor cursor, boolean found, long rowsMax, long[] seen) {
        boolean more = found;
        for (long i = 0; more && i < rowsMax; i++) {
            seen[0]++;
            seen[1] += cursor.keyLength() + cursor.valueLength();
            more = cursor.next();
        }
    }

    /// Statistics of `table`, with its present number of rows.
    public TableStatistics of(Table table) {
        try (Transaction transaction = store.beginRead()) {
            TableEntry entry = entry(transaction, table.id());
            if (entry == null) { // not committed yet
                return TableStatistics.ofRows(0);
            }
            long rows = rows(transaction, entry);
            TableStatistics last = known.get(table.id());
            if (last == null) {
                last = kept(transaction, entry.table());
            }
            if (last == null || !isStillGood(last, entry.table(), rows)) {
                last = new RowSample(transaction, entry, rows).take(SAMPLED_ROWS);
            } else if (last.rows() != rows) {
                last = last.withRows(rows);
            }
            known.put(table.id(), last);
            // The statistics are of the newest committed columns: a snapshot with other columns
            // gets the number of rows
            // alone.
            boolean same = last.form() == TableStatistics.form(table);
            return same ? last : TableStatistics.ofRows(last.rows());
        }
    }

    private static boolean isStillGood(TableStatistics last, Table table, long rows) {
        boolean same = last.form() == TableStatistics.form(table);
        boolean small = Math.abs(rows - last.looked()) <= ROWS_LEAST;
        boolean near = rows <= OUTGROWN * last.looked() && last.looked() <= OUTGROWN * rows;
        return same && (small || near);
    }

    private @Nullable TableEntry entry(Transaction transaction, long table) {
        return schemas.at(transaction.snapshot()).entries().get(table);
    }

    private static long rows(Transaction transaction, TableEntry entry) {
        return transaction.estimate(entry.tree(), new Slice(), null);
    }

    private static @Nullable TableStatistics kept(Transaction transaction, Table table) {
        Tree tree = transaction.tree(StatisticsCodec.TREE);
        Slice value = new Slice();
        return tree != null && transaction.get(tree, CatalogCodec.key(table.id()), value)
                ? StatisticsCodec.decode(table, value)
                : null;
    }

    /// Reads many rows of `table`, and keeps the statistics.
    ///
    /// @param beside the writing transaction that the caller has open; not an exclusive one
    public TableStatistics analyze(Table table, @Nullable Transaction beside) {
        if (beside != null && beside.isExclusive()) {
            throw new UsageException(
                    "ANALYZE reads committed tables: end the transaction that changes"
                            + " definitions first",
                    "table=" + table.name());
        }
        TableStatistics found;
        try (Transaction transaction = store.beginRead()) {
            TableEntry entry = entry(transaction, table.id());
            if (entry == null) {
                return TableStatistics.ofRows(0);
            }
            long rows = rows(transaction, entry);
            found = new RowSample(transaction, entry, rows).take(ANALYZED_ROWS).asAnalyzed();
        }
        keep(table, found, beside);
        known.put(table.id(), found);
        version.incrementAndGet();
        return found;
    }

    private void keep(Table table, TableStatistics statistics, @Nullable Transaction beside) {
        try (Transaction transaction = store.beginDefining(beside)) {
            Tree tree = transaction.tree(StatisticsCodec.TREE);
            if (tree == null) {
                tree = transaction.createTree(StatisticsCodec.TREE);
            }
            Slice value = StatisticsCodec.encode(statistics);
            transaction.putUnlocked(tree, CatalogCodec.key(table.id()), value);
            transaction.commit();
        }
    }

    /// Forgets a table that was dropped, as part of `transaction`.
    public void forget(Transaction transaction, long table) {
        known.remove(table);
        Tree tree = transaction.tree(StatisticsCodec.TREE);
        if (tree != null) {
            transaction.delete(tree, CatalogCodec.key(table));
        }
    }
}
