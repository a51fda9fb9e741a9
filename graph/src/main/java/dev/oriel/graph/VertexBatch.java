package dev.oriel.graph;

import org.jspecify.annotations.Nullable;

/// Some of the vertices that a range holds, copied out of the tables at once, so that no cursor
/// stays open between two of them.
final class VertexBatch {
    private static final int FIRST = 16;
    private static final int MOST = 512;

    long[] vertices = new long[FIRST];

    /// Ids that users gave, where the label has such; null for none.
    @Nullable Object[] ids = {};

    int count;

    /// Whether the range is at its end.
    boolean done;

    /// Where to go on.
    long last;

    private int want = FIRST / 4;

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
    }

    boolean isFull() {
        return count == want;
    }

    /// @param id as a user gave it, or null
    void add(long vertex, @Nullable Object id) {
        if (id != null && ids.length == 0) {
            ids = new Object[want];
        }
        if (ids.length > 0) {
            ids[count] = id;
        }
        vertices[count++] = vertex;
    }
}
