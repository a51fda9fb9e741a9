package dev.oriel.sql.rows;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Copies of rows, to be read again.
public final class KeptRows {
    private @Nullable RowSpool rows;

    /// Whether the rows stay when they are cleared here.
    private boolean lent;

    /// The run in which they were collected, and the change count of their dependencies at that time.
    private long run = -1;

    private long changes;

    /// Whether they were collected in the run `current` with the same change count.
    public boolean isOf(long current, long changed) {
        return run == current && changes == changed;
    }

    /// Marks the collection as complete.
    public void complete(long current, long changed) {
        run = current;
        changes = changed;
    }

    /// The rows; null if there are none.
    public @Nullable RowSpool rows() {
        return rows;
    }

    /// Replaces the rows by `others`.
    public void replace(RowSpool others) {
        clear();
        rows = others;
    }

    /// Replaces the rows by `others`, a spool with several readers.
    public void lend(RowSpool others) {
        replace(others);
        lent = true;
    }

    public static Tuple copy(Row row, Type.Shape[] shapes) {
        Tuple copy = new Tuple(shapes.length);
        for (int i = 0; i < shapes.length; i++) {
            copy.copy(i, row, i, shapes[i]);
        }
        return copy;
    }

    public void clear() {
        if (rows != null) {
            if (!lent) {
                rows.clear();
            }
            rows = null;
            lent = false;
        }
        run = -1;
    }
}
