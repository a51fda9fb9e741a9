package dev.oriel.graph.element;

import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;

/// Reusable buffers and cursors for the vertices of one label.
final class VertexAccess {
    final VertexLabel label;
    final Tuple row;
    final RowKey key;
    final Row fetched;
    final TableCursors cursors;
    final KeyRange range = new KeyRange(1);

    VertexAccess(VertexLabel label, TableTransaction transaction) {
        this.label = label;
        this.row = new Tuple(label.columns().count());
        this.key = new RowKey(label.table());
        this.fetched = transaction.rowOf(label.table());
        this.cursors = new TableCursors(label.table());
    }
}
