package dev.oriel.table.value;

import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A row held in arrays: parameters, the values of an INSERT, the bounds of a range. Reusable. Every position
/// starts as NULL.
public final class Tuple implements Row {
    /// Marker in `references` of a primitive value that is set.
    private static final Object PRIMITIVE = new Object();

    /// Marker in `references` of a DECIMAL whose digits are in `primitives`.
    private record Places(int scale) {
        private static final Places[] ALL = new Places[DecimalDigits.DIGITS_MAX + 1];

        static {
            for (int i = 0; i < ALL.length; i++) {
                ALL[i] = new Places(i);
            }
        }
    }

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

    /// Sets a DECIMAL by its digits.
    ///
    /// @param scale 0 to 18
    public void setDigits(int column, long digits, int scale) {
        primitives[column] = digits;
        references[column] = Places.ALL[scale];
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
            case DECIMAL -> row.copyDecimal(from, this, column);
            case TEXT, FOLDED -> setText(column, row.textAt(from));
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
        Object held = references[column];
        return held instanceof Places places
                ? BigDecimal.valueOf(primitives[column], places.scale())
                : (BigDecimal) held;
    }

    @Override
    public long digitsAt(int column, int scale) {
        Object held = references[column];
        if (held instanceof Places places) {
            return places.scale() == scale ? primitives[column] : NO_DIGITS;
        }
        return held == null ? NO_DIGITS : DecimalDigits.of((BigDecimal) held, scale);
    }

    @Override
    public void copyDecimal(int column, Tuple out, int to) {
        out.primitives[to] = primitives[column];
        out.references[to] = references[column];
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
