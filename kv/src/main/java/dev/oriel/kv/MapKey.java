package dev.oriel.kv;

import dev.oriel.store.UsageException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// The type of a map's keys: the columns of a key, and how it is written to them and read back. Keys have the
/// order of the columns. Numbers are ordered by value, text by code point, bytes as unsigned numbers (a prefix
/// first), UUIDs as bytes, tuples column by column.
///
/// A stored key has at most 1,000 bytes; bytes and text need one byte more for each byte below 2.
///
/// ```java
/// MapKey<Pair<String, Long>> byCityAndTime = MapKey.text().then(MapKey.longs());
/// MapKey<Instant> moments = MapKey.longs().as(Instant::ofEpochMilli, Instant::toEpochMilli);
/// ```
/// @param <K> the Java type
public final class MapKey<K> {
    private static final int UUID_BYTES = 16;

    private final List<Type> types;
    private final Writer<K> writer;
    private final Reader<K> reader;

    /// Writes a key to the columns from `at` on.
    private interface Writer<K> {
        void write(K key, Tuple out, int at);
    }

    /// Reads a key from the columns from `at` on.
    private interface Reader<K> {
        K read(Row row, int at);
    }

    /// A key of two parts, compared by the first part and then by the second.
    ///
    /// @param <A> type of the first part
    /// @param <B> type of the second part
    public record Pair<A, B>(A first, B second) {}

    private MapKey(List<Type> types, Writer<K> writer, Reader<K> reader) {
        this.types = types;
        this.writer = writer;
        this.reader = reader;
    }

    private static <K> MapKey<K> of(Type.Name type, Writer<K> writer, Reader<K> reader) {
        return new MapKey<>(List.of(Type.of(type)), writer, reader);
    }

    /// Bytes, in the order of unsigned bytes (VARBINARY).
    public static MapKey<byte[]> bytes() {
        return of(
                Type.Name.VARBINARY,
                (key, out, at) -> out.setBytes(at, key),
                (row, at) -> bytesAt(row, at));
    }

    /// Text, in the order of code points (VARCHAR).
    public static MapKey<String> text() {
        return of(
                Type.Name.VARCHAR,
                (key, out, at) -> out.setText(at, key),
                (row, at) -> {
                    String text = row.textAt(at);
                    return text == null ? "" : text;
                });
    }

    /// Whole numbers (BIGINT).
    public static MapKey<Long> longs() {
        return of(
                Type.Name.BIGINT,
                (key, out, at) -> out.setLong(at, key),
                (row, at) -> row.longAt(at));
    }

    /// Floating-point numbers (DOUBLE); NaN is greater than all others, and -0.0 equals 0.0.
    public static MapKey<Double> doubles() {
        return of(
                Type.Name.DOUBLE,
                (key, out, at) -> out.setDouble(at, key),
                (row, at) -> row.doubleAt(at));
    }

    /// UUIDs (UUID), in the order of their 16 bytes. [UUID#compareTo] orders them differently.
    public static MapKey<UUID> uuids() {
        return of(
                Type.Name.UUID,
                (key, out, at) ->
                        out.setBytes(
                                at,
                                ByteBuffer.allocate(UUID_BYTES)
                                        .putLong(key.getMostSignificantBits())
                                        .putLong(key.getLeastSignificantBits())
                                        .array()),
                (row, at) -> {
                    ByteBuffer bytes = ByteBuffer.wrap(bytesAt(row, at));
                    return new UUID(bytes.getLong(), bytes.getLong());
                });
    }

    /// This key followed by another one, in columns of its own.
    public <L> MapKey<Pair<K, L>> then(MapKey<L> next) {
        List<Type> both = new ArrayList<>(types);
        both.addAll(next.types);
        int own = types.size();
        return new MapKey<>(
                List.copyOf(both),
                (key, out, at) -> {
                    writer.write(key.first(), out, at);
                    next.writer.write(key.second(), out, at + own);
                },
                (row, at) -> new Pair<>(reader.read(row, at), next.reader.read(row, at + own)));
    }

    /// These keys as another Java type.
    ///
    /// @param from makes a `T` of a stored key
    /// @param to makes the stored key of a `T`
    public <T> MapKey<T> as(Function<K, T> from, Function<T, K> to) {
        return new MapKey<>(
                types,
                (key, out, at) -> writer.write(to.apply(key), out, at),
                (row, at) -> from.apply(reader.read(row, at)));
    }

    /// Types of the columns that hold a key.
    List<Type> types() {
        return types;
    }

    /// Writes `key` to the first columns of `out`.
    void write(K key, Tuple out) {
        if (key == null) {
            throw new UsageException("A map has no null keys; pass a key", "");
        }
        writer.write(key, out, 0);
    }

    /// Reads the key in the first columns of `row`.
    K read(Row row) {
        return reader.read(row, 0);
    }

    private static byte[] bytesAt(Row row, int at) {
        byte[] bytes = row.bytesAt(at);
        return bytes == null ? new byte[0] : bytes;
    }
}
