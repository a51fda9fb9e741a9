package dev.oriel.table.value;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Typed values by position, read in place: a row of a table, the output of an operator, the parameters of a
/// statement. Positions count from 0.
///
/// Each value has the `Type.Shape` of its column's type; only the reader of that shape may be called for it. The
/// readers of primitives return 0 for NULL, so callers ask `isNull` first; the others return null. A row is a
/// view: the memory under it may move (see `RowCursor`).
public interface Row {
    boolean isNull(int column);

    long longAt(int column);

    double doubleAt(int column);

    @Nullable BigDecimal decimalAt(int column);

    @Nullable String textAt(int column);

    byte @Nullable [] bytesAt(int column);

    /// Result of [#digitsAt] if a long does not hold the digits, or the scale is another.
    long NO_DIGITS = Long.MIN_VALUE;

    /// The digits of a DECIMAL that is not NULL, as a number without its point: 150 for 1.50 at a scale of 2.
    /// [#NO_DIGITS] if the value has another scale or too many digits; then [#decimalAt] reads it.
    default long digitsAt(int column, int scale) {
        BigDecimal value = decimalAt(column);
        return value == null ? NO_DIGITS : DecimalDigits.of(value, scale);
    }

    /// Copies the DECIMAL at `column` to a tuple, in the form that it has.
    default void copyDecimal(int column, Tuple out, int to) {
        out.setDecimal(to, decimalAt(column));
    }

    /// The text at `column`, to be compared with others. A recent text may be the same object, so that it is
    /// neither decoded nor hashed again.
    default @Nullable String symbolAt(int column) {
        return textAt(column);
    }
}
