package dev.oriel.sql.change;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.run.Operator;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;

/// The rows of a query that writes, all of them before the first is returned: SELECT ... FOR UPDATE, which locks
/// them, and a SELECT after changes in WITH.
public final class QueriedRows implements Change {
    private final Operator rows;
    private final RowSink sink;

    /// @param sink takes the rows
    QueriedRows(Plan plan, Execution execution, RowSink sink) {
        this.rows = Operator.ofWhole(plan, execution);
        this.sink = sink;
    }

    /// A sink for the returned columns.
    public static RowSink sink(
            Plan plan, List<Prepared.OutputColumn> columns, Execution execution) {
        List<Type> types = plan.types();
        List<Scalar> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            values.add(new Scalar.ColumnRef(i, types.get(i), true, columns.get(i).name()));
        }
        return new RowSink(values, execution);
    }

    @Override
    public long run() {
        long found = 0;
        rows.open();
        try {
            while (rows.next()) {
                sink.add(rows.row());
                found++;
            }
        } finally {
            rows.close();
        }
        return found;
    }
}
