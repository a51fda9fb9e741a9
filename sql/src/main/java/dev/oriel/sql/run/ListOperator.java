package dev.oriel.sql.run;

import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Rows known from the start.
public final class ListOperator implements Operator {
    private final List<Tuple> rows;
    private final CurrentRow row = new CurrentRow();
    private int next;

    public ListOperator(List<Tuple> rows) {
        this.rows = rows;
    }

    /// One row without columns.
    static ListOperator oneRow() {
        return new ListOperator(List.of(new Tuple(0)));
    }

    /// A row with one text for each of `lines`.
    public static ListOperator ofLines(List<String> lines) {
        List<Tuple> rows = new ArrayList<>();
        for (String line : lines) {
            Tuple row = new Tuple(1);
            row.setText(0, line);
            rows.add(row);
        }
        return new ListOperator(rows);
    }

    @Override
    public void open() {
        next = 0;
    }

    @Override
    public boolean next() {
        if (next == rows.size()) {
            return false;
        }
        row.set(rows.get(next++));
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        next = rows.size();
    }
}
