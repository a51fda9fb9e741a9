package dev.oriel.graph.load;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.EdgeAccess;
import dev.oriel.graph.memory.BytesMap;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Table;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// A reusable row for the edges of one label during a load.
final class EdgeRow {
    private final LoadRun run;
    private final EdgeLabel label;
    private final Tuple row;
    private final RowKey rowKey;
    private final Tuple key;
    private final Tuple idRow = new Tuple(3);

    /// Keys of a single-time label's edges in this load.
    private final @Nullable BytesMap given;

    EdgeRow(LoadRun run, EdgeLabel label) {
        this.run = run;
        this.label = label;
        this.row = new Tuple(label.columns().count());
        this.rowKey = new RowKey(label.table());
        this.key = new Tuple(label.keyColumns());
        this.given = label.single() ? new BytesMap(run.budget()) : null;
        run.use(label);
    }

    EdgeLabel label() {
        return label;
    }

    /// The row, for the properties.
    Tuple row() {
        return row;
    }

    /// Refuses ends that the label does not link.
    void checkLink(long source, long target) throws RejectedRow {
        EdgeLabel.Link link = label.link();
        if (!isOf(link.source(), source) || !isOf(link.target(), target)) {
            throw new RejectedRow(
                    "the edge label %s leads from %s to %s"
                            .formatted(label.name(), link.source(), link.target()));
        }
    }

    private boolean isOf(String wanted, long vertex) {
        if (wanted.isEmpty()) {
            return true;
        }
        VertexLabel of = run.catalog().labelOf(vertex);
        return of != null && of.name().equals(wanted);
    }

    /// Adds the edge whose properties are in the row.
    ///
    /// @param id the user-supplied id, or null
    void insert(long source, long target, @Nullable Object id) throws RejectedRow {
        try {
            label.columns().expireWith(row, run.expiry(source), label.name());
            label.columns().expireWith(row, run.expiry(target), label.name());
        } catch (IllegalArgumentException e) {
            throw new RejectedRow(String.valueOf(e.getMessage()));
        }
        long number = 0;
        if (!label.single()) {
            number = EdgeLabel.number(label.sequence().takeUnkept(), id != null);
        }
        row.setBytes(EdgeLabel.KEY, id == null ? null : ValueCodec.encode(id));
        EdgeAccess.ends(row, source, target, number);
        if (given != null) {
            checkSingle(given);
        }
        run.transaction().insert(label.table(), row);
        if (id != null) {
            idRow.setBytes(0, ValueCodec.idKey(id));
            idRow.setLong(1, label.number());
            idRow.setBytes(2, key().toBytes());
            run.transaction().insert(run.catalog().edgeIds(), idRow);
        }
    }

    private Slice key() {
        Table table = label.table();
        for (int i = 0; i < table.primaryKey().size(); i++) {
            int column = table.primaryKey().get(i);
            key.copy(i, row, column, table.columns().get(column).type().shape());
        }
        return rowKey.of(key);
    }

    /// A single-time label has one edge for each source, sort keys and target.
    private void checkSingle(BytesMap keys) throws RejectedRow {
        Slice found = key();
        byte[] bytes = found.toBytes();
        if (!keys.putNew(bytes, 0, bytes.length, 1) || run.hasRow(label.table(), found)) {
            throw new RejectedRow(
                    "there is an edge of the single-time label %s between these vertices already"
                            .formatted(label.name()));
        }
    }
}
