package dev.oriel.sql.change;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.run.LimitOperator;
import dev.oriel.sql.run.LockOperator;
import dev.oriel.sql.run.Operator;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;

/// A running SELECT ... FOR UPDATE: locks each row as it is found.
public final class LockedRows implements Change {
    private final Operator rows;
    private final RowSink sink;

    /// @param sink takes the rows
    LockedRows(Command.LockingQuery query, Execution execution, RowSink sink) {
        Operator locked = new LockOperator(query, Operator.of(query.plan(), execution), execution);
        this.rows =
                query.limit() == null && query.offset() == null
                        ? locked
                        : new LimitOperator(
                                locked,
                                new Plan.Limit(
                                        query.plan(), query.limit(), query.offset(), List.of()),
                                execution);
        this.sink = sink;
    }

    /// A sink for the columns that are returned.
    public static RowSink sink(Command.LockingQuery query, Execution execution) {
        List<Type> types = query.plan().types();
        List<Scalar> columns = new ArrayList<>();
        for (int i = 0; i < query.visible(); i++) {
            columns.add(new Scalar.ColumnRef(i, types.get(i), true, query.columns().get(i).name()));
        }
        return new RowSink(columns, execution);
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
