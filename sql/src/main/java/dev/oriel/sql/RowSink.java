package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps what a change returns, row by row, until it is read.
final class RowSink {
    private final Scalar[] values;
    private final CurrentRow row = new CurrentRow();
    private final Frame frame;
    private List<Tuple> rows = new ArrayList<>();

    RowSink(List<Scalar> values, Execution execution) {
        this.values = values.toArray(Scalar[]::new);
        this.frame = new Frame(execution, row);
    }

    /// A sink for what `command` returns, or null where it returns nothing.
    static @Nullable RowSink of(Command.RowChange command, Execution execution) {
        Command.Returning returning = command.returning();
        return returning == null ? null : new RowSink(returning.values(), execution);
    }

    /// Evaluates what is returned over `changed`, now.
    void add(Row changed) {
        row.set(changed);
        Tuple returned = new Tuple(values.length);
        for (int i = 0; i < values.length; i++) {
            values[i].store(returned, i, frame);
        }
        rows.add(returned);
    }

    /// What was returned since the last call.
    List<Tuple> take() {
        List<Tuple> taken = rows;
        rows = new ArrayList<>();
        return taken;
    }
}
