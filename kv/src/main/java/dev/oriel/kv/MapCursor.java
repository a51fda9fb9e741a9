package dev.oriel.kv;

import dev.oriel.store.ClosedException;
import dev.oriel.store.UsageException;
import dev.oriel.table.RowCursor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cursor over a range of an [OrderedMap]. It begins before the first entry.
///
/// ```java
/// try (MapCursor<String, Long> cursor = stock.cursor(MapRange.all())) {
///     while (cursor.next()) {
///         System.out.println(cursor.key() + " " + cursor.value());
///     }
/// }
/// ```
/// Belongs to one thread at a time. It keeps a snapshot open until it is closed. A cursor of a transaction's map
/// survives calls of other faces: it meets their writes ahead of it, and keeps its current entry.
///
/// @param <K> the type of the keys
/// @param <V> the type of the values
public final class MapCursor<K, V> implements AutoCloseable {
    private final OrderedMap<K, V> map;
    private final MapSession<K, V> session;
    private final RowCursor cursor;

    // All fields are used within calls and under the cursor's monitor, as are the session and the
    // row cursor.

    private boolean closed;

    /// Current entry of a cursor in a transaction: other calls move the row cursor's place.
    private Map.@Nullable Entry<K, V> kept;

    MapCursor(OrderedMap<K, V> map, MapSession<K, V> session, RowCursor cursor) {
        this.map = map;
        this.session = session;
        this.cursor = cursor;
    }

    /// Moves to the next entry; false at the end, and if the cursor is closed.
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

    /// The key of the current entry.
    ///
    /// @throws ClosedException if the cursor is closed, or its transaction has ended
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

    /// The value of the current entry.
    ///
    /// @throws ClosedException if the cursor is closed, or its transaction has ended
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
            throw new UsageException("The cursor is not on an entry; call next() first", "");
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
