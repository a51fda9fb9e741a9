package dev.oriel.table.row;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.value.FoldedText;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Tuple;

/// Keys from columns of stored rows, copied from bytes to bytes.
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

    /// Appends `columns` of a stored row, the first ones in the orders `orders`; returns whether any of them is NULL.
    public static boolean putColumns(
            NativeBuffer out, StoredRow row, Type[] types, int[] columns, KeyOrder[] orders) {
        if (orders.length == 0) {
            return putColumns(out, row, types, columns);
        }
        boolean nulls = false;
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            KeyOrder order = i < orders.length ? orders[i] : KeyOrder.ASC;
            if (row.isNull(column)) {
                nulls = true;
                KeyCodec.putNull(out, order);
            } else {
                int start = KeyCodec.begin(out, order);
                putStored(out, row.holding(column), column, types[i]);
                KeyCodec.end(out, start);
            }
        }
        return nulls;
    }

    /// Like [#putColumns], but keeps the case of texts and the zeros at the end of decimals, for [#exact]: equal values
    /// with the same bytes are the same.
    @SuppressWarnings("NullAway") // isNull was asked
    public static void putExact(NativeBuffer out, StoredRow row, Type[] types, int[] columns) {
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            if (row.isNull(column)) {
                KeyCodec.putNull(out);
                continue;
            }
            KeyCodec.putExact(out, row.holding(column), column, types[i]);
            if (types[i].shape() == Type.Shape.DECIMAL) {
                KeyCodec.putLong(out, row.decimalAt(column).scale());
            } else if (types[i].shape() == Type.Shape.DOUBLE) {
                KeyCodec.putLong(out, Double.doubleToRawLongBits(row.doubleAt(column)));
            }
        }
    }

    /// The values that [#putExact] has written.
    @SuppressWarnings("NullAway") // isNull is asked
    public static Tuple exact(Slice bytes, Type[] types) {
        Tuple values = new Tuple(types.length);
        KeyReader reader = new KeyReader().over(bytes);
        for (int i = 0; i < types.length; i++) {
            reader.read(types[i], values, i);
            if (values.isNull(i)) {
                continue;
            }
            if (types[i].shape() == Type.Shape.DECIMAL) {
                values.setDecimal(i, values.decimalAt(i).setScale((int) reader.takeLong()));
            } else if (types[i].shape() == Type.Shape.DOUBLE) {
                values.setDouble(i, Double.longBitsToDouble(reader.takeLong()));
            }
        }
        return values;
    }

    @SuppressWarnings("NullAway") // isNull was asked
    private static void putStored(NativeBuffer out, StoredRow row, int column, Type type) {
        switch (type.shape()) {
            case LONG -> KeyCodec.putLong(out, row.longAt(column));
            case DOUBLE -> KeyCodec.putDouble(out, row.doubleAt(column));
            case DECIMAL -> KeyCodec.putDecimal(out, row.decimalAt(column));
            case FOLDED -> KeyCodec.putText(out, FoldedText.of(row.textAt(column)));
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
