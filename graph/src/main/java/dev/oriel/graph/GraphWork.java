package dev.oriel.graph;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.table.Row;
import dev.oriel.table.RowKey;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
import dev.oriel.table.Tuple;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// One transaction of a graph: elements as rows. It reads a snapshot, and begins to write with the first
/// change, on what is committed by then; so who only reads holds up nobody.
///
/// The level is READ COMMITTED: where a row that is to be changed has been changed by another transaction
/// meanwhile, the change is made to what that one has left.
///
/// What it reads it reads in batches, each with a cursor that is opened for it: no cursor stays open
/// between calls. Its methods are synchronized, because the threads of a threaded transaction share it;
/// for the others the monitor is free. It is used by one transaction after another.
final class GraphWork {
    private final GraphCatalog catalog;
    private final Tables tables;
    private final TableTransaction reading;
    private TableTransaction transaction;
    private boolean open;
    private boolean writing;

    /// Whether it reads one snapshot to its end, and writes nothing.
    private boolean fixed;

    /// The version of the definitions that it sees.
    private long definitions;

    /// Grows with whatever may change what is read: an element that was read before is read again.
    private long moment;

    /// Number of this transaction among those that used this object.
    private long life;

    private @Nullable VertexAccess[] vertices = new VertexAccess[4];
    private @Nullable EdgeAccess[] edges = new EdgeAccess[4];
    private final LongSet held = new LongSet();
    private final Bytes bag = new Bytes();
    private final RowFiller filler;
    private final RangeReads reads = new RangeReads(this);
    private final RowKey idKey;
    private final Row idRow;
    private final Tuple idTuple = new Tuple(2);

    /// Whether the id that was looked for last is kept for an element that has expired.
    private boolean stale;

    GraphWork(GraphCatalog catalog) {
        this.catalog = catalog;
        this.tables = catalog.tables();
        this.reading = tables.beginRead();
        this.transaction = reading;
        this.filler = new RowFiller(catalog, bag);
        this.idKey = new RowKey(catalog.ids());
        this.idRow = reading.rowOf(catalog.ids());
        reading.close();
    }

    /// Begins, with reading.
    synchronized void begin() {
        tables.renew(reading);
        begun(false);
    }

    /// Begins to read one snapshot.
    synchronized void beginFixed() {
        tables.renew(reading);
        begun(true);
    }

    /// Begins to read the snapshot of `like`, which ends after it.
    synchronized void beginFixed(GraphWork like) {
        synchronized (like) {
            tables.renew(reading, like.reading);
        }
        begun(true);
    }

    private void begun(boolean toBeFixed) {
        use(reading);
        open = true;
        writing = false;
        fixed = toBeFixed;
        life++;
    }

    private void use(TableTransaction other) {
        transaction = other;
        definitions = other.catalog().version();
        moment++;
    }

    boolean isOpen() {
        return open;
    }

    synchronized boolean isWriting() {
        return writing;
    }

    long moment() {
        return moment;
    }

    long life() {
        return life;
    }

    GraphCatalog catalog() {
        return catalog;
    }

    /// Ends it.
    synchronized void end(boolean commit) {
        if (!open) {
            return;
        }
        moment++;
        boolean ended = false;
        try {
            if (commit && writing) {
                transaction.commit();
            }
            ended = true;
        } finally {
            if (ended || !commit) {
                close();
            }
        }
    }

    private void close() {
        reads.forget();
        transaction.close();
        reading.close();
        open = false;
        writing = false;
        held.clear();
    }

    private TableTransaction write() {
        if (fixed) {
            throw new UnsupportedOperationException("What a graph computer reads is not changed");
        }
        reads.finish();
        if (!writing) {
            TableTransaction begun = tables.beginWrite(Isolation.READ_COMMITTED);
            reading.close();
            use(begun);
            filler.use(begun);
            writing = true;
        }
        return transaction;
    }

    /// Reads ranges in this transaction.
    RangeReads reads() {
        return reads;
    }

    /// The writing transaction of this work, if it has one.
    private @Nullable TableTransaction own() {
        return writing ? transaction : null;
    }

    /// Goes on to a snapshot that sees definitions of `version`.
    private void see(long version) {
        if (version > definitions) {
            if (fixed) {
                throw new ConflictException(
                        ConflictException.Reason.CHANGED,
                        "A label was changed after a graph computer had begun to read; run it"
                                + " again",
                        "");
            }
            if (writing) {
                transaction.refresh();
                use(transaction);
            } else {
                reading.close();
                tables.renew(reading);
                use(reading);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // another definition is another object
    VertexAccess access(VertexLabel label) {
        see(label.version());
        if (label.number() >= vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * label.number());
        }
        VertexAccess access = vertices[label.number()];
        if (access == null || access.label.table() != label.table()) {
            access = new VertexAccess(label, transaction);
            vertices[label.number()] = access;
        }
        return access;
    }

    @SuppressWarnings("ReferenceEquality") // another definition is another object
    EdgeAccess access(EdgeLabel label) {
        see(label.version());
        if (label.number() >= edges.length) {
            edges = Arrays.copyOf(edges, 2 * label.number());
        }
        EdgeAccess access = edges[label.number()];
        if (access == null || access.label.table() != label.table()) {
            access = new EdgeAccess(label, transaction);
            edges[label.number()] = access;
        }
        return access;
    }

    synchronized PropertyKey key(String name) {
        return catalog.key(name, own());
    }

    /// Adds a vertex with the properties in `keyValues` and returns its number.
    ///
    /// @param given the id as the user gave it, or null for none
    synchronized long insertVertex(String labelName, @Nullable Object given, Object... keyValues) {
        TableTransaction to = write();
        VertexLabel label = catalog.vertexLabel(labelName, to);
        Object id = label.rules().id(labelName, given, keyValues);
        if (label.rules().ids() == LabelRules.IdStrategy.PRIMARY_KEY && id != null) {
            long known = find(ValueCodec.idKey(id));
            if (known != 0) {
                Properties update = filler.properties(Cardinality.single, keyValues);
                change(
                        known,
                        id,
                        properties ->
                                update.entries()
                                        .forEach(entry ->
                                                properties.set(entry.key(), entry.value())));
                return known;
            }
        }
        long number =
                id == null
                        ? label.sequence().take(catalog.reservation(label, to))
                        : label.hidden().take(catalog.hiddenReservation(label, to));
        long vertex = label.vertex(number, id != null);
        VertexAccess access = access(label);
        Tuple row = access.row;
        row.setLong(VertexLabel.ID, vertex);
        row.setBytes(VertexLabel.KEY, id == null ? null : ValueCodec.encode(id));
        filler.fill(label.columns(), label.rules(), label.name(), row, Cardinality.list, keyValues);
        if (id != null) {
            claim(id, vertex); // what is refused until here has claimed nothing
        }
        to.insertNew(label.table(), row);
        moment++;
        return vertex;
    }

    /// Makes `id` the id of `vertex` alone.
    private void claim(Object id, long vertex) {
        byte[] key = ValueCodec.idKey(id);
        boolean taken = find(key) != 0;
        if (id instanceof Number number) {
            catalog.given(number.longValue());
            taken |= isAllotted(number.longValue());
        }
        if (taken) {
            throw Graph.Exceptions.vertexWithIdAlreadyExists(id);
        }
        idTuple.setBytes(0, key);
        idTuple.setLong(1, vertex);
        if (!stale || !transaction.update(catalog.ids(), idKey.of(idTuple), idTuple)) {
            transaction.insert(catalog.ids(), idTuple);
        }
    }

    /// Whether the graph has given `id` to a vertex of its own accord, or may have. If not, it never
    /// will.
    private boolean isAllotted(long id) {
        VertexLabel label = VertexLabel.isHidden(id) ? null : catalog.labelOf(id);
        long number = VertexLabel.inSequence(id);
        if (label == null || number == 0) {
            return false;
        }
        boolean maybe = number < label.sequence().next() && number >= label.sequence().first();
        label.sequence().skipTo(number + 1, catalog.reservation(label, own()));
        return maybe || exists(label, id);
    }

    /// The vertex whose id as users gave it has the bytes `key`, or 0.
    private long find(byte[] key) {
        idTuple.setBytes(0, key);
        long found =
                transaction.fetch(catalog.ids(), idKey.of(idTuple), idRow) ? idRow.longAt(1) : 0;
        VertexLabel label = found == 0 ? null : catalog.labelOf(found);
        stale = label != null && label.columns().expires() && !exists(label, found);
        return stale ? 0 : found;
    }

    /// When a vertex expires, in microseconds since 1970.
    synchronized long expiry(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        return label != null && label.columns().expires() && exists(label, vertex)
                ? label.columns().expiry(access(label).fetched)
                : Long.MAX_VALUE;
    }

    /// The number of the vertex with this id, or 0 where there is none. Numbers and UUIDs may come as
    /// text.
    synchronized long resolve(Object id) {
        return switch (id) {
            case Long number -> resolveNumber(number);
            case Integer number -> resolveNumber(number);
            case Short number -> resolveNumber(number);
            case Byte number -> resolveNumber(number);
            case Number number ->
                    number.doubleValue() == number.longValue()
                            ? resolveNumber(number.longValue())
                            : 0;
            case String text -> resolveText(text);
            case UUID uuid -> find(ValueCodec.idKey(uuid));
            default -> 0;
        };
    }

    private long resolveNumber(long number) {
        VertexLabel label = VertexLabel.isHidden(number) ? null : catalog.labelOf(number);
        if (label != null && exists(label, number)) {
            return number;
        }
        return find(ValueCodec.idKey(number));
    }

    private long resolveText(String text) {
        long found = find(ValueCodec.idKey(text));
        if (found != 0) {
            return found;
        }
        return switch (ValueCodec.meant(text)) {
            case Long number -> resolveNumber(number);
            case UUID uuid -> find(ValueCodec.idKey(uuid));
            case null, default -> 0;
        };
    }

    private boolean exists(VertexLabel label, long vertex) {
        VertexAccess access = access(label);
        return transaction.fetch(label.table(), access.key.of(vertex), access.fetched);
    }

    /// Whether `vertex` exists.
    synchronized boolean exists(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        return label != null && exists(label, vertex);
    }

    /// The id of a vertex.
    synchronized Object idOf(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        if (label == null || !VertexLabel.isHidden(vertex) || !exists(label, vertex)) {
            return vertex;
        }
        byte[] key = access(label).fetched.bytesAt(VertexLabel.KEY);
        return key == null ? (Object) vertex : ValueCodec.decode(key);
    }

    /// The properties of `vertex`, or null where it is gone.
    synchronized @Nullable Properties properties(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        if (label == null || !exists(label, vertex)) {
            return null;
        }
        return label.columns().read(access(label).fetched, catalog.keys());
    }

    /// The properties of `edge`, or null where it is gone.
    synchronized @Nullable Properties properties(OrielEdge edge) {
        EdgeLabel label = edge.edgeLabel();
        EdgeAccess access = access(label);
        if (!transaction.fetch(label.table(), access.keyOf(edge), access.fetched)) {
            return null;
        }
        return label.columns().read(access.fetched, catalog.keys());
    }

    /// Changes the properties of `vertex`.
    synchronized void change(long vertex, Object id, Consumer<Properties> change) {
        VertexLabel label = catalog.labelOf(vertex);
        TableTransaction to = write();
        while (true) {
            Properties properties = label == null ? null : properties(vertex);
            if (label == null || properties == null) {
                throw OrielElement.removed(Vertex.class, id);
            }
            VertexAccess access = access(label);
            byte[] key = access.fetched.bytesAt(VertexLabel.KEY);
            change.accept(properties);
            access.row.setLong(VertexLabel.ID, vertex);
            access.row.setBytes(VertexLabel.KEY, key);
            label.columns().put(properties, access.row, bag);
            label.columns().keepExpiry(access.fetched, access.row);
            try {
                to.update(label.table(), access.key.of(vertex), access.row);
                moment++;
                return;
            } catch (ConflictException e) {
                refresh(e);
            }
        }
    }

    /// Changes the properties of `edge`.
    synchronized void change(OrielEdge edge, Consumer<Properties> change) {
        EdgeLabel label = edge.edgeLabel();
        TableTransaction to = write();
        while (true) {
            Properties properties = properties(edge);
            if (properties == null) {
                throw OrielElement.removed(Edge.class, edge.id());
            }
            change.accept(properties);
            EdgeAccess access = access(label);
            access.row.setBytes(EdgeLabel.KEY, access.fetched.bytesAt(EdgeLabel.KEY));
            EdgeAccess.ends(access.row, edge.source(), edge.target(), edge.number());
            label.columns().put(properties, access.row, bag);
            label.columns().keepExpiry(access.fetched, access.row);
            try {
                to.update(label.table(), access.keyOf(edge), access.row);
                moment++;
                return;
            } catch (ConflictException e) {
                refresh(e);
            }
        }
    }

    /// Makes `id` the id of the edge in `access.row` alone.
    private void claim(Object id, EdgeAccess access) {
        Tuple row = new Tuple(3);
        row.setBytes(0, ValueCodec.idKey(id));
        if (find(id) != null) {
            throw Graph.Exceptions.edgeWithIdAlreadyExists(id);
        }
        row.setLong(1, access.label.number());
        row.setBytes(2, access.keyOfRow().toBytes());
        Slice key = new RowKey(catalog.edgeIds()).of(row);
        if (!stale || !transaction.update(catalog.edgeIds(), key, row)) {
            transaction.insert(catalog.edgeIds(), row);
        }
        access.row.setBytes(EdgeLabel.KEY, ValueCodec.encode(id));
    }

    /// The label and the row of the edge with this id, of a user or not; null where there is none.
    private @Nullable EdgeAccess find(Object id) {
        Tuple key = new Tuple(1);
        key.setBytes(0, ValueCodec.idKey(id));
        Row row = transaction.rowOf(catalog.edgeIds());
        Slice idSlice = new RowKey(catalog.edgeIds()).of(key);
        stale = transaction.fetch(catalog.edgeIds(), idSlice, row);
        if (!stale) {
            return null;
        }
        EdgeLabel label = catalog.edgeLabels().all()[(int) row.longAt(1)];
        byte[] rowKey = row.bytesAt(2);
        if (label == null || rowKey == null) {
            return null;
        }
        EdgeAccess access = access(label);
        stale = !transaction.fetch(label.table(), Slice.copyOf(rowKey), access.fetched);
        return stale ? null : access;
    }

    /// The edge to which a user gave this id, or null. Numbers and UUIDs may come as text.
    synchronized @Nullable OrielEdge edge(@Nullable OrielGraph graph, Object id) {
        boolean whole = id instanceof Number n && n.doubleValue() == n.longValue();
        Object known = whole ? (Object) ((Number) id).longValue() : id;
        EdgeAccess found = ValueCodec.isId(known) ? find(known) : null;
        if (found == null && id instanceof String text) {
            Object meant = ValueCodec.meant(text);
            found = meant == null ? null : find(meant);
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

    /// The id that a user gave to `edge`, or null.
    synchronized @Nullable Object idOf(OrielEdge edge) {
        EdgeLabel label = edge.edgeLabel();
        EdgeAccess access = access(label);
        if (!transaction.fetch(label.table(), access.keyOf(edge), access.fetched)) {
            return null;
        }
        byte[] key = access.fetched.bytesAt(EdgeLabel.KEY);
        return key == null ? null : ValueCodec.decode(key);
    }

    private void release(OrielEdge edge) {
        Object id = EdgeLabel.isHidden(edge.number()) ? idOf(edge) : null;
        if (id != null) {
            Tuple key = new Tuple(1);
            key.setBytes(0, ValueCodec.idKey(id));
            transaction.delete(catalog.edgeIds(), new RowKey(catalog.edgeIds()).of(key));
        }
    }

    /// After a row turned out to have been changed by somebody else, whose lock we have now: sees that
    /// change.
    private void refresh(ConflictException conflict) {
        if (conflict.reason() != ConflictException.Reason.CHANGED) {
            throw conflict;
        }
        transaction.refresh();
        use(transaction);
    }

    /// Removes a vertex and its edges; false where it is gone.
    synchronized boolean removeVertex(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        TableTransaction to = write();
        if (label == null) {
            return false;
        }
        byte[] key = null;
        while (true) {
            if (!exists(label, vertex)) {
                return false;
            }
            key = access(label).fetched.bytesAt(VertexLabel.KEY);
            try {
                to.delete(label.table(), access(label).key.of(vertex));
                break;
            } catch (ConflictException e) {
                refresh(e);
            }
        }
        transaction.refresh(); // edges that were added until the vertex was locked are seen now
        use(transaction);
        if (key != null) {
            idTuple.setBytes(0, ValueCodec.idKey(ValueCodec.decode(key)));
            to.delete(catalog.ids(), idKey.of(idTuple));
        }
        EdgeBatch batch = new EdgeBatch();
        for (EdgeLabel edgeLabel : catalog.edgeLabels().byName().values()) {
            removeEdges(edgeLabel, vertex, false, batch);
            removeEdges(edgeLabel, vertex, true, batch);
        }
        moment++;
        return true;
    }

    private void removeEdges(EdgeLabel label, long vertex, boolean reverse, EdgeBatch batch) {
        EdgeAccess access = access(label);
        do {
            batch.reset();
            access.fill(transaction, vertex, reverse, Long.MAX_VALUE, null, batch);
            for (int i = 0; i < batch.count; i++) {
                OrielEdge edge = new OrielEdge(null, label, batch, i);
                release(edge);
                transaction.delete(label.table(), access.keyOf(edge));
            }
        } while (!batch.done);
    }

    synchronized boolean removeEdge(OrielEdge edge) {
        EdgeLabel label = edge.edgeLabel();
        TableTransaction to = write();
        while (true) {
            try {
                release(edge);
                boolean removed = to.delete(label.table(), access(label).keyOf(edge));
                moment++;
                return removed;
            } catch (ConflictException e) {
                refresh(e);
            }
        }
    }

    /// Adds an edge and returns its number among those of its label.
    synchronized OrielEdge insertEdge(
            String labelName,
            OrielVertex from,
            OrielVertex to,
            @Nullable Object id,
            Object... keyValues) {
        TableTransaction out = write();
        EdgeLabel label = catalog.edgeLabel(labelName, out);
        hold(from);
        hold(to);
        checkLink(label, from, to);
        EdgeAccess access = access(label);
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
        label.columns().expireWith(row, expiry(from.number()), labelName);
        label.columns().expireWith(row, expiry(to.number()), labelName);
        if (id != null) {
            claim(id, access);
        }
        if (label.single()) {
            put(access);
        } else {
            out.insertNew(label.table(), row);
        }
        moment++;
        Tuple sort = label.sortKeys().length == 0 ? null : access.sortOf(row);
        return new OrielEdge(from.graph(), label, from.number(), to.number(), number, sort);
    }

    /// Adds the edge in `access.row`, or replaces the one that is there.
    private void put(EdgeAccess access) {
        while (true) {
            try {
                Slice key = access.keyOfRow();
                if (!transaction.update(access.label.table(), key, access.row)) {
                    transaction.insert(access.label.table(), access.row);
                }
                return;
            } catch (ConflictException e) {
                refresh(e);
            }
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

    /// Makes sure that a vertex exists until the end of the transaction. Nobody else knows one that was
    /// added by this transaction.
    private void hold(OrielVertex vertex) {
        if (vertex.isOf(this) || held.contains(vertex.number())) {
            return;
        }
        VertexLabel label = catalog.labelOf(vertex.number());
        boolean there =
                label != null
                        && transaction.hold(label.table(), access(label).key.of(vertex.number()));
        if (!there) {
            throw OrielElement.removed(Vertex.class, vertex.number());
        }
        held.add(vertex.number());
    }

    /// The variable `name`, or null.
    synchronized byte @Nullable [] variable(String name) {
        Tuple key = new Tuple(1);
        key.setText(0, name);
        Row row = transaction.rowOf(catalog.variables());
        boolean found =
                transaction.fetch(
                        catalog.variables(), new RowKey(catalog.variables()).of(key), row);
        return found ? row.bytesAt(1) : null;
    }

    /// Sets or removes the variable `name`.
    synchronized void variable(String name, byte @Nullable [] value) {
        Tuple row = new Tuple(2);
        row.setText(0, name);
        row.setBytes(1, value);
        Slice key = new RowKey(catalog.variables()).of(row);
        if (value == null) {
            write().delete(catalog.variables(), key);
        } else if (!write().update(catalog.variables(), key, row)) {
            transaction.insert(catalog.variables(), row);
        }
        moment++;
    }

    /// The transaction that it reads in, for who reads the tables in other ways.
    TableTransaction transaction() {
        return transaction;
    }
}
