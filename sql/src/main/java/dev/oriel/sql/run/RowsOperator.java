package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;

/// VALUES: rows evaluated one by one.
final class RowsOperator implements Operator {
    private final Scalar[][] rows;
    private final Execution execution;
    private final Tuple row;
    private final Frame frame;
    private int next;

    RowsOperator(Plan.Rows plan, Execution execution) {
        this.rows =
                plan.rows().stream()
                        .map(values -> values.toArray(Scalar[]::new))
                        .toArray(Scalar[][]::new);
        this.execution = execution;
        this.row = new Tuple(plan.types().size());
        this.frame = new Frame(execution, new Tuple(0));
    }

    @Override
    public void open() {
        next = 0;
    }

    @Override
    public boolean next() {
        execution.poll();
        if (next == rows.length) {
            return false;
        }
        Scalar[] values = rows[next++];
        for (int i = 0; i < values.length; i++) {
            values[i].store(row, i, frame);
        }
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        next = rows.length;
    }
}
