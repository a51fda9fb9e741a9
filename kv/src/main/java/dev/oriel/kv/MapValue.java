package dev.oriel.kv;

import dev.oriel.store.UsageException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.function.Function;

/// The type of a map's values: the type of the column `v`, and how a value is written and read. A value is not null.
///
/// ```java
/// MapValue<Object> documents = MapValue.of(Codec.json());
/// ```
/// @param <V> the Java type
public final class MapValue<V> {
    private final Type type;
    private final Writer<V> writer;
    private final Reader<V> reader;

    private interface Writer<V> {
        void write(V value, Tuple out, int at);
    }

    private interface Reader<V> {
        V read(Row row, int at);
    }

    private MapValue(Type.Name type, Writer<V> writer, Reader<V> reader) {
        this(Type.of(type), writer, reader);
    }

    private MapValue(Type type, Writer<V> writer, Reader<V> reader) {
        this.type = type;
        this.writer = writer;
        this.reader = reader;
    }

    /// Bytes (BLOB).
    public static MapValue<byte[]> bytes() {
        return new MapValue<>(
                Type.Name.BLOB,
                (value, out, at) -> out.setBytes(at, value),
                (row, at) -> {
                    byte[] bytes = row.bytesAt(at);
                    return bytes == null ? new byte[0] : bytes;
                });
    }

    /// Text (CLOB).
    public static MapValue<String> text() {
        return new MapValue<>(
                Type.Name.CLOB,
                (value, out, at) -> out.setText(at, value),
                (row, at) -> {
                    String text = row.textAt(at);
                    return text == null ? "" : text;
                });
    }

    /// Whole numbers (BIGINT).
    public static MapValue<Long> longs() {
        return new MapValue<>(
                Type.Name.BIGINT,
                (value, out, at) -> out.setLong(at, value),
                (row, at) -> row.longAt(at));
    }

    /// Floating-point numbers (DOUBLE).
    public static MapValue<Double> doubles() {
        return new MapValue<>(
                Type.Name.DOUBLE,
                (value, out, at) -> out.setDouble(at, value),
                (row, at) -> row.doubleAt(at));
    }

    /// Values encoded by `codec` (BLOB).
    public static <T> MapValue<T> of(Codec<T> codec) {
        return bytes().as(codec::decode, codec::encode);
    }

    /// These values as another Java type.
    ///
    /// @param from makes a `T` of a stored value
    /// @param to makes the stored value of a `T`
    public <T> MapValue<T> as(Function<V, T> from, Function<T, V> to) {
        return new MapValue<>(
                type,
                (value, out, at) -> writer.write(to.apply(value), out, at),
                (row, at) -> from.apply(reader.read(row, at)));
    }

    /// Type of the column that holds a value.
    Type type() {
        return type;
    }

    /// Whether a value's bytes can be read in place in its row: BLOB and CLOB.
    boolean isBytes() {
        return type.shape() == Type.Shape.BYTES || type.shape().isText();
    }

    /// Puts `value` into column `at` of `out`.
    void write(V value, Tuple out, int at) {
        if (value == null) {
            throw new UsageException("A map has no null values; remove the key instead", "");
        }
        writer.write(value, out, at);
    }

    /// Reads the value in column `at` of `row`.
    V read(Row row, int at) {
        return reader.read(row, at);
    }
}
