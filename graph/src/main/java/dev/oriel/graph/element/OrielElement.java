package dev.oriel.graph.element;

import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;

/// What vertices and edges share: properties that are read when they are first asked for, and read again
/// where the transaction has changed since.
///
/// An element is a name for a row, not the row: it holds beyond the transaction that it came from, and
/// then means what there is under that name in the next one.
public abstract sealed class OrielElement permits OrielVertex, OrielEdge {
    private @Nullable Properties properties;
    private @Nullable GraphTransaction readBy;
    private long readAt;
    private @Nullable Removal removal;

    abstract StoredGraph graph();

    /// Reads the properties; null where the element is gone.
    abstract @Nullable Properties load(GraphTransaction work);

    abstract IllegalStateException gone();

    /// The error for an element that is no more.
    public static IllegalStateException removed(Class<?> type, Object id) {
        return new IllegalStateException(
                "%s with id %s was removed".formatted(type.getSimpleName(), id));
    }

    /// The properties as they are now.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    final Properties current() {
        checkThere();
        GraphTransaction work = graph().work();
        Properties known = properties;
        if (known != null && readBy == work && readAt == work.moment()) {
            return known;
        }
        Properties read = load(work);
        if (read == null) {
            throw gone();
        }
        properties = read;
        readBy = work;
        readAt = work.moment();
        return read;
    }

    /// The properties have been read with it, by `work` at its moment `moment`.
    final void known(Properties read, @Nullable GraphTransaction work, long moment) {
        properties = read;
        readBy = work;
        readAt = moment;
    }

    final void checkThere() {
        if (isRemoved()) {
            throw gone();
        }
    }

    /// Whether it was removed by way of this object, in a transaction that was not rolled back.
    public final boolean isRemoved() {
        Removal of = removal;
        return of != null && !of.isUndone();
    }

    public final void removed() {
        removal = graph().work().removal();
        properties = null;
    }

    static boolean wants(String[] keys, PropertyKey key) {
        return ElementHelper.keyExists(key.name(), keys);
    }
}
