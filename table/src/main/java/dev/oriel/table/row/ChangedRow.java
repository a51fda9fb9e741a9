package dev.oriel.table.row;

import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A stored row with other values for some of its columns, for an UPDATE. The other columns are copied in place,
/// byte by byte: they are neither decoded nor tested again.
///
/// Valid as long as the stored row is. Not safe for use by two threads at once.
public final class ChangedRow implements Row {
    private final StoredRow old;
    private final Tuple values;
    private final boolean[] changed;

    /// @param old the current row
    /// @param values the new row, of which only `columns` are read
    /// @param columns positions of the changed columns
    public ChangedRow(RowBytes old, Tuple values, int[] columns) {
        this.old = (StoredRow) old;
        this.values = values;
        this.changed = new boolean[values.columns()];
        for (int column : columns) {
            changed[column] = true;
        }
    }

    /// Whether `column` is unchanged.
    boolean keeps(int column) {
        return !changed[column];
    }

    /// Whether all of `columns` are unchanged.
    public boolean keepsAll(int[] columns) {
        for (int column : columns) {
            if (changed[column]) {
                return false;
            }
        }
        return true;
    }

    StoredRow old() {
        return old;
    }

    private Row of(int column) {
        return changed[column] ? values : old;
    }

    @Override
    public boolean isNull(int column) {
        return of(column).isNull(column);
    }

    @Override
    public long longAt(int column) {
        return of(column).longAt(column);
    }

    @Override
    public double doubleAt(int column) {
        return of(column).doubleAt(column);
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        return of(column).decimalAt(column);
    }

    @Override
    public long digitsAt(int column, int scale) {
        return of(column).digitsAt(column, scale);
    }

    @Override
    public void copyDecimal(int column, Tuple out, int to) {
        of(column).copyDecimal(column, out, to);
    }

    @Override
    public @Nullable String textAt(int column) {
        return of(column).textAt(column);
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        return of(column).bytesAt(column);
    }
}
