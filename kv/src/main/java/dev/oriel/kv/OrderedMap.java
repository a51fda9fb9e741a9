package dev.oriel.kv;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.value.Tuple;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// An ordered map: keys of one type in their order, each with a value. It is the table `map_NAME`, which SQL reads
/// and writes like any other.
///
/// ```java
/// OrderedMap<String, Long> stock = db.map("stock", MapKey.text(), MapValue.longs());
/// stock.put("lamp", 12L);
/// long lamps = stock.count(MapRange.prefix("lamp"));
/// ```
/// A map of a database may be used by any number of threads. Each call is a transaction of its own, retried after
/// a conflict. A map of a transaction does all its calls in that transaction.
///
/// Keys and values are not null ([UsageException]). A stored key longer than 1,000 bytes is refused
/// ([dev.oriel.store.LimitException]). After the map's table was dropped, calls fail ([UsageException]) until the map
/// is opened again.
///
/// @param <K> the type of the keys
/// @param <V> the type of the values
public final class OrderedMap<K, V> {
    private final Tables tables;
    private final String tableName;
    private final MapKey<K> keys;
    private final MapValue<V> values;
    private final @Nullable Joined joined;
    private final IdleSessions<MapSession<K, V>> idle = new IdleSessions<>();

    /// Reads a value in place, without a copy.
    @FunctionalInterface
    public interface Reader {
        /// Reads `length` bytes of `segment` from `offset`, which are valid until this returns.
        void read(MemorySegment segment, long offset, int length);
    }

    /// Reads an entry whose value is in place in the database.
    ///
    /// @param <K> the type of the keys
    @FunctionalInterface
    public interface EntryReader<K> {
        /// Reads `length` bytes of `segment` from `offset`, which are valid until this returns.
        void read(K key, MemorySegment segment, long offset, int length);
    }

    OrderedMap(
            Tables tables,
            String tableName,
            MapKey<K> keys,
            MapValue<V> values,
            @Nullable Joined joined) {
        this.tables = tables;
        this.tableName = tableName;
        this.keys = keys;
        this.values = values;
        this.joined = joined;
    }

    /// The map in the table `tableName`, which is created if it is missing.
    static <K, V> OrderedMap<K, V> open(
            Tables tables,
            String tableName,
            MapKey<K> keys,
            MapValue<V> values,
            @Nullable Joined joined) {
        if (joined != null) {
            joined.provide("map", tableName, to -> MapTable.create(to, tableName, keys, values));
        } else if (tables.catalog().table(SearchPath.named("", tableName)) == null) {
            try (TableTransaction own = tables.beginDefining(null)) {
                if (own.catalog().table(SearchPath.named("", tableName)) == null) {
                    MapTable.create(own, tableName, keys, values);
                    own.commit();
                }
            }
        }
        OrderedMap<K, V> map = new OrderedMap<>(tables, tableName, keys, values, joined);
        map.giveBack(map.take()); // refuses a table with other columns
        return map;
    }

    private MapSession<K, V> take() {
        enter();
        boolean taken = false;
        try {
            MapSession<K, V> session = idle.take();
            if (session == null) {
                session = new MapSession<>(tables, tableName, keys, values, joined);
            }
            taken = true;
            return session;
        } finally {
            if (!taken) {
                exit();
            }
        }
    }

    void giveBack(MapSession<K, V> session) {
        try {
            session.release();
            boolean _ = idle.keep(session);
        } finally {
            exit();
        }
    }

    /// Begins a call; a cursor does so too.
    void enter() {
        if (joined != null) {
            joined.enter();
        }
    }

    void exit() {
        if (joined != null) {
            joined.exit();
        }
    }

    /// The value of `key`; null if it is absent.
    public @Nullable V get(K key) {
        MapSession<K, V> session = take();
        try {
            return session.find(key) ? session.value() : null;
        } finally {
            giveBack(session);
        }
    }

    /// Passes the value of `key` to `reader` without a copy; false if the key is absent. Allocates nothing. For
    /// values of bytes and text (UTF-8).
    ///
    /// @throws UsageException if values are numbers
    public boolean read(K key, Reader reader) {
        checkBytes();
        MapSession<K, V> session = take();
        try {
            if (!session.find(key)) {
                return false;
            }
            Slice value = session.window();
            reader.read(value.segment(), value.offset(), value.length());
            return true;
        } finally {
            giveBack(session);
        }
    }

    private void checkBytes() {
        if (!values.isBytes()) {
            throw new UsageException(
                    "Values of this map are numbers; use calls that return them",
                    "table=" + tableName);
        }
    }

    public boolean containsKey(K key) {
        MapSession<K, V> session = take();
        try {
            return session.find(key);
        } finally {
            giveBack(session);
        }
    }

    /// The values of the present keys of `wanted`, all from one snapshot.
    public Map<K, V> getAll(Collection<K> wanted) {
        Map<K, V> found = new LinkedHashMap<>();
        MapSession<K, V> session = take();
        try {
            session.readAll(wanted, found::put);
        } finally {
            giveBack(session);
        }
        return found;
    }

    /// Writes `value` under `key`, present or absent.
    ///
    /// @return whether the key was absent
    public boolean put(K key, V value) {
        MapSession<K, V> session = take();
        try {
            return session.change(() -> session.put(key, value));
        } finally {
            giveBack(session);
        }
    }

    /// Writes all of `entries`, in one transaction.
    public void putAll(Map<K, V> entries) {
        MapSession<K, V> session = take();
        try {
            boolean _ =
                    session.change(() -> {
                        entries.forEach(session::put);
                        return true;
                    });
        } finally {
            giveBack(session);
        }
    }

    /// Writes `value` under `key` if the key is absent.
    ///
    /// @return the existing value; null if the key was absent
    public @Nullable V putIfAbsent(K key, V value) {
        MapSession<K, V> session = take();
        try {
            return session.change(() -> {
                if (session.lock(key)) {
                    return session.value();
                }
                session.put(key, value);
                return null;
            });
        } finally {
            giveBack(session);
        }
    }

    /// Writes `value` under `key` if the key is present.
    ///
    /// @return the previous value; null if the key was absent
    public @Nullable V replace(K key, V value) {
        MapSession<K, V> session = take();
        try {
            return session.change(() -> {
                if (!session.lock(key)) {
                    return null;
                }
                V before = session.value();
                session.update(key, value);
                return before;
            });
        } finally {
            giveBack(session);
        }
    }

    /// Writes `value` under `key` if the current value equals `expected`; null stands for an absent key.
    ///
    /// @return whether it was written
    public boolean compareAndSet(K key, @Nullable V expected, V value) {
        MapSession<K, V> session = take();
        try {
            return session.change(() -> {
                V there = session.lock(key) ? session.value() : null;
                if (!Objects.deepEquals(there, expected)) {
                    return false;
                }
                session.put(key, value);
                return true;
            });
        } finally {
            giveBack(session);
        }
    }

    /// Removes `key`.
    ///
    /// @return the removed value; null if the key was absent
    public @Nullable V remove(K key) {
        MapSession<K, V> session = take();
        try {
            return session.change(() -> {
                if (!session.lock(key)) {
                    return null;
                }
                V before = session.value();
                session.remove(key);
                return before;
            });
        } finally {
            giveBack(session);
        }
    }

    /// Removes all keys of `range` in one transaction.
    ///
    /// @return the number of keys removed
    public long deleteRange(MapRange<K> range) {
        MapSession<K, V> session = take();
        try {
            return session.change(() -> session.removeAll(range));
        } finally {
            giveBack(session);
        }
    }

    /// The number of keys in `range`, exact, in time proportional to the number of pages between its ends.
    public long count(MapRange<K> range) {
        MapSession<K, V> session = take();
        try {
            return session.count(range);
        } finally {
            giveBack(session);
        }
    }

    /// The entry of the least key; null if the map is empty.
    public Map.@Nullable Entry<K, V> first() {
        return first(MapRange.all());
    }

    /// The entry of the greatest key; null if the map is empty.
    public Map.@Nullable Entry<K, V> last() {
        return first(MapRange.<K>all().reversed());
    }

    /// The entry of the greatest key less than or equal to `key`; null if there is none.
    public Map.@Nullable Entry<K, V> floor(K key) {
        return first(MapRange.to(key).reversed());
    }

    /// The entry of the least key greater than or equal to `key`; null if there is none.
    public Map.@Nullable Entry<K, V> ceiling(K key) {
        return first(MapRange.from(key));
    }

    /// The entry of the greatest key less than `key`; null if there is none.
    public Map.@Nullable Entry<K, V> lower(K key) {
        return first(MapRange.below(key).reversed());
    }

    /// The entry of the least key greater than `key`; null if there is none.
    public Map.@Nullable Entry<K, V> higher(K key) {
        return first(MapRange.above(key));
    }

    /// The first entry of a cursor over `range`; null if the range is empty.
    public Map.@Nullable Entry<K, V> first(MapRange<K> range) {
        try (MapCursor<K, V> cursor = cursor(range)) {
            return cursor.next() ? Map.entry(cursor.key(), cursor.value()) : null;
        }
    }

    /// Opens a cursor over `range` in the current snapshot; the caller closes it.
    public MapCursor<K, V> cursor(MapRange<K> range) {
        MapSession<K, V> session = take();
        boolean opened = false;
        try {
            MapCursor<K, V> cursor = new MapCursor<>(this, session, session.cursor(range));
            opened = true;
            return cursor;
        } finally {
            if (opened) {
                exit(); // the cursor keeps the session, and enters for each of its calls
            } else {
                giveBack(session);
            }
        }
    }

    /// Passes all entries of `range` to `visitor`, in order, from the snapshot at its begin.
    public void forEach(MapRange<K> range, BiConsumer<K, V> visitor) {
        try (MapCursor<K, V> cursor = cursor(range)) {
            while (cursor.next()) {
                visitor.accept(cursor.key(), cursor.value());
            }
        }
    }

    /// Passes all values of `range` to `reader` without a copy, in order, from the snapshot at its begin. For
    /// values of bytes and text (UTF-8). In a transaction `reader` must not call other faces of it.
    ///
    /// @throws UsageException if values are numbers
    public void forEachValue(MapRange<K> range, EntryReader<K> reader) {
        checkBytes();
        MapSession<K, V> session = take();
        try {
            session.readRange(range, reader);
        } finally {
            giveBack(session);
        }
    }

    /// Bulk load: adds many entries without logging them, in any order, sorted ones fastest: all or none. Other
    /// writers wait meanwhile.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if a key exists already, or twice in `entries`
    /// @throws UsageException if this is the map of a transaction
    public void load(Iterator<Map.Entry<K, V>> entries) {
        if (joined != null) {
            throw new UsageException(
                    "A bulk load is a transaction of its own; load before the transaction begins",
                    "");
        }
        try (TableTransaction bulk = tables.beginBulk(BulkOptions.defaults())) {
            MapTable table = MapTable.of(bulk, tableName, keys, values);
            Tuple row = table.tuple();
            while (entries.hasNext()) {
                Map.Entry<K, V> entry = entries.next();
                keys.write(entry.getKey(), row);
                values.write(entry.getValue(), row, table.value());
                bulk.insert(table.definition(), row);
            }
            bulk.commit();
        }
    }
}
