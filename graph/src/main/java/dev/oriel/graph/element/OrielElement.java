package dev.oriel.graph.element;

import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;

/// Common base of vertices and edges: properties are read when they are first needed, and read again after the
/// transaction has changed.
///
/// An element is a name for a row, not the row. It stays valid beyond its transaction, and then refers to the row
/// with that name in the next one.
public abstract sealed class OrielElement permits OrielVertex, OrielEdge {
    private @Nullable Properties properties;
    private @Nullable GraphTransaction readBy;
    private long readAt;
    private @Nullable Removal removal;

    abstract StoredGraph graph();

    /// Reads the properties; null if the element is gone.
    abstract @Nullable Properties load(GraphTransaction work);

    abstract IllegalStateException gone();

    /// The error for a removed element.
    public static IllegalStateException removed(Class<?> type, Object id) {
        return new IllegalStateException(
                "%s with id %s was removed".formatted(type.getSimpleName(), id));
    }

    /// The current properties.
    @SuppressWarnings("ReferenceEquality") // compared by identity
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

    /// Sets the properties, which `work` read together with the element at `moment`.
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

    /// Whether it was removed through this object, in a transaction that was not rolled back.
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
