package dev.oriel.sql.run;

import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import org.jspecify.annotations.Nullable;

/// Counts the memory of the one value that an aggregate's state keeps, if it is a text or a byte array.
final class ValueBytes {
    private final Type.Shape shape;
    private final QueryMemory.Share share;
    private long held;

    private ValueBytes(Type.Shape shape, QueryMemory.Share share) {
        this.shape = shape;
        this.share = share;
    }

    /// A counter for values of `shape`; null if they are not counted.
    static @Nullable ValueBytes of(Type.Shape shape, QueryMemory.Share share) {
        return counts(shape) ? new ValueBytes(shape, share) : null;
    }

    /// Whether values of `shape` are counted.
    static boolean counts(Type.Shape shape) {
        return shape.isText() || shape == Type.Shape.BYTES;
    }

    /// Counts column 0 of `row` as the current value.
    void count(Row row) {
        long before = held;
        held = RowCodec.valueBytes(row, 0, shape);
        share.take(before);
        share.add(held, 0);
    }

    /// Releases the value's memory.
    void close() {
        share.take(held);
        held = 0;
    }
}
