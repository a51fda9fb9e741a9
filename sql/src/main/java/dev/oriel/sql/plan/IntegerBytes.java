package dev.oriel.sql.plan;

import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Integers;
import dev.oriel.table.definition.Type;

/// Integers as bytes, the highest first, as PostgreSQL casts them.
public final class IntegerBytes {
    private IntegerBytes() {}

    /// The bytes of `value`, as many as its type has.
    public static byte[] of(long value, Type type) {
        byte[] bytes = new byte[length(type)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[bytes.length - 1 - i] = (byte) (value >> (Byte.SIZE * i));
        }
        return bytes;
    }

    /// The integer of `bytes`. Fewer than the type has are those of a positive number.
    public static Long read(byte[] bytes, Type type, Place place) {
        int length = length(type);
        if (bytes.length > length) {
            throw Integers.outOfRange(type, place);
        }
        long value = 0;
        for (byte one : bytes) {
            value = value << Byte.SIZE | (one & 0xFF);
        }
        int above = Long.SIZE - Byte.SIZE * length;
        return value << above >> above;
    }

    private static int length(Type type) {
        return switch (type.name()) {
            case TINYINT -> Byte.BYTES;
            case SMALLINT -> Short.BYTES;
            case INTEGER -> Integer.BYTES;
            default -> Long.BYTES;
        };
    }
}
