package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.range.AddedRows;
import dev.oriel.graph.range.SortRange;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reusable buffers and cursors for the edges of one label.
public final class EdgeAccess {
    final EdgeLabel label;
    final Tuple row;
    final Tuple key;
    final Row fetched;
    private final RowKey rowKey;
    final TableCursors cursors;
    private @Nullable RowCursor incoming;
    private final KeyRange range;
    private final List<Integer> outgoingColumns;
    private final List<Integer> incomingColumns;
    private final Slice young = new Slice();

    EdgeAccess(EdgeLabel label, TableTransaction transaction) {
        this.label = label;
        this.row = new Tuple(label.columns().count());
        this.key = new Tuple(label.keyColumns());
        this.rowKey = new RowKey(label.table());
        this.fetched = transaction.rowOf(label.table());
        this.cursors = new TableCursors(label.table());
        this.range = new KeyRange(label.keyColumns());
        this.outgoingColumns = label.table().primaryKey();
        this.incomingColumns = label.incoming().columns();
    }

    /// The key of an edge's row.
    Slice keyOf(OrielEdge edge) {
        int at = 0;
        key.setLong(at++, edge.source());
        Tuple sort = edge.sort();
        for (int i = 0; i < label.sortKeys().length && sort != null; i++) {
            int column = label.sortKeys()[i];
            key.copy(at++, sort, i, label.table().columns().get(column).type().shape());
        }
        key.setLong(at++, edge.target());
        key.setLong(at, edge.number());
        return rowKey.of(key);
    }

    /// Writes the identity of an edge into `row`.
    public static void ends(Tuple row, long source, long target, long number) {
        row.setLong(EdgeLabel.SOURCE, source);
        row.setLong(EdgeLabel.TARGET, target);
        row.setLong(EdgeLabel.NUMBER, number);
    }

    /// The key of the row whose values are in [#row].
    Slice keyOfRow() {
        for (int i = 0; i < outgoingColumns.size(); i++) {
            int column = outgoingColumns.get(i);
            key.copy(i, row, column, label.table().columns().get(column).type().shape());
        }
        return rowKey.of(key);
    }

    /// Fills `batch` with the next edges that begin (or end, if `reverse`) at `vertex`, or with edges of all
    /// vertices if it is 0. A non-null `sorts` restricts them to a range of sort keys. Edges younger than the
    /// reader are skipped. In a single-time label these are the edges that `work` added from the moment `below`
    /// on; in others, edges with numbers from `below` on.
    void fill(
            GraphTransaction work,
            long vertex,
            boolean reverse,
            long below,
            @Nullable SortRange sorts,
            EdgeBatch batch) {
        RowCursor cursor = cursor(work.transaction(), reverse);
        List<Integer> columns = reverse ? incomingColumns : outgoingColumns;
        batch.begin(label.sortKeys().length > 0);
        bounds(vertex, sorts, batch.last, columns);
        cursor.open(work.transaction(), range, false);
        while (cursor.next()) {
            if (below != Long.MAX_VALUE && isYoung(cursor, below, work.added())) {
                continue;
            }
            long source = cursor.longAt(EdgeLabel.SOURCE);
            long target = cursor.longAt(EdgeLabel.TARGET);
            long number = cursor.longAt(EdgeLabel.NUMBER);
            if (label.sortKeys().length > 0) {
                batch.sorts[batch.count] = sortOf(cursor);
            }
            EdgeBatch.Weight weight = batch.weight();
            if (weight != null) {
                batch.weights[batch.count] = numberOf(cursor, weight);
            }
            batch.add(source, target, number);
            if (batch.isFull()) {
                batch.last = copy(cursor, columns);
                return;
            }
        }
        batch.done = true;
    }

    /// Fills `batch` with the other ends of the next edges that begin (or end, if `reverse`) at `vertex`. Edges younger
    /// than the reader are skipped.
    void fill(
            GraphTransaction work, long vertex, boolean reverse, long below, NeighbourBatch batch) {
        RowCursor cursor = cursor(work.transaction(), reverse);
        List<Integer> columns = reverse ? incomingColumns : outgoingColumns;
        int wanted = reverse ? EdgeLabel.SOURCE : EdgeLabel.TARGET;
        batch.begin();
        bounds(vertex, null, batch.last, columns);
        cursor.open(work.transaction(), range, false);
        while (cursor.next()) {
            if (below != Long.MAX_VALUE && isYoung(cursor, below, work.added())) {
                continue;
            }
            batch.add(cursor.longAt(wanted));
            if (batch.isFull()) {
                batch.last = copy(cursor, columns);
                batch.end();
                return;
            }
        }
        batch.finish();
    }

    private RowCursor cursor(TableTransaction transaction, boolean reverse) {
        if (!reverse) {
            return cursors.ordered(transaction);
        }
        RowCursor made = incoming;
        if (made == null) {
            made = transaction.cursor(label.table(), label.incoming());
            incoming = made;
        }
        return made;
    }

    private boolean isYoung(RowCursor cursor, long below, AddedRows added) {
        if (!label.single()) {
            return cursor.longAt(EdgeLabel.NUMBER) >= below;
        }
        if (added.isEmpty()) {
            return false;
        }
        cursor.rowKey(young);
        return added.isSince(new Known(label.number(), ByteBuffer.wrap(young.toBytes())), below);
    }

    /// The key of the edge in [#row] within [AddedRows].
    Object known() {
        return new Known(label.number(), ByteBuffer.wrap(keyOfRow().toBytes()));
    }

    private record Known(int label, ByteBuffer rowKey) {}

    /// The numeric property of the edge whose row is `from`; NaN if it has none.
    private double numberOf(Row from, EdgeBatch.Weight weight) {
        return label.columns().readOne(from, weight.key(), weight.keys()) instanceof Number number
                ? number.doubleValue()
                : Double.NaN;
    }

    /// Number of edges that begin (or end) at `vertex`.
    long count(TableTransaction transaction, long vertex, boolean reverse) {
        bounds(vertex, null, null, reverse ? incomingColumns : outgoingColumns);
        return transaction.count(label.table(), reverse ? label.incoming() : null, range);
    }

    private void bounds(
            long vertex, @Nullable SortRange sorts, @Nullable Tuple last, List<Integer> columns) {
        range.open();
        if (sorts != null) {
            sorts.put(vertex, range);
        } else if (vertex != 0) {
            range.upper().setLong(0, vertex);
            range.to(1, true);
        }
        if (last != null) {
            for (int i = 0; i < columns.size(); i++) {
                range.lower()
                        .copy(
                                i,
                                last,
                                i,
                                label.table().columns().get(columns.get(i)).type().shape());
            }
            range.from(columns.size(), false);
        } else if (vertex != 0 && sorts == null) {
            range.lower().setLong(0, vertex);
            range.from(1, true);
        }
    }

    private Tuple copy(Row from, List<Integer> columns) {
        Tuple copy = new Tuple(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            int column = columns.get(i);
            copy.copy(i, from, column, label.table().columns().get(column).type().shape());
        }
        return copy;
    }

    /// The sort keys of the edge whose row is `from`.
    Tuple sortOf(Row from) {
        int[] columns = label.sortKeys();
        Tuple sort = new Tuple(columns.length);
        for (int i = 0; i < columns.length; i++) {
            sort.copy(i, from, columns[i], label.table().columns().get(columns[i]).type().shape());
        }
        return sort;
    }
}
