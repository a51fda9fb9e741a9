package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.store.Slice;
import dev.oriel.table.Row;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A running UPDATE ... FROM, DELETE ... USING or MERGE. All that is to be done is worked out before the
/// first row is changed, so the statement does not see its own changes.
final class JoinedChange implements Change {
    private final Command.Joined command;
    private final Table table;
    private final Execution execution;
    private final Operator source;
    private final Type.Shape[] shapes;
    private final int width;
    private final Frame frame;
    private final @Nullable RowSink sink;
    private final RowInsertion insertion;
    private final Row stored;

    JoinedChange(Command.Joined command, Execution execution, @Nullable RowSink sink) {
        this.command = command;
        this.table = command.table();
        this.execution = execution;
        this.source = Operator.of(command.source(), execution);
        this.shapes = command.source().types().stream().map(Type::shape).toArray(Type.Shape[]::new);
        this.width = table.columns().size();
        this.frame = new Frame(execution, source.row());
        this.sink = sink;
        this.insertion = new RowInsertion(table, null, execution, null);
        this.stored = execution.transaction().rowOf(table);
    }

    /// What is to be done for one row of the join.
    ///
    /// @param row the joined row; null where nothing is returned of it
    /// @param key of the table's row, or null
    /// @param values of the table's row as it is to be; null where it is to go
    private record Step(@Nullable Tuple row, @Nullable Slice key, @Nullable Tuple values) {}

    @Override
    public long run() {
        List<Step> steps = new ArrayList<>();
        Set<ByteBuffer> met = new HashSet<>();
        source.open();
        try {
            while (source.next()) {
                execution.poll();
                collect(source.row(), steps, met);
            }
        } finally {
            source.close();
        }
        long changed = 0;
        insertion.begin();
        for (Step step : steps) {
            execution.poll();
            changed += perform(step);
        }
        return changed;
    }

    private void collect(Row row, List<Step> steps, Set<ByteBuffer> met) {
        byte[] key =
                row.isNull(command.first() + width) ? null : row.bytesAt(command.first() + width);
        for (Command.Action action : command.actions()) {
            boolean matched = key != null;
            Scalar condition = action.condition();
            if (action.matched() != matched
                    || (condition != null && condition.evalTruth(frame) != 1)) {
                continue;
            }
            if (action.deed() instanceof Command.Deed.Nothing) {
                return;
            }
            if (key != null && !met.add(ByteBuffer.wrap(key))) {
                if (command.once()) {
                    throw command.place()
                            .error(
                                    Kind.TOO_MANY_ROWS,
                                    "MERGE would change a row twice: more than one row of its"
                                            + " source matches it");
                }
                return; // of several rows that match, the first counts
            }
            steps.add(
                    new Step(
                            sink == null ? null : KeptRows.copy(row, shapes),
                            key == null ? null : Slice.copyOf(key),
                            values(action.deed(), row)));
            return;
        }
    }

    private @Nullable Tuple values(Command.Deed deed, Row row) {
        Tuple values = new Tuple(width);
        switch (deed) {
            case Command.Deed.Delete delete -> {
                return null;
            }
            case Command.Deed.Nothing nothing -> {
                return null;
            }
            case Command.Deed.Update update -> {
                for (int i = 0; i < width; i++) {
                    values.copy(i, row, command.first() + i, shapes[command.first() + i]);
                }
                for (Command.Assignment assignment : update.assignments()) {
                    assignment.value().store(values, assignment.column(), frame);
                }
            }
            case Command.Deed.Insert insert -> {
                for (int i = 0; i < width; i++) {
                    insert.values().get(i).store(values, i, frame);
                }
            }
        }
        return values;
    }

    private long perform(Step step) {
        TableTransaction transaction = execution.transaction();
        Slice key = step.key;
        Tuple values = step.values;
        if (key != null && values == null) {
            boolean deleted = transaction.delete(table, key);
            if (deleted && sink != null && step.row != null) {
                sink.add(step.row);
            }
            return deleted ? 1 : 0;
        }
        if (values == null) {
            return 0;
        }
        if (key == null) {
            insertion.insert(values);
        } else if (!transaction.update(table, key, values)) {
            return 0;
        }
        if (sink != null && step.row != null) {
            emit(transaction, step.row, sink);
        }
        return 1;
    }

    /// Hands on the joined row with the table's row as it is now.
    private void emit(TableTransaction transaction, Tuple row, RowSink into) {
        Slice key = new Slice();
        transaction.writtenKey(table, key);
        if (transaction.fetch(table, key, stored)) {
            for (int i = 0; i < width; i++) {
                row.copy(command.first() + i, stored, i, shapes[command.first() + i]);
            }
            into.add(row);
        }
    }
}
