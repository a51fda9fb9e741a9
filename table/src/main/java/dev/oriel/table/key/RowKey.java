package dev.oriel.table.key;

import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;

/// The key of a row, made of the values of its primary key's columns: by it a row is fetched, changed and removed.
/// Reusable. Not safe for use by two threads at once.
public final class RowKey {
    private final Table table;
    private final Type[] types;
    private final NativeBuffer buffer = new NativeBuffer(64);
    private final Slice slice = new Slice();

    /// For rows of `table`, which has a primary key.
    public RowKey(Table table) {
        this.table = table;
        this.types = new Type[table.primaryKey().size()];
        for (int i = 0; i < types.length; i++) {
            types[i] = table.columns().get(table.primaryKey().get(i)).type();
        }
    }

    /// The key of the row whose primary key is `values`, in the order of the key's columns; it holds
    /// until the next call.
    ///
    /// @throws LimitException if it is longer than a key may be
    public Slice of(Row values) {
        buffer.clear();
        KeyCodec.putRow(buffer, values, types, types.length);
        if (buffer.length() > KeyCodec.BYTES_MAX) {
            throw KeyCodec.tooLong(buffer.length(), table.name(), "");
        }
        return buffer.slice(slice);
    }

    /// The row key of one column of LONG shape.
    public Slice of(long value) {
        buffer.clear();
        KeyCodec.putLong(buffer, value);
        return buffer.slice(slice);
    }
}
