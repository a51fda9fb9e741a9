package dev.oriel.table.key;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;

/// Values of composite types as bytes: their attributes in sequence, encoded as the elements of an [ArrayValue]. So the
/// unsigned order of the bytes is the order of values: attribute by attribute, NULL last.
public final class CompositeValue {
    private CompositeValue() {}

    /// The value of `type` with the attributes that `row` begins with.
    public static byte[] of(CompositeType type, Row row) {
        NativeBuffer buffer = ArrayValue.buffer();
        buffer.clear();
        for (int i = 0; i < type.size(); i++) {
            if (row.isNull(i)) {
                KeyCodec.putNull(buffer);
            } else {
                KeyCodec.putExact(buffer, row, i, type.type(i));
            }
        }
        return buffer.slice(new Slice()).toBytes();
    }

    /// The attributes of `value`, which is of `type`.
    public static Tuple attributes(CompositeType type, byte[] value) {
        return attributes(type, value, type.size());
    }

    /// The first `count` attributes of `value`, which is of `type`.
    public static Tuple attributes(CompositeType type, byte[] value, int count) {
        Tuple attributes = new Tuple(count);
        KeyReader reader = new KeyReader().over(value, 0, value.length);
        for (int i = 0; i < count; i++) {
            ArrayValue.read(reader, type.type(i), attributes, i);
        }
        return attributes;
    }
}
