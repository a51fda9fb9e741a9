package dev.oriel.table;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Typed values by position, read where they lie: a row of a table, the output of an operator, the
/// parameters of a statement. Positions count from 0.
///
/// Each value has the [Type.Shape] of its column's type, and only the reader of that shape may be
/// asked for it. The readers of primitives return 0 for NULL, so callers ask `isNull` first; the
/// others return null. A row is a view: what it stands on may move under it (see [RowCursor]).
public interface Row {
    boolean isNull(int column);

    long longAt(int column);

    double doubleAt(int column);

    @Nullable BigDecimal decimalAt(int column);

    @Nullable String textAt(int column);

    byte @Nullable [] bytesAt(int column);

    /// What [#digitsAt] returns where a long does not hold the digits, or the scale is another.
    long NO_DIGITS = Long.MIN_VALUE;

    /// The digits of a DECIMAL that is not NULL, as a number without its point: 150 for 1.50 at a scale
    /// of 2. [#NO_DIGITS] where the value has another scale or too many of them; then it is to be read
    /// by [#decimalAt].
    default long digitsAt(int column, int scale) {
        BigDecimal value = decimalAt(column);
        return value == null ? NO_DIGITS : DecimalDigits.of(value, scale);
    }

    /// Copies the DECIMAL at `column` to a tuple, in whichever form it is there.
    default void copyDecimal(int column, Tuple out, int to) {
        out.setDecimal(to, decimalAt(column));
    }

    /// The text at `column` to be compared with others: one that was there not long ago may be the same
    /// object, so that it is neither decoded nor hashed again.
    default @Nullable String symbolAt(int column) {
        return textAt(column);
    }
}
