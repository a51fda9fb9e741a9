package dev.oriel.table.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.table.KeySearches;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the rows that refer to a key: in the newest state, with the transaction's own changes. No other
/// transaction can add one meanwhile, because the caller has the key's existence locked.
///
/// Candidates come from the transaction's own snapshot and from the newest one; each is then looked up in its
/// present state. A row's present state is the one under the transaction's own cursor if it has written the row,
/// else the newest one. If no index begins with the foreign key's columns, all rows are read, and only referring
/// ones become candidates. So memory holds only the keys of rows that refer.
final class ReferencingRows {
    private final StoredTransaction transaction;
    private final TableEntry child;
    private final ForeignKey key;
    private final int[] columns;
    private final Type[] types;
    private final StoredRow row;
    private final NativeBuffer wanted = new NativeBuffer(64);
    private final NativeBuffer actual = new NativeBuffer(64);
    private final Slice wantedKey = new Slice();
    private final Slice actualKey = new Slice();

    /// Keys of the candidates: bytes, because there may be many.
    private final Set<byte[]> seen = new TreeSet<>(Arrays::compareUnsigned);

    private final NativeBuffer rowKey = new NativeBuffer(64);
    private final Slice place = new Slice();
    private final Row values;
    private long read;
    private boolean readAll;

    /// @param values the values sought in the foreign key's columns, in its order
    ReferencingRows(StoredTransaction transaction, TableEntry child, ForeignKey key, Row values) {
        this.transaction = transaction;
        this.child = child;
        this.key = key;
        this.columns = key.columns().stream().mapToInt(Integer::intValue).toArray();
        this.types = new Type[columns.length];
        for (int i = 0; i < columns.length; i++) {
            types[i] = child.table().columns().get(columns[i]).type();
        }
        this.row = child.newRow();
        KeyCodec.putRow(wanted, values, types, columns.length);
        wanted.slice(wantedKey);
        this.values = values;
    }

    /// Keys of the rows that refer, but for the row `except`.
    ///
    /// @param one whether the first is enough
    List<byte[]> find(boolean one, @Nullable Slice except) {
        KeySearches told = transaction.foreignKeys().told();
        if (told == null) {
            return search(one, except);
        }
        long begun = told.now();
        try {
            return search(one, except);
        } finally {
            told.searched(child.table(), key, readAll, read, told.now() - begun);
        }
    }

    private List<byte[]> search(boolean one, @Nullable Slice except) {
        int[] order = order(child.primaryKey());
        if (order.length > 0) {
            collect(child.tree(), prefix(order, new KeyOrder[0]), false);
            return verified(one, except);
        }
        for (IndexEntry index : child.indexes()) {
            order = index.isSearch() ? new int[0] : order(index.columns());
            if (order.length == 0) {
                continue;
            }
            if (index.isArray()) {
                collect(transaction.arrays().newest(index), prefix(order, index.orders()));
            } else {
                collect(index.tree(), prefix(order, index.orders()), true);
            }
            return verified(one, except);
        }
        collectRows();
        return verified(one, except);
    }

    /// Upper bound of the rows looked up again in their present state.
    int candidates() {
        return seen.size();
    }

    /// Position of each leading column of a key among the wanted values; empty if they are other columns.
    private int[] order(int[] keyColumns) {
        if (keyColumns.length < columns.length) {
            return new int[0];
        }
        int[] order = new int[columns.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = -1;
            for (int j = 0; j < columns.length; j++) {
                if (columns[j] == keyColumns[i]) {
                    order[i] = j;
                }
            }
            if (order[i] < 0) {
                return new int[0];
            }
        }
        return order;
    }

    private Slice prefix(int[] order, KeyOrder[] orders) {
        Tuple ordered = new Tuple(order.length);
        Type[] orderedTypes = new Type[order.length];
        for (int i = 0; i < order.length; i++) {
            orderedTypes[i] = types[order[i]];
            ordered.copy(i, values, order[i], orderedTypes[i].shape());
        }
        NativeBuffer bytes = new NativeBuffer(64);
        KeyCodec.putRow(bytes, ordered, orderedTypes, order.length, orders);
        return bytes.slice(new Slice());
    }

    private void collect(Tree tree, Slice prefix, boolean index) {
        collect(transaction.foreignKeys().cursor(tree), prefix, index);
        if (!transaction.store().isExclusive()) {
            try (Transaction newest = transaction.core().store().beginRead()) {
                collect(newest.cursor(tree), prefix, index);
            }
        }
    }

    private void collect(Cursor cursor, Slice prefix, boolean index) {
        Slice key = new Slice();
        Slice end = Slice.copyOf(Arrays.copyOf(prefix.toBytes(), prefix.length() + 1));
        end.segment().set(NativeBuffer.BYTE, prefix.length(), (byte) KeyCodec.AFTER);
        boolean more = cursor.seek(prefix, end);
        while (more) {
            transaction.core().store().poll();
            read++;
            if (index) {
                cursor.value(key);
            } else {
                cursor.key(key);
            }
            seen.add(key.toBytes());
            more = cursor.next();
        }
    }

    private void collectRows() {
        readAll = true;
        collectRows(transaction.foreignKeys().cursor(child.tree()));
        if (!transaction.store().isExclusive()) {
            try (Transaction newest = transaction.core().store().beginRead()) {
                collectRows(newest.cursor(child.tree()));
            }
        }
    }

    private void collectRows(Cursor cursor) {
        Slice at = new Slice();
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            transaction.core().store().poll();
            read++;
            cursor.value(at);
            row.point(at);
            if (refers()) {
                cursor.key(at);
                seen.add(at.toBytes());
            }
        }
    }

    private void collect(SortedArray array, Slice prefix) {
        byte[] bytes = prefix.toBytes();
        Slice key = new Slice();
        long at = array.ceiling(bytes, bytes.length);
        while (array.startsWith(at, bytes, bytes.length)) {
            array.rowKey(at, key);
            read++;
            seen.add(key.toBytes());
            at = array.after(at);
        }
    }

    private List<byte[]> verified(boolean one, @Nullable Slice except) {
        List<byte[]> found = new ArrayList<>();
        byte[] excepted = except == null ? null : except.toBytes();
        Slice value = new Slice();
        for (byte[] key : seen) {
            if (excepted != null && Arrays.equals(key, excepted)) {
                continue;
            }
            if (refersNow(key, value)) {
                found.add(key);
                if (one) {
                    break;
                }
            }
        }
        return found;
    }

    private boolean refersNow(byte[] key, Slice value) {
        rowKey.clear();
        rowKey.putBytes(key);
        if (!transaction.store().peekLatest(child.tree(), rowKey.slice(place), value)) {
            return false;
        }
        row.point(value);
        return refers();
    }

    /// Whether the row at `row` refers to the key.
    private boolean refers() {
        actual.clear();
        StoredKey.putColumns(actual, row, types, columns);
        return Slice.compare(actual.slice(actualKey), wantedKey) == 0;
    }
}
