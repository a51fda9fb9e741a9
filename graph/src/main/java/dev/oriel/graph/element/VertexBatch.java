package dev.oriel.graph.element;

import dev.oriel.graph.catalog.Properties;
import org.jspecify.annotations.Nullable;

/// Some of the vertices that a range holds, copied out of the tables at once, so that no cursor
/// stays open between two of them.
public final class VertexBatch {
    private static final int FIRST = 16;
    private static final int MOST = 512;

    long[] vertices = new long[FIRST];

    /// Ids that users gave, where the label has such; null for none.
    private @Nullable Object[] ids = {};

    /// What was read with the vertices, where it is wanted.
    private @Nullable Properties[] properties = {};

    private final boolean wantsProperties;
    int count;

    /// Whether the range is at its end.
    boolean done;

    /// Where to go on.
    long last;

    private int want = FIRST / 4;
    private @Nullable GraphTransaction readBy;
    private long readAt;

    /// A batch without vertices.
    ///
    /// @param wantsProperties whether properties will be asked for
    public VertexBatch(boolean wantsProperties) {
        this.wantsProperties = wantsProperties;
    }

    boolean wantsProperties() {
        return wantsProperties;
    }

    /// Makes room for the next part: small at first, because often one is enough.
    void begin() {
        count = 0;
        want = Math.min(4 * want, MOST);
        if (vertices.length < want) {
            vertices = new long[want];
        }
        if (ids.length > 0 && ids.length < want) {
            ids = new Object[want];
        }
        if (wantsProperties && properties.length < want) {
            properties = new Properties[want];
        }
    }

    /// Who fills it, as things are now.
    void readBy(GraphTransaction work) {
        readBy = work;
        readAt = work.moment();
    }

    public int count() {
        return count;
    }

    /// The number of the vertex at `at`.
    public long number(int at) {
        return vertices[at];
    }

    /// Whether the range is at its end.
    public boolean isDone() {
        return done;
    }

    boolean isFull() {
        return count == want;
    }

    /// @param id as a user gave it, or null
    /// @param read the vertex's properties, where they are wanted
    void add(long vertex, @Nullable Object id, @Nullable Properties read) {
        if (id != null && ids.length == 0) {
            ids = new Object[want];
        }
        if (ids.length > 0) {
            ids[count] = id;
        }
        if (wantsProperties) {
            properties[count] = read;
        }
        vertices[count++] = vertex;
    }

    /// Holds the first `length` of `others` alone.
    void set(long[] others, int length) {
        vertices = others;
        count = length;
        ids = new Object[0];
        properties = new Properties[0];
    }

    /// Forgets what it holds, for another range.
    void reset() {
        count = 0;
        done = false;
        last = 0;
    }

    /// The vertex at `at`.
    OrielVertex vertex(StoredGraph graph, int at) {
        OrielVertex vertex = new OrielVertex(graph, vertices[at], ids.length == 0 ? null : ids[at]);
        Properties known = properties.length == 0 ? null : properties[at];
        if (known != null) {
            vertex.known(known, readBy, readAt);
        }
        return vertex;
    }
}
