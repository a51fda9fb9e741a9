package dev.oriel.sql.rows;

import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A movable view of one of many kept rows.
public final class CurrentRow implements Row {
    private Row row = new Tuple(0);

    public void set(Row row) {
        this.row = row;
    }

    @Override
    public boolean isNull(int column) {
        return row.isNull(column);
    }

    @Override
    public long longAt(int column) {
        return row.longAt(column);
    }

    @Override
    public double doubleAt(int column) {
        return row.doubleAt(column);
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        return row.decimalAt(column);
    }

    @Override
    public long digitsAt(int column, int scale) {
        return row.digitsAt(column, scale);
    }

    @Override
    public void copyDecimal(int column, Tuple out, int to) {
        row.copyDecimal(column, out, to);
    }

    @Override
    public @Nullable String symbolAt(int column) {
        return row.symbolAt(column);
    }

    @Override
    public @Nullable String textAt(int column) {
        return row.textAt(column);
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        return row.bytesAt(column);
    }
}
