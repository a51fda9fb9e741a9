package dev.oriel.kv;

import dev.oriel.store.ClosedException;
import dev.oriel.store.UsageException;
import dev.oriel.table.RowCursor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The entries of a range of an [OrderedMap], in order. It stands before the first entry at the beginning.
///
/// Belongs to one thread at a time. It keeps a snapshot open until it is closed. A cursor of a transaction's map
/// goes on after calls of other faces: it meets what they write in front of it, and keeps the entry that it stands on.
///
/// @param <K> the type of the keys
/// @param <V> the type of the values
public final class MapCursor<K, V> implements AutoCloseable {
    private final OrderedMap<K, V> map;
    private final MapSession<K, V> session;
    private final RowCursor cursor;

    // All within calls and under its own monitor, as the session and the cursor.

    private boolean closed;

    /// The entry that it stands on, in a transaction: other calls take its place from under the row cursor.
    private Map.@Nullable Entry<K, V> kept;

    MapCursor(OrderedMap<K, V> map, MapSession<K, V> session, RowCursor cursor) {
        this.map = map;
        this.session = session;
        this.cursor = cursor;
    }

    /// Goes to the next entry; false at the end, and if it is closed.
    ///
    /// @throws ClosedException if it belongs to a transaction that has ended
    public boolean next() {
        map.enter();
        try {
            synchronized (this) {
                if (closed) {
                    return false;
                }
                session.checkOpen();
                boolean found = cursor.next();
                if (session.isJoined()) {
                    kept = found ? Map.entry(session.keyOf(cursor), session.valueOf(cursor)) : null;
                }
                return found;
            }
        } finally {
            map.exit();
        }
    }

    /// The key of the entry that it stands on.
    ///
    /// @throws ClosedException if it is closed, or its transaction has ended
    public K key() {
        map.enter();
        try {
            synchronized (this) {
                checkOpen();
                return session.isJoined() ? kept().getKey() : session.keyOf(cursor);
            }
        } finally {
            map.exit();
        }
    }

    /// The value of the entry that it stands on.
    ///
    /// @throws ClosedException if it is closed, or its transaction has ended
    public V value() {
        map.enter();
        try {
            synchronized (this) {
                checkOpen();
                return session.isJoined() ? kept().getValue() : session.valueOf(cursor);
            }
        } finally {
            map.exit();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new ClosedException("The cursor is closed; open another one", "");
        }
        session.checkOpen();
    }

    private Map.Entry<K, V> kept() {
        Map.Entry<K, V> entry = kept;
        if (entry == null) {
            throw new UsageException("The cursor stands on no entry; call next() first", "");
        }
        return entry;
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
