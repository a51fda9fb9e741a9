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
}
