package dev.oriel.sql.change;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Buffers the rows of RETURNING until they are read. They are read after the change has run, so the sink has a
/// budget of its own, as large as the statement's.
public final class RowSink {
    private final Scalar[] values;
    private final CurrentRow row = new CurrentRow();
    private final Execution execution;
    private final Frame frame;
    private final QueryMemory memory;
    private final Type.Shape[] shapes;
    private RowSpool rows;

    RowSink(List<Scalar> values, Execution execution) {
        this.values = values.toArray(Scalar[]::new);
        this.execution = execution;
        this.frame = new Frame(execution, row);
        this.memory = execution.memoryOfResult();
        this.shapes = values.stream().map(value -> value.type().shape()).toArray(Type.Shape[]::new);
        this.rows = fresh();
    }

    /// A sink for the RETURNING clause of `command`, or null if it has none.
    public static @Nullable RowSink of(Command.RowChange command, Execution execution) {
        Command.Returning returning = command.returning();
        return returning == null ? null : new RowSink(returning.values(), execution);
    }

    private RowSpool fresh() {
        return new RowSpool(execution.cancellation(), memory.share(), shapes);
    }

    /// Evaluates the RETURNING list for `changed`, now.
    void add(Row changed) {
        row.set(changed);
        Tuple returned = new Tuple(values.length);
        for (int i = 0; i < values.length; i++) {
            values[i].store(returned, i, frame);
        }
        rows.take(returned);
    }

    /// The rows since the last call; the caller must clear them.
    public RowSpool take() {
        RowSpool taken = rows;
        rows = fresh();
        return taken;
    }

    /// Discards all rows, both taken and not taken.
    public void begin() {
        rows.clear();
        memory.end();
        memory.begin();
    }
}
