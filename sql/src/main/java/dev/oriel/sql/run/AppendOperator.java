package dev.oriel.sql.run;

import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.table.Row;

/// The rows of one input, then those of another.
final class AppendOperator implements Operator {
    private final Operator first;
    private final Operator second;
    private final CurrentRow row = new CurrentRow();
    private boolean inSecond;

    AppendOperator(Operator first, Operator second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public void open() {
        inSecond = false;
        row.set(first.row());
        first.open();
    }

    @Override
    public boolean next() {
        if (!inSecond) {
            if (first.next()) {
                return true;
            }
            inSecond = true;
            row.set(second.row());
            second.open();
        }
        return second.next();
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }
}
