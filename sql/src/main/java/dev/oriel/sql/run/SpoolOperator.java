package dev.oriel.sql.run;

import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Rows returned by a change; released when it is closed.
public final class SpoolOperator implements Operator {
    private final RowSpool rows;
    private final CurrentRow row = new CurrentRow();
    private RowSpool.@Nullable Reader reader;

    public SpoolOperator(RowSpool rows) {
        this.rows = rows;
    }

    @Override
    public void open() {
        if (reader != null) {
            reader.close();
        }
        reader = rows.reader();
    }

    @Override
    public boolean next() {
        Tuple next = reader == null ? null : reader.next();
        if (next == null) {
            return false;
        }
        row.set(next);
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
        rows.clear();
    }
}
