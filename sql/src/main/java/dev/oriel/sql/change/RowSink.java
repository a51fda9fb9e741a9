package dev.oriel.sql.change;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
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

    /// Shapes of the row's columns, then of two versions of the table's row; null if the values read no versions.
    private final Type.Shape @Nullable [] versions;

    private final int width;

    RowSink(List<Scalar> values, Execution execution) {
        this(values, null, 0, execution);
    }

    private RowSink(
            List<Scalar> values, Type.Shape @Nullable [] versions, int width, Execution execution) {
        this.versions = versions;
        this.width = width;
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
        if (returning == null) {
            return null;
        }
        int width = returning.versions();
        return width < 0
                ? new RowSink(returning.values(), execution)
                : new RowSink(returning.values(), shapes(command, width), width, execution);
    }

    /// A sink for the rows that `command` returns; null if it returns none.
    public static @Nullable RowSink ofCommand(Command command, Execution execution) {
        return switch (command) {
            case Command.RowChange rows -> of(rows, execution);
            case Command.LockingQuery query ->
                    QueriedRows.sink(query.plan(), query.columns(), execution);
            case Command.Chain chain -> ChainedChanges.sink(chain, execution);
            case Command.Block block -> {
                List<Scalar> values = new ArrayList<>();
                for (int i = 0; i < block.columns().size(); i++) {
                    Prepared.OutputColumn column = block.columns().get(i);
                    values.add(new Scalar.ColumnRef(i, column.type(), true, column.name()));
                }
                yield values.isEmpty() ? null : new RowSink(values, execution);
            }
            default -> null;
        };
    }

    private static Type.Shape[] shapes(Command.RowChange command, int width) {
        List<Type> types = new ArrayList<>();
        if (command instanceof Command.Joined joined) {
            types.addAll(joined.source().types().subList(0, width));
        } else {
            command.table().columns().forEach(column -> types.add(column.type()));
        }
        for (int version = 0; version < 2; version++) {
            command.table().columns().forEach(column -> types.add(column.type()));
        }
        return types.stream().map(Type::shape).toArray(Type.Shape[]::new);
    }

    /// Whether rows must be added with their versions.
    boolean readsVersions() {
        return versions != null;
    }

    /// Like [#add(Row)].
    ///
    /// @param before the table's row before the change; null if there was none
    /// @param after the table's row after it; null if it is deleted
    void add(Row changed, @Nullable Row before, @Nullable Row after) {
        Type.Shape[] shapes = versions;
        if (shapes == null) {
            add(changed);
            return;
        }
        Tuple all = new Tuple(shapes.length);
        int own = (shapes.length - width) / 2;
        for (int i = 0; i < shapes.length; i++) {
            Row from = i < width ? changed : i < width + own ? before : after;
            int column = i < width ? i : (i - width) % own;
            if (from == null) {
                all.setNull(i);
            } else {
                all.copy(i, from, column, shapes[i]);
            }
        }
        add(all);
    }

    private RowSpool fresh() {
        return new RowSpool(execution.cancellation(), memory.share(), shapes);
    }

    /// Evaluates the RETURNING list for `changed`, now.
    void add(Row changed) {
        Unsettled unsettled = execution.transaction().unsettled();
        for (int i = 0; unsettled.hidesRows() && i < values.length; i++) {
            HiddenRows.check(values[i], unsettled);
        }
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
