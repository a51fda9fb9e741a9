package dev.oriel.kv;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Operations on one map for one thread at a time, with buffers reused from call to call. Each change is a
/// transaction of its own, or all calls belong to one that its owner ends.
///
/// A read is [#find], a look at the row, and [#release()]. Until then the value is read in place, without a copy.
final class MapSession<K, V> {
    private static final Probe FIND = Probe.of(OrderedMap.class, "find");
    private static final Probe CHANGE = Probe.of(OrderedMap.class, "change");

    private static final int ATTEMPTS_MAX = 20;

    private final Tables tables;
    private final String tableName;
    private final MapKey<K> keys;
    private final MapValue<V> values;

    /// Transaction that all calls belong to; null if each call has its own.
    private final @Nullable Joined joined;

    private final Slice existing = new Slice();
    private final Slice window = new Slice();
    private final KeyRange range;
    private MapTable table;
    private @Nullable TableTransaction reading;
    private boolean isReading;

    /// Transaction of the current change, if the change has its own.
    private @Nullable TableTransaction writing;

    MapSession(
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
        this.range = new KeyRange(keys.types().size());
        if (joined != null) {
            this.table = MapTable.of(joined.rows(), tableName, keys, values);
            return;
        }
        try (TableTransaction transaction = tables.beginRead()) {
            this.table = MapTable.of(transaction, tableName, keys, values);
        }
    }

    /// Whether all calls belong to one transaction.
    boolean isJoined() {
        return joined != null;
    }

    /// @throws dev.oriel.store.ClosedException if the transaction that all calls belong to has ended
    void checkOpen() {
        if (joined != null) {
            TableTransaction _ = joined.rows();
        }
    }

    /// Finds `key`; if it is present, the row may be read until [#release()].
    boolean find(K key) {
        long entered = FIND.enter();
        boolean found = false;
        try {
            TableTransaction transaction = beginRead();
            found = transaction.fetch(table.definition(), rowKey(key), table.row());
        } finally {
            FIND.exit(entered);
            if (!found) {
                release();
            }
        }
        return found;
    }

    private Slice rowKey(K key) {
        keys.write(key, table.tuple());
        return table.key().of(table.tuple());
    }

    /// The snapshot of the next read; at READ COMMITTED the newest one.
    private TableTransaction beginRead() {
        TableTransaction transaction = joined != null ? joined.newest() : reading;
        if (transaction == null) {
            transaction = tables.beginRead();
            reading = transaction;
            isReading = true;
        } else if (joined == null) {
            tables.renew(transaction);
            isReading = true;
        }
        adopt(transaction);
        return transaction;
    }

    /// The table may have been replaced, for example by TRUNCATE.
    private void adopt(TableTransaction transaction) {
        if (transaction.catalog().version() != table.version()) {
            table = MapTable.of(transaction, tableName, keys, values);
        }
    }

    /// Ends the read. May be called again.
    void release() {
        TableTransaction transaction = reading;
        if (isReading && transaction != null) {
            isReading = false;
            transaction.close();
        }
    }

    /// The value of the found row.
    V value() {
        return values.read(table.row(), table.value());
    }

    /// The bytes of the found value, in place.
    Slice window() {
        table.row().sliceAt(table.value(), window);
        return window;
    }

    /// Passes the values of the present keys of `wanted` to `visitor`, all from one snapshot.
    void readAll(Collection<K> wanted, BiConsumer<K, V> visitor) {
        TableTransaction transaction = beginRead();
        try {
            for (K key : wanted) {
                if (transaction.fetch(table.definition(), rowKey(key), table.row())) {
                    visitor.accept(key, value());
                }
            }
        } finally {
            release();
        }
    }

    /// Opens a cursor over `wanted` in the snapshot of a read, which lasts until [#release()].
    RowCursor cursor(MapRange<K> wanted) {
        TableTransaction transaction = beginRead();
        table.bounds(keys, wanted, range);
        RowCursor cursor = transaction.cursor(table.definition(), null);
        cursor.open(transaction, range, wanted.descending());
        return cursor;
    }

    /// Passes all values of `wanted` to `reader`, in place.
    void readRange(MapRange<K> wanted, OrderedMap.EntryReader<K> reader) {
        RowCursor cursor = cursor(wanted);
        try {
            while (cursor.next()) {
                cursor.sliceAt(table.value(), window);
                reader.read(keyOf(cursor), window.segment(), window.offset(), window.length());
            }
        } finally {
            cursor.leave();
        }
    }

    K keyOf(RowCursor cursor) {
        return keys.read(cursor);
    }

    V valueOf(RowCursor cursor) {
        return values.read(cursor, table.value());
    }

    long count(MapRange<K> wanted) {
        TableTransaction transaction = beginRead();
        try {
            table.bounds(keys, wanted, range);
            return transaction.count(table.definition(), null, range);
        } finally {
            release();
        }
    }

    /// Runs `change` in the joined transaction, or in one of its own that is retried after a conflict.
    <R extends @Nullable Object> R change(Supplier<R> change) {
        long entered = CHANGE.enter();
        try {
            return changed(change);
        } finally {
            CHANGE.exit(entered);
        }
    }

    private <R extends @Nullable Object> R changed(Supplier<R> change) {
        Joined owners = joined;
        if (owners != null) {
            return owners.change(() -> {
                adopt(owners.rows());
                return change.get();
            });
        }
        for (int attempt = 1; ; attempt++) {
            try (TableTransaction transaction = tables.beginWrite(Isolation.READ_COMMITTED)) {
                writing = transaction;
                adopt(transaction);
                R result = change.get();
                transaction.commit();
                return result;
            } catch (ConflictException e) {
                if (!e.mayPass() || attempt == ATTEMPTS_MAX) {
                    throw e;
                }
            } finally {
                writing = null;
            }
        }
    }

    private TableTransaction writing() {
        TableTransaction own = writing;
        if (own != null) {
            return own;
        }
        if (joined == null) {
            throw new IllegalStateException("No change runs");
        }
        return joined.rows();
    }

    // Calls within a change.

    /// Locks `key` and finds its row in the newest state.
    boolean lock(K key) {
        TableTransaction transaction = writing();
        Slice rowKey = rowKey(key);
        try {
            transaction.lock(table.definition(), rowKey, transaction.patience());
        } catch (ConflictException e) {
            if (!Joined.mayMove(e, transaction)) {
                throw e;
            }
            transaction.refresh(); // the row is locked, so its newest version stays
            adopt(transaction);
            transaction.lock(table.definition(), rowKey, transaction.patience());
        }
        return transaction.fetch(table.definition(), rowKey, table.row());
    }

    /// Writes `value` under `key`, present or absent; returns whether it was absent.
    boolean put(K key, V value) {
        TableTransaction transaction = writing();
        keys.write(key, table.tuple());
        values.write(value, table.tuple(), table.value());
        for (int attempt = 1; ; attempt++) {
            try {
                if (transaction.insert(
                        table.definition(), table.tuple(), Arbiter.PRIMARY_KEY, existing)) {
                    return true;
                }
                transaction.update(table.definition(), existing, table.tuple());
                return false;
            } catch (ConflictException e) {
                if (!Joined.mayMove(e, transaction) || attempt == ATTEMPTS_MAX) {
                    throw e;
                }
                transaction.refresh();
            }
        }
    }

    /// Writes `value` under `key`, whose row was found by [#lock].
    void update(K key, V value) {
        values.write(value, table.tuple(), table.value());
        writing().update(table.definition(), rowKey(key), table.tuple());
    }

    /// Removes the row of `key`, which was found by [#lock].
    void remove(K key) {
        writing().delete(table.definition(), rowKey(key));
    }

    /// Removes all keys of `wanted` and returns their number.
    long removeAll(MapRange<K> wanted) {
        TableTransaction transaction = writing();
        table.bounds(keys, wanted, range);
        RowCursor cursor = transaction.cursor(table.definition(), null);
        cursor.open(transaction, range, false);
        long removed = 0;
        while (cursor.next()) {
            cursor.rowKey(existing);
            removed += transaction.delete(table.definition(), existing) ? 1 : 0;
        }
        cursor.leave();
        return removed;
    }
}
