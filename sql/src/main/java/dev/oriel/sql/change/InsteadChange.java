package dev.oriel.sql.change;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Triggering;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.run.Operator;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// A running change of a view by its triggers. All rows are found before the first trigger fires.
final class InsteadChange implements Change {
    private final Command.Instead command;
    private final Execution execution;
    private final Operator source;
    private final @Nullable RowSink sink;
    private final Type.Shape[] found;
    private final Type.Shape[] shapes;

    InsteadChange(Command.Instead command, Execution execution, @Nullable RowSink sink) {
        this.command = command;
        this.execution = execution;
        this.source = Operator.ofWhole(command.rows(), execution);
        this.sink = sink;
        this.found = command.rows().types().stream().map(Type::shape).toArray(Type.Shape[]::new);
        this.shapes =
                command.table().columns().stream()
                        .map(column -> column.type().shape())
                        .toArray(Type.Shape[]::new);
    }

    @Override
    public long run() {
        Triggering.OfTable triggers = execution.triggers(command.table());
        if (triggers == null) {
            throw new IllegalStateException("a view has lost its triggers");
        }
        RowSpool rows = new RowSpool(execution.cancellation(), execution.memory().share(), found);
        source.open();
        try {
            while (source.next()) {
                rows.add(source.row());
            }
        } finally {
            source.close();
        }
        long changed = 0;
        RowSpool.Reader reader = rows.reader();
        for (Tuple row = reader.next(); row != null; row = reader.next()) {
            execution.poll();
            boolean both = command.event() == Event.UPDATE;
            Tuple old = command.event() == Event.INSERT ? null : part(row, 0);
            Tuple now =
                    command.event() == Event.DELETE ? null : part(row, both ? shapes.length : 0);
            triggers.instead(command.event(), old, now);
            if (sink != null) {
                Tuple seen = now == null ? old : now;
                if (seen != null) {
                    sink.add(seen, old, now);
                }
            }
            changed++;
        }
        reader.close();
        rows.clear();
        return changed;
    }

    private Tuple part(Tuple row, int from) {
        Tuple part = new Tuple(shapes.length);
        for (int i = 0; i < shapes.length; i++) {
            part.copy(i, row, from + i, shapes[i]);
        }
        return part;
    }
}
