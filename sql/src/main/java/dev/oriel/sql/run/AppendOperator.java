package dev.oriel.sql.run;

import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.table.value.Row;

/// UNION ALL: the rows of one input, then of the next.
final class AppendOperator implements Operator {
    private final Operator[] inputs;
    private final CurrentRow row = new CurrentRow();
    private int at;

    AppendOperator(Operator[] inputs) {
        this.inputs = inputs;
    }

    @Override
    public void open() {
        begin(0);
    }

    private void begin(int input) {
        at = input;
        row.set(inputs[input].row());
        inputs[input].open();
    }

    @Override
    public boolean next() {
        while (!inputs[at].next()) {
            if (at == inputs.length - 1) {
                return false;
            }
            begin(at + 1);
        }
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        for (Operator input : inputs) {
            input.close();
        }
    }
}
