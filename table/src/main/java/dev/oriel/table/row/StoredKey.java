package dev.oriel.table.row;

import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.value.NativeBuffer;

/// Keys made of columns of stored rows, from bytes to bytes.
public final class StoredKey {
    private StoredKey() {}

    /// Appends `columns` of a stored row, from bytes to bytes; returns whether any of them is NULL.
    public static boolean putColumns(NativeBuffer out, StoredRow row, Type[] types, int[] columns) {
        boolean nulls = false;
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            if (row.isNull(column)) {
                nulls = true;
                KeyCodec.putNull(out);
            } else {
                putStored(out, row.holding(column), column, types[i]);
            }
        }
        return nulls;
    }

    @SuppressWarnings("NullAway") // isNull was asked
    private static void putStored(NativeBuffer out, StoredRow row, int column, Type type) {
        switch (type.shape()) {
            case LONG -> KeyCodec.putLong(out, row.longAt(column));
            case DOUBLE -> KeyCodec.putDouble(out, row.doubleAt(column));
            case DECIMAL -> KeyCodec.putDecimal(out, row.decimalAt(column));
            case TEXT ->
                    KeyCodec.putEscaped(out, row.segment(), row.start(column), row.length(column));
            case BYTES -> {
                if (type.name() == Type.Name.UUID) {
                    KeyCodec.putUuid(out, row.segment(), row.start(column));
                } else {
                    KeyCodec.putEscaped(out, row.segment(), row.start(column), row.length(column));
                }
            }
        }
    }
}
