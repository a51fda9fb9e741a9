package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.range.AddedRows;
import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// The edges of one transaction as rows, with their user-supplied ids. Holds the monitor of its [GraphTransaction]
/// in each call.
public final class EdgeWork {
    private final GraphTransaction work;
    private final GraphCatalog catalog;
    private final VertexWork vertices;
    private final Bytes bag;
    private final RowFiller filler;

    /// Whether the id of the last lookup is reserved for an element that has expired.
    private boolean stale;

    EdgeWork(GraphTransaction work, VertexWork vertices, RowFiller filler, Bytes bag) {
        this.work = work;
        this.catalog = work.catalog();
        this.vertices = vertices;
        this.filler = filler;
        this.bag = bag;
    }

    /// The properties of `edge`, or null if it is gone.
    @Nullable Properties properties(OrielEdge edge) {
        try (GraphTransaction.Turn _ = work.turn()) {
            EdgeLabel label = edge.edgeLabel();
            EdgeAccess access = work.access(label);
            vertices.leave();
            if (!work.transaction().fetch(label.table(), access.keyOf(edge), access.fetched)) {
                return null;
            }
            return label.columns().read(access.fetched, catalog.keys());
        }
    }

    /// Changes the properties of `edge`.
    void change(OrielEdge edge, Consumer<Properties> change) {
        work.change(() -> changeRow(edge, change));
    }

    private boolean changeRow(OrielEdge edge, Consumer<Properties> change) {
        EdgeLabel label = edge.edgeLabel();
        TableTransaction to = work.write();
        while (true) {
            Properties properties = properties(edge);
            if (properties == null) {
                throw OrielElement.removed(Edge.class, edge.id());
            }
            change.accept(properties);
            EdgeAccess access = work.access(label);
            access.row.setBytes(EdgeLabel.KEY, access.fetched.bytesAt(EdgeLabel.KEY));
            EdgeAccess.ends(access.row, edge.source(), edge.target(), edge.number());
            label.columns().put(properties, access.row, bag);
            label.columns().keepExpiry(access.fetched, access.row);
            try {
                boolean changed = to.update(label.table(), access.keyOf(edge), access.row);
                work.changed();
                return changed;
            } catch (ConflictException e) {
                work.refresh(e);
            }
        }
    }

    /// Claims `id` for the edge in `access.row`; refuses an id that is taken.
    private void claim(Object id, EdgeAccess access) {
        Tuple row = new Tuple(3);
        row.setBytes(0, ValueCodec.idKey(id));
        if (find(id) != null) {
            throw Graph.Exceptions.edgeWithIdAlreadyExists(id);
        }
        row.setLong(1, access.label.number());
        row.setBytes(2, access.keyOfRow().toBytes());
        Slice key = new RowKey(catalog.edgeIds()).of(row);
        if (!stale || !work.transaction().update(catalog.edgeIds(), key, row)) {
            work.transaction().insert(catalog.edgeIds(), row);
        }
        access.row.setBytes(EdgeLabel.KEY, ValueCodec.encode(id));
    }

    /// The label and the row of the edge with a user-supplied id; null if there is none.
    private @Nullable EdgeAccess find(Object id) {
        Tuple key = new Tuple(1);
        key.setBytes(0, ValueCodec.idKey(id));
        Row row = work.transaction().rowOf(catalog.edgeIds());
        Slice idSlice = new RowKey(catalog.edgeIds()).of(key);
        vertices.leave();
        stale = work.transaction().fetch(catalog.edgeIds(), idSlice, row);
        if (!stale) {
            return null;
        }
        EdgeLabel label = catalog.edgeLabels().all()[(int) row.longAt(1)];
        byte[] rowKey = row.bytesAt(2);
        if (label == null || rowKey == null) {
            return null;
        }
        EdgeAccess access = work.access(label);
        stale = !work.transaction().fetch(label.table(), Slice.copyOf(rowKey), access.fetched);
        return stale ? null : access;
    }

    /// The edge with a user-supplied id, or null. Numbers and UUIDs may come as text.
    public @Nullable OrielEdge of(@Nullable StoredGraph graph, Object id) {
        try (GraphTransaction.Turn _ = work.turn()) {
            boolean whole = id instanceof Number n && n.doubleValue() == n.longValue();
            Object known = whole ? (Object) ((Number) id).longValue() : id;
            EdgeAccess found = ValueCodec.isId(known) ? find(known) : null;
            if (found == null && id instanceof String text) {
                found = findMeant(text);
            }
            if (found == null) {
                return null;
            }
            EdgeLabel label = found.label;
            Row row = found.fetched;
            return new OrielEdge(
                    graph,
                    label,
                    row.longAt(EdgeLabel.SOURCE),
                    row.longAt(EdgeLabel.TARGET),
                    row.longAt(EdgeLabel.NUMBER),
                    label.sortKeys().length == 0 ? null : found.sortOf(row));
        }
    }

    private @Nullable EdgeAccess findMeant(String text) {
        Object meant = ValueCodec.meant(text);
        return meant == null ? null : find(meant);
    }

    /// Whether an edge has this user-supplied id, or the id is reserved for an expired edge: a bulk load, which
    /// only adds rows, cannot reuse it.
    public boolean isKept(Object id) {
        try (GraphTransaction.Turn _ = work.turn()) {
            return find(id) != null
                    || stale
                    || (id instanceof String text && findMeant(text) != null);
        }
    }

    /// The user-supplied id of `edge`, or null.
    @Nullable Object idOf(OrielEdge edge) {
        try (GraphTransaction.Turn _ = work.turn()) {
            EdgeLabel label = edge.edgeLabel();
            EdgeAccess access = work.access(label);
            vertices.leave();
            if (!work.transaction().fetch(label.table(), access.keyOf(edge), access.fetched)) {
                return null;
            }
            byte[] key = access.fetched.bytesAt(EdgeLabel.KEY);
            return key == null ? null : ValueCodec.decode(key);
        }
    }

    private void release(OrielEdge edge) {
        Object id = EdgeLabel.isHidden(edge.number()) ? idOf(edge) : null;
        if (id != null) {
            Tuple key = new Tuple(1);
            key.setBytes(0, ValueCodec.idKey(id));
            work.transaction().delete(catalog.edgeIds(), new RowKey(catalog.edgeIds()).of(key));
        }
    }

    /// Removes the edges of a vertex, which is locked.
    void removeAround(long vertex) {
        EdgeBatch batch = new EdgeBatch();
        for (EdgeLabel label : catalog.edgeLabels().byName().values()) {
            removeEdges(label, vertex, false, batch);
            removeEdges(label, vertex, true, batch);
        }
    }

    private void removeEdges(EdgeLabel label, long vertex, boolean reverse, EdgeBatch batch) {
        EdgeAccess access = work.access(label);
        do {
            batch.reset();
            access.fill(work, vertex, reverse, Long.MAX_VALUE, null, batch);
            for (int i = 0; i < batch.count; i++) {
                delete(new OrielEdge(null, label, batch, i));
            }
        } while (!batch.done);
    }

    /// Removes the newest version of an edge's row, and its id; false if it is gone.
    private boolean delete(OrielEdge edge) {
        EdgeLabel label = edge.edgeLabel();
        while (true) {
            try {
                release(edge);
                return work.transaction().delete(label.table(), work.access(label).keyOf(edge));
            } catch (ConflictException e) {
                work.refresh(e);
            }
        }
    }

    /// Refuses to continue if other transactions have added edges at `vertex`, which is locked, since the
    /// snapshot.
    ///
    /// @throws ConflictException if they have
    void checkNoneAdded(long vertex) {
        try (TableTransaction newest = catalog.tables().beginRead()) {
            for (EdgeLabel label : catalog.edgeLabels().byName().values()) {
                checkNoneAdded(label, vertex, false, newest);
                checkNoneAdded(label, vertex, true, newest);
            }
        }
    }

    private void checkNoneAdded(
            EdgeLabel label, long vertex, boolean reverse, TableTransaction newest) {
        Table table = label.table();
        Index order = reverse ? label.incoming() : null;
        RowCursor cursor = newest.cursor(table, order);
        KeyRange at = new KeyRange(order == null ? label.keyColumns() : order.columns().size());
        at.lower().setLong(0, vertex);
        at.upper().setLong(0, vertex);
        at.from(1, true);
        at.to(1, true);
        cursor.open(newest, at, false);
        Slice key = new Slice();
        TableTransaction to = work.transaction();
        while (cursor.next()) {
            cursor.rowKey(key);
            work.access(label); // a conflict if the snapshot has no such label
            to.lock(table, Slice.copyOf(key.toBytes()), to.patience());
        }
    }

    boolean remove(OrielEdge edge) {
        return work.change(() -> {
            work.write();
            boolean removed = delete(edge);
            work.changed();
            return removed;
        });
    }

    /// Adds an edge.
    OrielEdge insert(
            String labelName,
            OrielVertex from,
            OrielVertex to,
            @Nullable Object id,
            Object... keyValues) {
        return work.change(() -> inserted(labelName, from, to, id, keyValues));
    }

    private OrielEdge inserted(
            String labelName,
            OrielVertex from,
            OrielVertex to,
            @Nullable Object id,
            Object... keyValues) {
        TableTransaction out = work.write();
        EdgeLabel label = work.edgeLabel(labelName, out);
        vertices.hold(from);
        vertices.hold(to);
        checkLink(label, from, to);
        EdgeAccess access = work.access(label);
        Tuple row = access.row;
        if (label.single() && id != null) {
            throw new IllegalArgumentException(
                    "An edge of the single-time label %s is known by its ends; it has no other id"
                            .formatted(label.name()));
        }
        long ofLabel = label.single() ? 0 : label.sequence().take(catalog.reservation(label, out));
        long number = EdgeLabel.number(ofLabel, id != null);
        row.setBytes(EdgeLabel.KEY, null);
        EdgeAccess.ends(row, from.number(), to.number(), number);
        filler.fill(
                label.columns(), label.rules(), label.name(), row, Cardinality.single, keyValues);
        label.columns().expireWith(row, vertices.expiry(from.number()), labelName);
        label.columns().expireWith(row, vertices.expiry(to.number()), labelName);
        if (id != null) {
            claim(id, access);
        }
        if (label.single()) {
            if (put(access)) {
                note(access, from, to);
            }
        } else {
            out.insertNew(label.table(), row);
        }
        work.changed();
        Tuple sort = label.sortKeys().length == 0 ? null : access.sortOf(row);
        return new OrielEdge(from.graph(), label, from.number(), to.number(), number, sort);
    }

    /// Writes the edge in `access.row`; false if it replaces an existing one.
    private boolean put(EdgeAccess access) {
        while (true) {
            try {
                Slice key = access.keyOfRow();
                if (work.transaction().update(access.label.table(), key, access.row)) {
                    return false;
                }
                work.transaction().insert(access.label.table(), access.row);
                return true;
            } catch (ConflictException e) {
                work.refresh(e);
            }
        }
    }

    /// Records the added edge in [AddedRows] if a reader of its ends, or of all edges, must not meet it.
    private void note(EdgeAccess access, OrielVertex from, OrielVertex to) {
        AddedRows added = work.added();
        if (added.isRead(from.number())
                || added.isRead(to.number())
                || added.isRead(EdgeRanges.ALL)) {
            added.add(access.known());
        }
    }

    private void checkLink(EdgeLabel label, OrielVertex from, OrielVertex to) {
        EdgeLabel.Link link = label.link();
        boolean fits =
                (link.source().isEmpty() || link.source().equals(from.label()))
                        && (link.target().isEmpty() || link.target().equals(to.label()));
        if (!fits) {
            throw new IllegalArgumentException(
                    "The edge label %s leads from %s to %s, not from %s to %s"
                            .formatted(
                                    label.name(),
                                    link.source(),
                                    link.target(),
                                    from.label(),
                                    to.label()));
        }
    }
}
