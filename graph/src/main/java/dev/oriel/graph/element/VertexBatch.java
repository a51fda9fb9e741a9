package dev.oriel.graph.element;

import dev.oriel.graph.catalog.Properties;
import org.jspecify.annotations.Nullable;

/// A batch of vertices of a range, copied out of the tables at once, so that no cursor stays open between two
/// vertices.
public final class VertexBatch {
    private static final int FIRST = 16;
    private static final int MOST = 512;

    long[] vertices = new long[FIRST];

    /// User-supplied ids, empty if the batch has none; null for a vertex without one.
    private @Nullable Object[] ids = {};

    /// Properties read with the vertices, if they are wanted.
    private @Nullable Properties[] properties = {};

    private final boolean wantsProperties;
    int count;

    /// Whether the range is at its end.
    boolean done;

    /// Number of the vertex after which to continue.
    long last;

    private int want = FIRST / 4;
    private @Nullable GraphTransaction readBy;
    private long readAt;

    /// An empty batch.
    ///
    /// @param wantsProperties whether properties will be needed
    public VertexBatch(boolean wantsProperties) {
        this.wantsProperties = wantsProperties;
    }

    boolean wantsProperties() {
        return wantsProperties;
    }

    /// Makes room for the next batch: small at first, because often one is enough.
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

    /// Records the transaction that fills the batch, and its current moment.
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

    /// @param id user-supplied id, or null
    /// @param read the vertex's properties, if they are wanted
    void add(long vertex, @Nullable Object id, @Nullable Properties read) {
        if (count >= vertices.length) {
            throw SequenceCount.twoThreads();
        }
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

    /// Replaces the content by the first `length` of `others`.
    void set(long[] others, int length) {
        vertices = others;
        count = length;
        ids = new Object[0];
        properties = new Properties[0];
    }

    /// Clears the batch for another range.
    void reset() {
        count = 0;
        done = false;
        last = 0;
    }

    /// The vertex at `at`.
    OrielVertex vertex(StoredGraph graph, int at) {
        @Nullable Object[] given = ids;
        @Nullable Properties[] read = properties;
        OrielVertex vertex =
                new OrielVertex(graph, vertices[at], given.length == 0 ? null : given[at]);
        Properties known = read.length == 0 ? null : read[at];
        if (known != null) {
            vertex.known(known, readBy, readAt);
        }
        return vertex;
    }
}
