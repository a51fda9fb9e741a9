package dev.oriel.kv;

import dev.oriel.table.RowCursor;
import java.util.function.Consumer;

/// The entries of a range of an [OrderedMap], in order. It stands before the first entry at the beginning.
///
/// Belongs to one thread at a time. It keeps a snapshot open until it is closed.
///
/// @param <K> the type of the keys
/// @param <V> the type of the values
public final class MapCursor<K, V> implements AutoCloseable {
    private final MapSession<K, V> session;
    private final RowCursor cursor;
    private final Consumer<MapSession<K, V>> end;
    private boolean closed;

    MapCursor(MapSession<K, V> session, RowCursor cursor, Consumer<MapSession<K, V>> end) {
        this.session = session;
        this.cursor = cursor;
        this.end = end;
    }

    /// Goes to the next entry; false at the end, and if it is closed.
    public boolean next() {
        return !closed && cursor.next();
    }

    /// The key of the entry that it stands on.
    public K key() {
        return session.keyOf(cursor);
    }

    /// The value of the entry that it stands on.
    public V value() {
        return session.valueOf(cursor);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cursor.leave();
            end.accept(session);
        }
    }
}
