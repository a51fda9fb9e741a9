package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;

/// Copies of rows, to be read again.
final class KeptRows {
    private List<Tuple> rows = new ArrayList<>();

    /// The run that they were collected in.
    private long run = -1;

    /// Whether they were collected in `current`.
    boolean isOf(long current) {
        return run == current;
    }

    /// Says that they have all been collected, in `current`.
    void complete(long current) {
        run = current;
    }

    List<Tuple> rows() {
        return rows;
    }

    /// Takes `others` instead.
    void replace(List<Tuple> others) {
        rows = others;
    }

    void add(Row row, Type.Shape[] shapes) {
        rows.add(copy(row, shapes));
    }

    static Tuple copy(Row row, Type.Shape[] shapes) {
        Tuple copy = new Tuple(shapes.length);
        for (int i = 0; i < shapes.length; i++) {
            copy.copy(i, row, i, shapes[i]);
        }
        return copy;
    }

    void clear() {
        rows = new ArrayList<>();
        run = -1;
    }
}
