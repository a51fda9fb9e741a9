package dev.oriel.table.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Bulk;
import dev.oriel.table.array.ArrayWrites;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.expiry.SweepPlace;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.Row;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rows of a bulk load. Each row is encoded and checked at its insert, then passed with its index entries to the
/// store's [Bulk], which sorts them. The trees are filled at commit, or before any operation other than an insert.
/// Only then are duplicate keys refused, ARRAY indexes rebuilt and foreign keys checked row by row.
///
/// Belongs to its transaction.
public final class BulkRows {
    private final Bulk bulk;
    private final Set<TableEntry> touched = new LinkedHashSet<>();
    private @Nullable TableEntry last;
    private @Nullable TableWriter lastWriter;
    private long steps;
    private boolean broken;

    public BulkRows(Bulk bulk) {
        this.bulk = bulk;
    }

    @SuppressWarnings("ReferenceEquality") // the very table
    void insert(StoredTransaction transaction, TableEntry table, Row values) {
        checkWhole();
        if (table != last) {
            last = table;
            lastWriter = null;
            if (touched.add(table) && table.expires()) {
                // else they would count as duplicates
                transaction.sweep(table).run(Long.MAX_VALUE, new SweepPlace());
            }
        }
        TableWriter writer = lastWriter;
        if (writer == null) {
            writer = transaction.writer(table);
            lastWriter = writer;
        }
        writer.load(transaction, values, bulk);
        steps++;
    }

    /// Counter of operations that no savepoint can undo.
    long steps() {
        return steps;
    }

    /// A statement has failed after it had added rows, which can no longer be told from others.
    void failedHalfWay() {
        broken = true;
    }

    /// Puts all rows into the trees.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if the tables do not accept them; all of it is to be
    ///     rolled back then
    void fill(StoredTransaction transaction) {
        checkWhole();
        bulk.checkOpen(true);
        if (touched.isEmpty()) {
            return;
        }
        steps++;
        broken = true;
        bulk.fill();
        for (TableEntry table : touched) {
            buildArrays(transaction, table);
        }
        for (TableEntry table : touched) {
            lookForParents(transaction, table);
            SharedKeys.testAll(transaction, table);
        }
        touched.clear();
        last = null;
        broken = false;
    }

    private static void buildArrays(StoredTransaction transaction, TableEntry table) {
        for (IndexEntry index : table.indexes()) {
            if (index.isArray()) {
                SortedArray array = new IndexBuild(transaction.store(), table, index).array();
                transaction.arrays().put(index, ArrayWrites.created(array));
            }
        }
    }

    private static void lookForParents(StoredTransaction transaction, TableEntry table) {
        if (table.table().constraints().foreignKeys().isEmpty()) {
            return;
        }
        StoredRow row = table.newRow();
        Slice value = new Slice();
        Cursor cursor = transaction.store().cursor(table.tree());
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            cursor.value(value);
            row.point(value);
            for (ForeignKey key : table.table().constraints().foreignKeys()) {
                transaction.foreignKeys().validate(table, key, row);
            }
        }
    }

    /// @throws dev.oriel.store.LimitException if it was idle for too long and rolled back
    void checkOpen() {
        bulk.checkOpen(false);
    }

    private void checkWhole() {
        if (broken) {
            throw new UsageException(
                    "A statement of this bulk load failed half way; roll the load back", "");
        }
    }

    /// The transaction has ended.
    void close() {
        bulk.close();
    }
}
