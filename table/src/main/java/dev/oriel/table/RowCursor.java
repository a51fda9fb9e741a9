package dev.oriel.table;

import dev.oriel.store.Slice;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.row.RowTests;
import dev.oriel.table.value.Row;
import org.jspecify.annotations.Nullable;

/// The rows of one table in the order of one of its keys, as one transaction sees them. As a [Row], the cursor is
/// its current row. Columns are decoded from the page when they are read.
///
/// A new cursor is closed. `open` may be called again and again, so that a prepared statement keeps its cursors;
/// it allocates nothing, and neither does `next`. A value read from the cursor is valid until it moves or the
/// transaction writes; after a write it still moves on from its place.
public interface RowCursor extends Row {
    /// Starts over: the next `next` goes to the first row of `range`, or to the last if `descending`. The range is
    /// read here and not kept.
    default void open(TableTransaction transaction, KeyRange range, boolean descending) {
        open(transaction, range, descending, null);
    }

    /// Starts over with the rows for which `only` holds or is undecided ([#isUndecided()]); null for all rows.
    void open(
            TableTransaction transaction,
            KeyRange range,
            boolean descending,
            @Nullable RowTests only);

    /// Whether the tests it was opened with are undecided for the current row.
    boolean isUndecided();

    /// Goes to the next row; false at the end.
    boolean next();

    /// Closes it until it is opened again. A caller that stops before the end calls it: a writing transaction has
    /// to visit all open cursors. May be called when the transaction has ended.
    void leave();

    /// Whether column `column` can be read without fetching the row: it is part of the cursor's key. Affects the
    /// cost of plans, not correctness.
    boolean covers(int column);

    /// Points `out` at the bytes of `column`, which is of TEXT shape (UTF-8) or of BYTES shape and not NULL. They
    /// hold as any value does.
    void sliceAt(int column, Slice out);

    /// Points `out` at the key of the row, by which [TableTransaction] updates and deletes.
    void rowKey(Slice out);
}
