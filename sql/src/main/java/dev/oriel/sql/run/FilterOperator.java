package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.Row;

/// Passes on the rows for which a condition is true.
public final class FilterOperator implements Operator {
    private final Operator input;
    private final Scalar condition;
    private final Frame frame;

    public FilterOperator(Operator input, Scalar condition, Execution execution) {
        this.input = input;
        this.condition = condition;
        this.frame = new Frame(execution, input.row());
    }

    @Override
    public void open() {
        input.open();
    }

    @Override
    public boolean next() {
        while (input.next()) {
            if (condition.evalTruth(frame) == 1) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Row row() {
        return input.row();
    }

    @Override
    public void close() {
        input.close();
    }
}
