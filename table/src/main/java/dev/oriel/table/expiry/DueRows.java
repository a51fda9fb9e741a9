package dev.oriel.table.expiry;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The rows of a table that expire first: an index by expiry, in memory, of limited size. A row that is not in it
/// does not expire before [#horizon]. One thread at a time.
public final class DueRows {
    /// Greatest number of rows; some 200 bytes each with short keys. There are three such sets during a sweep.
    public static final int CAPACITY = 10_000;

    /// A row that expires at `micros`, or a while later if it was written again since.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Due(long micros, byte[] key) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int order = Long.compare(micros, other.micros);
            return order != 0 ? order : Arrays.compareUnsigned(key, other.key);
        }
    }

    private final TreeSet<Due> byTime = new TreeSet<>();
    private final Map<ByteBuffer, Due> byKey = new HashMap<>();
    private long horizon;

    /// @param horizon moment before which no row expires
    DueRows(long horizon) {
        this.horizon = horizon;
    }

    /// No row that is absent here expires before this moment.
    long horizon() {
        return horizon;
    }

    /// Some row expires at `micros`, and its key is not known.
    void lower(long micros) {
        horizon = Math.min(horizon, micros);
    }

    /// Adds a row, whose key is kept. If it is present, the earlier moment counts, since its notes may come in
    /// another order than its changes.
    void add(byte[] key, long micros) {
        if (micros >= horizon) {
            return;
        }
        ByteBuffer name = ByteBuffer.wrap(key);
        Due before = byKey.get(name);
        if (before != null && before.micros <= micros) {
            return;
        }
        if (before != null) {
            byTime.remove(before);
        }
        Due due = new Due(micros, key);
        byKey.put(name, due);
        byTime.add(due);
        if (byTime.size() > CAPACITY) {
            Due last = byTime.removeLast();
            byKey.remove(ByteBuffer.wrap(last.key));
            lower(last.micros);
        }
    }

    void addAll(DueRows other) {
        lower(other.horizon);
        other.byTime.forEach(due -> add(due.key, due.micros));
    }

    /// First moment at which a row may expire.
    long first() {
        return byTime.isEmpty() ? horizon : Math.min(horizon, byTime.first().micros);
    }

    /// Removes and returns the keys of up to `count` rows that are due at `nowMicros`.
    List<byte[]> take(long nowMicros, long count) {
        List<byte[]> keys = new ArrayList<>();
        while (keys.size() < count && !byTime.isEmpty() && byTime.first().micros <= nowMicros) {
            Due due = byTime.removeFirst();
            byKey.remove(ByteBuffer.wrap(due.key));
            keys.add(due.key);
        }
        return keys;
    }
}
