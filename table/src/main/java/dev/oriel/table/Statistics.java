package dev.oriel.table;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
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

    /// Factor of growth or shrinking that makes a new sample due.
    private static final double OUTGROWN = 2;

    /// Greatest change of the number of rows that is ignored.
    private static final long ROWS_LEAST = 200;

    private final Tables tables;
    private final Map<Long, TableStatistics> known = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();

    Statistics(Tables tables) {
        this.tables = tables;
    }

    /// Grows whenever a table was analyzed: older plans may be improved.
    public long version() {
        return version.get();
    }

    /// About how many rows the table of number `table` has, from a few of its pages.
    public long rows(long table) {
        try (Transaction transaction = tables.store().beginRead()) {
            TableEntry entry = entry(transaction, table);
            return entry == null ? 0 : rows(transaction, entry);
        }
    }

    /// Statistics of `table`, with its present number of rows.
    public TableStatistics of(Table table) {
        try (Transaction transaction = tables.store().beginRead()) {
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
            // Columns that are not committed, or not any more, have no statistics.
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
        return tables.schemaAt(transaction.snapshot()).entries().get(table);
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
    public TableStatistics analyze(Table table, @Nullable TableTransaction beside) {
        if (beside instanceof StoredTransaction own && own.store().isExclusive()) {
            throw new UsageException(
                    "ANALYZE reads committed tables: end the transaction that changes"
                            + " definitions first",
                    "table=" + table.name());
        }
        TableStatistics found;
        try (Transaction transaction = tables.store().beginRead()) {
            TableEntry entry = entry(transaction, table.id());
            if (entry == null) {
                return TableStatistics.ofRows(0);
            }
            long rows = rows(transaction, entry);
            found = new RowSample(transaction, entry, rows).take(ANALYZED_ROWS).asAnalyzed();
        }
        keep(table, found, beside == null ? null : ((StoredTransaction) beside).store());
        known.put(table.id(), found);
        version.incrementAndGet();
        return found;
    }

    private void keep(Table table, TableStatistics statistics, @Nullable Transaction beside) {
        try (Transaction transaction = tables.store().beginDefining(beside)) {
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
    void forget(Transaction transaction, long table) {
        known.remove(table);
        Tree tree = transaction.tree(StatisticsCodec.TREE);
        if (tree != null) {
            transaction.delete(tree, CatalogCodec.key(table));
        }
    }
}
