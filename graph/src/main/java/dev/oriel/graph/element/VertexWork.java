package dev.oriel.graph.element;

import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.memory.LongSet;
import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// The vertices of one transaction as rows, with their user-supplied ids. Holds the monitor of its
/// [GraphTransaction] in each call.
public final class VertexWork {
    private final GraphTransaction work;
    private final GraphCatalog catalog;
    private final LongSet held = new LongSet();

    /// Vertices removed by this transaction, through any object.
    private final LongSet gone = new LongSet();

    private final Bytes bag;
    private final RowFiller filler;
    private final RowKey idKey;
    private final Row idRow;
    private final Tuple idTuple = new Tuple(2);

    /// Whether the id of the last lookup is reserved for an element that has expired, or whose label is gone.
    private boolean stale;

    /// Vertex whose row was fetched last and is still in its access; 0 for none.
    private long standing;

    private long standingAt;

    VertexWork(GraphTransaction work, RowFiller filler, Bytes bag, Row idRow) {
        this.work = work;
        this.catalog = work.catalog();
        this.filler = filler;
        this.bag = bag;
        this.idKey = new RowKey(catalog.ids());
        this.idRow = idRow;
    }

    /// Forgets all state, at the end of the transaction.
    void forget() {
        held.clear();
        gone.clear();
        standing = 0;
    }

    /// Notes that another row is about to be fetched.
    void leave() {
        standing = 0;
    }

    /// Adds a vertex with the properties in `keyValues` and returns its number.
    ///
    /// @param given the user-supplied id, or null for none
    public long insert(String labelName, @Nullable Object given, Object... keyValues) {
        return work.change(() -> inserted(labelName, given, keyValues));
    }

    private long inserted(String labelName, @Nullable Object given, Object... keyValues) {
        TableTransaction to = work.write();
        VertexLabel label = work.vertexLabel(labelName, to);
        Object id = label.rules().id(labelName, given, catalog.keys(), keyValues);
        byte[] key = id == null ? null : ValueCodec.idKey(id);
        boolean made = label.rules().ids() == LabelRules.IdStrategy.PRIMARY_KEY;
        VertexAccess access =
                work.access(label); // may move to a newer snapshot, so it precedes all reads
        if (made && id != null && key != null) {
            long known = find(key);
            if (known != 0) {
                accept(label, keyValues);
                Properties update = filler.properties(Cardinality.single, keyValues);
                changeRow(known, id, properties -> replace(properties, update));
                return known;
            }
        }
        long number =
                id == null
                        ? label.sequence().take(catalog.reservation(label, to))
                        : label.hidden().take(catalog.hiddenReservation(label, to));
        long vertex = label.vertex(number, id != null);
        Tuple row = access.row;
        row.setLong(VertexLabel.ID, vertex);
        row.setBytes(VertexLabel.KEY, id == null ? null : ValueCodec.encode(id));
        filler.fill(label.columns(), label.rules(), label.name(), row, Cardinality.list, keyValues);
        if (id != null && key != null) {
            if (!made) {
                checkFree(id, key);
            }
            claim(key, vertex, made); // a refusal before this has claimed nothing
        }
        try {
            to.insertNew(label.table(), row);
        } catch (RuntimeException e) {
            if (key != null) {
                free(key, e);
            }
            throw e;
        }
        work.changed();
        return vertex;
    }

    private static void accept(VertexLabel label, Object... keyValues) {
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] instanceof String name) {
                label.rules().accept(label.name(), name);
            }
        }
    }

    /// Replaces the values of each key in `update`.
    private static void replace(Properties properties, Properties update) {
        for (Properties.Entry entry : update.entries()) {
            if (entry == update.first(entry.key())) {
                properties.set(entry.key(), entry.value());
            } else {
                properties.append(entry.key(), entry.value());
            }
        }
    }

    /// Releases the id with the bytes `key`.
    private void free(byte[] key) {
        idTuple.setBytes(0, key);
        work.transaction().delete(catalog.ids(), idKey.of(idTuple));
    }

    /// Releases the id of a vertex that was `refused`; an ended transaction is no error.
    private void free(byte[] key, RuntimeException refused) {
        try {
            free(key);
        } catch (DatabaseException e) {
            refused.addSuppressed(e);
        }
    }

    /// Refuses an id that is taken.
    private void checkFree(Object id, byte[] key) {
        boolean taken = find(key) != 0;
        if (id instanceof Number number) {
            catalog.given(number.longValue());
            taken |= isAllotted(number.longValue(), this::skip);
        }
        if (taken) {
            throw Graph.Exceptions.vertexWithIdAlreadyExists(id);
        }
    }

    /// Assigns the id with the bytes `key`, which was the last one looked up, to `vertex`.
    ///
    /// @param absent whether this snapshot has no such id; after the id is locked, a newer one is a conflict
    private void claim(byte[] key, long vertex, boolean absent) {
        TableTransaction to = work.transaction();
        idTuple.setBytes(0, key);
        idTuple.setLong(1, vertex);
        if (stale && to.update(catalog.ids(), idKey.of(idTuple), idTuple)) {
            return;
        }
        if (absent && to.lock(catalog.ids(), idKey.of(idTuple), to.patience())) {
            to.insertNew(catalog.ids(), idTuple);
        } else {
            to.insert(catalog.ids(), idTuple);
        }
    }

    /// Whether the graph has, or may have, allotted `id` to a vertex by itself. If not, it never will.
    ///
    /// @param skip advances the sequence of a label to a number or beyond
    public boolean isAllotted(long id, ObjLongConsumer<VertexLabel> skip) {
        try (GraphTransaction.Turn _ = work.turn()) {
            VertexLabel label = VertexLabel.isHidden(id) ? null : catalog.labelOf(id);
            long number = VertexLabel.inSequence(id);
            if (label == null || number == 0 || number >= VertexLabel.PLACES_MAX) {
                return false;
            }
            boolean maybe = number < label.sequence().next() && number >= label.sequence().first();
            skip.accept(label, number + 1);
            return maybe || exists(label, id);
        }
    }

    private void skip(VertexLabel label, long least) {
        label.sequence().skipTo(least, catalog.reservation(label, work.own()));
    }

    /// The vertex whose user-supplied id has the bytes `key`, or 0.
    private long find(byte[] key) {
        leave();
        idTuple.setBytes(0, key);
        boolean known = work.transaction().fetch(catalog.ids(), idKey.of(idTuple), idRow);
        long found = work.reads().lookedUp(known) ? idRow.longAt(1) : 0;
        VertexLabel label = found == 0 ? null : catalog.labelOf(found);
        stale =
                found != 0
                        && (label == null || (label.columns().expires() && !exists(label, found)));
        return stale ? 0 : found;
    }

    /// The expiry of a vertex in microseconds since 1970; `Long.MAX_VALUE` if it does not expire.
    public long expiry(long vertex) {
        try (GraphTransaction.Turn _ = work.turn()) {
            VertexLabel label = catalog.labelOf(vertex);
            return label != null && label.columns().expires() && exists(label, vertex)
                    ? label.columns().expiry(work.access(label).fetched)
                    : Long.MAX_VALUE;
        }
    }

    /// The number of the vertex with this id, or 0 if there is none. Numbers and UUIDs may come as text.
    public long resolve(Object id) {
        try (GraphTransaction.Turn _ = work.turn()) {
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
        return found != 0 ? found : resolveMeant(text);
    }

    private long resolveMeant(String text) {
        return switch (ValueCodec.meant(text)) {
            case Long number -> resolveNumber(number);
            case UUID uuid -> find(ValueCodec.idKey(uuid));
            case null, default -> 0;
        };
    }

    /// Whether a vertex has this user-supplied id, or the id is reserved for one that has expired or whose label
    /// is gone. A bulk load, which only adds rows, cannot reuse it.
    public boolean isKept(Object id) {
        try (GraphTransaction.Turn _ = work.turn()) {
            return find(ValueCodec.idKey(id)) != 0
                    || stale
                    || (id instanceof String text && resolveMeant(text) != 0);
        }
    }

    /// Whether `vertex` exists; then its row is in its access. So a lookup and a following read fetch the row
    /// once: it does not change within a snapshot.
    private boolean exists(VertexLabel label, long vertex) {
        VertexAccess access = work.access(label);
        if (standing == vertex && standingAt == work.moment()) {
            return true;
        }
        boolean found =
                work.reads()
                        .lookedUp(
                                work.transaction()
                                        .fetch(
                                                label.table(),
                                                access.key.of(vertex),
                                                access.fetched));
        standing = found && !work.isWriting() ? vertex : 0;
        standingAt = work.moment();
        return found;
    }

    /// Whether `vertex` exists.
    public boolean exists(long vertex) {
        try (GraphTransaction.Turn _ = work.turn()) {
            VertexLabel label = catalog.labelOf(vertex);
            return label != null && exists(label, vertex);
        }
    }

    /// The id of a vertex.
    Object idOf(long vertex) {
        try (GraphTransaction.Turn _ = work.turn()) {
            VertexLabel label = catalog.labelOf(vertex);
            if (label == null || !VertexLabel.isHidden(vertex) || !exists(label, vertex)) {
                return vertex;
            }
            byte[] key = work.access(label).fetched.bytesAt(VertexLabel.KEY);
            return key == null ? (Object) vertex : ValueCodec.decode(key);
        }
    }

    /// The properties of `vertex`, or null if it is gone.
    @Nullable Properties properties(long vertex) {
        try (GraphTransaction.Turn _ = work.turn()) {
            VertexLabel label = catalog.labelOf(vertex);
            if (label == null || !exists(label, vertex)) {
                return null;
            }
            return label.columns().read(work.access(label).fetched, catalog.keys());
        }
    }

    /// Changes the properties of `vertex`.
    void change(long vertex, Object id, Consumer<Properties> change) {
        work.change(() -> changeRow(vertex, id, change));
    }

    private boolean changeRow(long vertex, Object id, Consumer<Properties> change) {
        VertexLabel label = catalog.labelOf(vertex);
        TableTransaction to = work.write();
        while (true) {
            Properties properties = label == null ? null : properties(vertex);
            if (label == null || properties == null) {
                throw OrielElement.removed(Vertex.class, id);
            }
            VertexAccess access = work.access(label);
            byte[] key = access.fetched.bytesAt(VertexLabel.KEY);
            change.accept(properties);
            access.row.setLong(VertexLabel.ID, vertex);
            access.row.setBytes(VertexLabel.KEY, key);
            label.columns().put(properties, access.row, bag);
            label.columns().keepExpiry(access.fetched, access.row);
            try {
                boolean changed = to.update(label.table(), access.key.of(vertex), access.row);
                work.changed();
                return changed;
            } catch (ConflictException e) {
                work.refresh(e);
            }
        }
    }

    /// Removes a vertex and its edges; false if it is gone.
    boolean remove(long vertex) {
        return work.change(() -> removed(vertex));
    }

    private boolean removed(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        TableTransaction to = work.write();
        if (label == null) {
            return false;
        }
        byte[] key = null;
        while (true) {
            if (!exists(label, vertex)) {
                return false;
            }
            key = work.access(label).fetched.bytesAt(VertexLabel.KEY);
            try {
                to.delete(label.table(), work.access(label).key.of(vertex));
                break;
            } catch (ConflictException e) {
                work.refresh(e);
            }
        }
        if (work.mayMove()) {
            work.refresh(); // shows the edges added before the vertex was locked
        } else {
            work.edges().checkNoneAdded(vertex);
        }
        if (key != null) {
            free(ValueCodec.idKey(ValueCodec.decode(key)));
        }
        work.edges().removeAround(vertex);
        gone.add(vertex);
        work.changed();
        return true;
    }

    /// Ensures that a vertex exists until the end of the transaction. No other transaction can know a vertex added by
    /// this one.
    void hold(OrielVertex vertex) {
        boolean left = gone.contains(vertex.number());
        if (!left
                && !work.hasJoined() // other faces remove rows too
                && (vertex.isOf(work) || held.contains(vertex.number()))) {
            return;
        }
        VertexLabel label = catalog.labelOf(vertex.number());
        boolean there =
                !left
                        && label != null
                        && work.transaction()
                                .hold(label.table(), work.access(label).key.of(vertex.number()));
        if (there
                && label != null
                && label.columns().expires()
                && !exists(label, vertex.number())) {
            if (work.mayMove()) {
                work.refresh(); // it has expired, unless it was added after this snapshot
            }
            there = exists(label, vertex.number());
        }
        if (!there) {
            throw OrielElement.removed(Vertex.class, vertex.number());
        }
        held.add(vertex.number());
    }
}
