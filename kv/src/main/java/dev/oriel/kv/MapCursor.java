package dev.oriel.kv;

import dev.oriel.store.ClosedException;
import dev.oriel.table.RowCursor;

/// The entries of a range of an [OrderedMap], in order. It stands before the first entry at the beginning.
///
/// Belongs to one thread at a time. It keeps a snapshot open until it is closed.
///
/// @param <K> the type of the keys
/// @param <V> the type of the values
public final class MapCursor<K, V> implements AutoCloseable {
    private final OrderedMap<K, V> map;
    private final MapSession<K, V> session;
    private final RowCursor cursor;

    /// Within calls and under its own monitor, as the session and the cursor.
    private boolean closed;

    MapCursor(OrderedMap<K, V> map, MapSession<K, V> session, RowCursor cursor) {
        this.map = map;
        this.session = session;
        this.cursor = cursor;
    }

    /// Goes to the next entry; false at the end, and if it is closed.
    public boolean next() {
        map.enter();
        try {
            synchronized (this) {
                return !closed && cursor.next();
            }
        } finally {
            map.exit();
        }
    }

    /// The key of the entry that it stands on.
    ///
    /// @throws ClosedException if it is closed
    public K key() {
        map.enter();
        try {
            synchronized (this) {
                checkOpen();
                return session.keyOf(cursor);
            }
        } finally {
            map.exit();
        }
    }

    /// The value of the entry that it stands on.
    ///
    /// @throws ClosedException if it is closed
    public V value() {
        map.enter();
        try {
            synchronized (this) {
                checkOpen();
                return session.valueOf(cursor);
            }
        } finally {
            map.exit();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new ClosedException("The cursor is closed; open another one", "");
        }
    }

    @Override
    public void close() {
        map.enter();
        try {
            synchronized (this) {
                if (!closed) {
                    closed = true;
                    cursor.leave();
                    map.enter(); // for giveBack, which ends a call
                    map.giveBack(session);
                }
            }
        } finally {
            map.exit();
        }
    }
}
