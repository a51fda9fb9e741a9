package dev.oriel.sql.run;

import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.table.Row;
import dev.oriel.table.Type;
import org.jspecify.annotations.Nullable;

/// Counts the one value that a state of an aggregate keeps, where it is a text or an array of bytes.
final class ValueBytes {
    private final Type.Shape shape;
    private final QueryMemory.Share share;
    private long held;

    private ValueBytes(Type.Shape shape, QueryMemory.Share share) {
        this.shape = shape;
        this.share = share;
    }

    /// What counts a value of `shape`; null where there is nothing to count.
    static @Nullable ValueBytes of(Type.Shape shape, QueryMemory.Share share) {
        return counts(shape) ? new ValueBytes(shape, share) : null;
    }

    /// Whether values of `shape` are counted.
    static boolean counts(Type.Shape shape) {
        return shape == Type.Shape.TEXT || shape == Type.Shape.BYTES;
    }

    /// The value is that of column 0 of `row` now.
    void count(Row row) {
        long before = held;
        held = RowCodec.valueBytes(row, 0, shape);
        share.take(before);
        share.add(held, 0);
    }

    /// There is no value any more.
    void close() {
        share.take(held);
        held = 0;
    }
}
