package dev.oriel.sql.change;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.run.Operator;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;

/// A running SELECT ... FOR UPDATE, which locks all its rows before it returns the first.
public final class LockedRows implements Change {
    private final Operator rows;
    private final RowSink sink;

    /// @param sink takes the rows
    LockedRows(Command.LockingQuery query, Execution execution, RowSink sink) {
        this.rows = Operator.ofWhole(query.plan(), execution);
        this.sink = sink;
    }

    /// A sink for the returned columns.
    public static RowSink sink(Command.LockingQuery query, Execution execution) {
        List<Type> types = query.plan().types();
        List<Scalar> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
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
