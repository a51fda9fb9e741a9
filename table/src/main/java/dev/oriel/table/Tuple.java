package dev.oriel.table;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A row held in arrays, to be filled and filled again: parameters, the values of an INSERT, the
/// bounds of a range. Every position starts as NULL.
public final class Tuple implements Row {
    /// Stands in `references` for "a primitive is set".
    private static final Object PRIMITIVE = new Object();

    private final long[] primitives;
    private final @Nullable Object[] references;

    public Tuple(int columns) {
        this.primitives = new long[columns];
        this.references = new Object[columns];
    }

    public int columns() {
        return primitives.length;
    }

    public void setNull(int column) {
        references[column] = null;
        primitives[column] = 0;
    }

    public void setLong(int column, long value) {
        primitives[column] = value;
        references[column] = PRIMITIVE;
    }

    public void setDouble(int column, double value) {
        setLong(column, Double.doubleToRawLongBits(value));
    }

    public void setDecimal(int column, @Nullable BigDecimal value) {
        references[column] = value;
    }

    public void setText(int column, @Nullable String value) {
        references[column] = value;
    }

    public void setBytes(int column, byte @Nullable [] value) {
        references[column] = value;
    }

    /// Copies the value at `from` of `row`, which has the shape `shape`, to `column`.
    public void copy(int column, Row row, int from, Type.Shape shape) {
        if (row.isNull(from)) {
            setNull(column);
            return;
        }
        switch (shape) {
            case LONG -> setLong(column, row.longAt(from));
            case DOUBLE -> setDouble(column, row.doubleAt(from));
            case DECIMAL -> setDecimal(column, row.decimalAt(from));
            case TEXT -> setText(column, row.textAt(from));
            case BYTES -> setBytes(column, row.bytesAt(from));
        }
    }

    @Override
    public boolean isNull(int column) {
        return references[column] == null;
    }

    @Override
    public long longAt(int column) {
        return primitives[column];
    }

    @Override
    public double doubleAt(int column) {
        return isNull(column) ? 0 : Double.longBitsToDouble(primitives[column]);
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        return (BigDecimal) references[column];
    }

    @Override
    public @Nullable String textAt(int column) {
        return (String) references[column];
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        return (byte[]) references[column];
    }
}
