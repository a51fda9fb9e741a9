package dev.oriel.sql.rows;

import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A view of a row of which only some columns were kept: shows each at its position in the whole row.
public final class PickedRow implements Row {
    private final int[] positions;
    private Tuple values = new Tuple(0);

    /// A view of `width` columns.
    public PickedRow(int width) {
        this(new int[width]);
    }

    /// A view whose column `i` is kept at `positions[i]`.
    public PickedRow(int[] positions) {
        this.positions = positions;
    }

    /// Column `column` is kept at `position`.
    public void pick(int column, int position) {
        positions[column] = position;
    }

    public void set(Tuple kept) {
        values = kept;
    }

    @Override
    public boolean isNull(int column) {
        return values.isNull(positions[column]);
    }

    @Override
    public long longAt(int column) {
        return values.longAt(positions[column]);
    }

    @Override
    public double doubleAt(int column) {
        return values.doubleAt(positions[column]);
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        return values.decimalAt(positions[column]);
    }

    @Override
    public long digitsAt(int column, int scale) {
        return values.digitsAt(positions[column], scale);
    }

    @Override
    public void copyDecimal(int column, Tuple out, int to) {
        values.copyDecimal(positions[column], out, to);
    }

    @Override
    public @Nullable String symbolAt(int column) {
        return values.symbolAt(positions[column]);
    }

    @Override
    public @Nullable String textAt(int column) {
        return values.textAt(positions[column]);
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        return values.bytesAt(positions[column]);
    }
}
