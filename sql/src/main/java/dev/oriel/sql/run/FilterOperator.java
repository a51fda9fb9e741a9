package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScanTests;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

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

    /// An operator for the rows of `scan` for which `condition` is true; the table's cursor tests as much as it
    /// can. A measured run shows the row count of each operator, so there the cursor tests nothing.
    static Operator of(Plan.Scan scan, Scalar condition, Execution execution) {
        ScanTests tests = tests(scan, condition, 0, execution);
        Operator all =
                Operator.measured(
                        execution, scan, new ScanOperator(scan, execution, new Tuple(0), tests));
        Scalar others = tests == null ? condition : tests.others();
        return others == null ? all : new FilterOperator(all, others, execution);
    }

    /// The part of `condition` that the cursor of `scan` tests; null if there is none.
    ///
    /// @param first position of the table's first column in the row that the condition refers to
    static @Nullable ScanTests tests(
            Plan.Scan scan, Scalar condition, int first, Execution execution) {
        return scan.index() != null || execution.analysis() != null
                ? null
                : ScanTests.of(condition, first, scan.table().columns().size(), execution);
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
