package dev.oriel.sql.rows;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A set of rows: a hash table in memory, which spills to a file whenever the statement's budget demands it, and
/// is then emptied. Spilled rows are found by a [HashIndex]. So the set can be queried at any time, and its
/// callers see no difference.
public final class KeySet {
    /// Bytes of a key without its values: the object, and its entry of the table.
    private static final int ENTRY_BYTES = 96;

    /// Maximum number of entries sorted at a time, since sorting does not poll for a cancel.
    private static final int SORTED_MAX = 1 << 18;

    private final Cancellation cancellation;
    private final QueryMemory.Share share;
    private final Type.Shape[] shapes;
    private final Tuple found;
    private Set<RowKey> keys = new HashSet<>();
    private long held;
    private long count;
    private @Nullable RowFile rows;

    /// Reader for random access.
    private RowFile.@Nullable Reader reader;

    /// Reader for sequential access; null until it is needed.
    private RowFile.@Nullable Reader all;

    private @Nullable HashIndex index;

    public KeySet(Cancellation cancellation, QueryMemory.Share share, List<Type> types) {
        this.cancellation = cancellation;
        this.share = share;
        this.shapes = Typing.shapes(types);
        this.found = new Tuple(shapes.length);
    }

    public boolean isEmpty() {
        return keys.isEmpty() && rows == null;
    }

    /// Number of rows.
    public long count() {
        return count;
    }

    public boolean contains(RowKey key) {
        return keys.contains(key) || (rows != null && isPutAside(key));
    }

    /// Adds a copy of `key`; false if the set had it already.
    public boolean add(RowKey key) {
        if (contains(key)) {
            return false;
        }
        keys.add(key.copy());
        count++;
        long bytes = ENTRY_BYTES + RowCodec.memoryBytes(key.values(), shapes);
        held += bytes;
        if (share.add(bytes, held)) {
            putAside();
        }
        return true;
    }

    private boolean isPutAside(RowKey key) {
        HashIndex by = index;
        RowFile.Reader from = reader;
        if (by == null || from == null) {
            return false;
        }
        by.seek(key.hashCode());
        for (long position = by.next(); position >= 0; position = by.next()) {
            from.read(position, found);
            if (key.isOf(found)) {
                return true;
            }
        }
        return false;
    }

    private void putAside() {
        RowFile to = rows;
        HashIndex by = index;
        if (to == null || by == null) {
            to = new RowFile(share, shapes);
            by = new HashIndex(cancellation, share);
            rows = to;
            index = by;
            reader = to.reader(share.memory().windowBytes(Integer.MAX_VALUE));
        }
        long[] entries = new long[Math.min(keys.size(), SORTED_MAX)];
        int count = 0;
        for (RowKey key : keys) {
            cancellation.poll();
            entries[count++] = HashIndex.entry(key.hashCode(), to.append(key.values()));
            if (count == entries.length) {
                by.add(entries, count);
                count = 0;
            }
        }
        if (count > 0) {
            by.add(entries, count);
        }
        forgetKeys();
    }

    /// Whether `holds` for one of the rows, which are passed in no particular order.
    public boolean any(Predicate<Tuple> holds) {
        for (RowKey key : keys) {
            if (holds.test(key.values())) {
                return true;
            }
        }
        RowFile from = rows;
        if (from == null) {
            return false;
        }
        RowFile.Reader each = all;
        if (each == null) {
            each = from.reader(share.memory().blockBytes());
            all = each;
        }
        long end = from.bytes();
        for (long at = 0; at < end; ) {
            cancellation.poll();
            at = each.read(at, found);
            if (holds.test(found)) {
                return true;
            }
        }
        return false;
    }

    private void forgetKeys() {
        keys = keys.isEmpty() ? keys : new HashSet<>();
        share.take(held);
        held = 0;
    }

    public void clear() {
        forgetKeys();
        count = 0;
        if (reader != null) {
            reader.close();
            reader = null;
        }
        if (all != null) {
            all.close();
            all = null;
        }
        if (index != null) {
            index.delete();
            index = null;
        }
        if (rows != null) {
            rows.delete();
            rows = null;
        }
    }
}
