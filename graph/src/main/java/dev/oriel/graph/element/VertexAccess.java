package dev.oriel.graph.element;

import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.table.Index;
import dev.oriel.table.KeyRange;
import dev.oriel.table.Row;
import dev.oriel.table.RowCursor;
import dev.oriel.table.RowKey;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tuple;
import java.util.HashMap;
import java.util.Map;

/// Working memory for the vertices of one label, filled and filled again.
final class VertexAccess {
    final VertexLabel label;
    final Tuple row;
    final RowKey key;
    final Row fetched;
    final RowCursor cursor;
    final KeyRange range = new KeyRange(1);
    private final Map<Index, RowCursor> byIndex = new HashMap<>(4);

    VertexAccess(VertexLabel label, TableTransaction transaction) {
        this.label = label;
        this.row = new Tuple(label.columns().count());
        this.key = new RowKey(label.table());
        this.fetched = transaction.rowOf(label.table());
        this.cursor = transaction.cursor(label.table(), null);
    }

    /// A cursor in the order of `index`.
    RowCursor cursor(TableTransaction transaction, Index index) {
        return byIndex.computeIfAbsent(index, of -> transaction.cursor(label.table(), of));
    }
}
