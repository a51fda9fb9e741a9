package dev.oriel.table.key;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// Arrays as bytes: their elements in sequence, encoded as in keys ([KeyCodec]). So the unsigned order of the
/// bytes is the order of arrays: element by element, NULL last, a prefix before longer arrays. Elements are of one
/// type, which is no array, and are counted from 1.
public final class ArrayValue {
    /// Buffer of the thread, weakly, so that a long-lived thread keeps no class loader of a redeployed
    /// application.
    private static final ThreadLocal<@Nullable WeakReference<NativeBuffer>> BUFFER =
            new ThreadLocal<>();

    /// Upper bound of the zeros at the end of a number.
    private static final int ZEROS_MAX = 1_000_000;

    private ArrayValue() {}

    /// The array of the first `count` values of `elements`, which are of type `element`.
    public static byte[] of(Type element, Row elements, int count) {
        NativeBuffer buffer = buffer();
        buffer.clear();
        for (int i = 0; i < count; i++) {
            if (elements.isNull(i)) {
                KeyCodec.putNull(buffer);
            } else {
                KeyCodec.putExact(buffer, elements, i, element);
            }
        }
        return buffer.slice(new Slice()).toBytes();
    }

    static NativeBuffer buffer() {
        WeakReference<NativeBuffer> kept = BUFFER.get();
        NativeBuffer buffer = kept == null ? null : kept.get();
        if (buffer == null) {
            buffer = new NativeBuffer(256);
            BUFFER.set(new WeakReference<>(buffer));
        }
        return buffer;
    }

    /// Number of elements of `array`, which are of type `element`.
    public static int count(Type element, byte[] array) {
        KeyReader reader = new KeyReader().over(array, 0, array.length);
        int count = 0;
        while (reader.more()) {
            reader.skip(element);
            count++;
        }
        return count;
    }

    /// The elements of `array`, which are of type `element`.
    public static Tuple elements(Type element, byte[] array) {
        Tuple elements = new Tuple(count(element, array));
        KeyReader reader = new KeyReader().over(array, 0, array.length);
        for (int i = 0; i < elements.columns(); i++) {
            read(reader, element, elements, i);
        }
        return elements;
    }

    /// Reads the next value, which is of `type`, into `column` of `out`.
    static void read(KeyReader reader, Type type, Tuple out, int column) {
        reader.read(type, out, column);
        BigDecimal decimal =
                type.shape() == Type.Shape.DECIMAL && !out.isNull(column)
                        ? out.decimalAt(column)
                        : null;
        if (decimal != null) {
            out.setDecimal(column, scaled(decimal, type));
        }
    }

    /// Keys keep no zeros at the end of a fraction; a type with a scale tells their number.
    private static BigDecimal scaled(BigDecimal value, Type type) {
        if (NonFinite.is(value)) {
            return value;
        }
        if (value.scale() < -ZEROS_MAX) {
            throw new CorruptionException(
                    "A number in an array exceeds the maximum size; run check",
                    "scale=" + value.scale());
        }
        if (type.length() > 0) {
            return value.setScale(type.scale(), RoundingMode.HALF_UP);
        }
        return value.scale() < 0 ? value.setScale(0) : value;
    }
}
