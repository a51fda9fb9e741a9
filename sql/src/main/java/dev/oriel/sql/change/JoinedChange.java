package dev.oriel.sql.change;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.KeySet;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.run.Operator;
import dev.oriel.sql.syntax.Statement.Matching;
import dev.oriel.store.Slice;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A running UPDATE ... FROM, DELETE ... USING or MERGE. All changes are computed before the first row is changed,
/// so the statement does not see its own changes.
final class JoinedChange implements Change {
    private static final List<Type> ROW_KEY = List.of(Type.of(Type.Name.VARBINARY));

    private static final int STAYS = 0;
    private static final int KEY = 1;
    private static final int VALUES = 2;

    private final Command.Joined command;
    private final Table table;
    private final Execution execution;
    private final Operator source;
    private final Type.Shape[] shapes;
    private final int width;
    private final Frame frame;
    private final @Nullable RowSink sink;
    private final RowInsertion insertion;
    private final @Nullable ViewChecks checks;
    private final Row stored;
    private @Nullable RowTriggers triggers;

    /// Shape of a buffered step: a flag for whether the table's row is to exist, its key or NULL, its values. Then
    /// the joined row, if RETURNING reads it.
    private final Type.Shape[] step;

    private final RowKey probe = new RowKey(ROW_KEY);

    JoinedChange(Command.Joined command, Execution execution, @Nullable RowSink sink) {
        this.command = command;
        this.table = command.table();
        this.execution = execution;
        this.source = Operator.ofWhole(command.source(), execution);
        this.shapes = command.source().types().stream().map(Type::shape).toArray(Type.Shape[]::new);
        this.width = table.columns().size();
        this.frame = new Frame(execution, source.row());
        this.sink = sink;
        this.insertion = new RowInsertion(table, null, command.checks(), execution, null);
        this.checks = ViewChecks.of(table, command.checks(), execution);
        this.stored = execution.transaction().rowOf(table);
        List<Type.Shape> columns = new ArrayList<>(List.of(Type.Shape.LONG, Type.Shape.BYTES));
        table.columns().forEach(column -> columns.add(column.type().shape()));
        if (sink != null) {
            columns.addAll(List.of(shapes));
        }
        this.step = columns.toArray(Type.Shape[]::new);
    }

    @Override
    public long run() {
        RowTriggers own = triggers();
        triggers = own;
        QueryMemory.Share share = execution.memory().share();
        RowSpool steps = new RowSpool(execution.cancellation(), share, step);
        KeySet met = new KeySet(execution.cancellation(), share, ROW_KEY);
        source.open();
        try {
            while (source.next()) {
                execution.poll();
                collect(source.row(), steps, met);
            }
        } finally {
            source.close();
        }
        met.clear();
        long changed = 0;
        if (own != null) {
            note(own, steps);
            begin(own, Command.Deed.Insert.class, Event.INSERT);
            begin(own, Command.Deed.Update.class, Event.UPDATE);
            begin(own, Command.Deed.Delete.class, Event.DELETE);
        }
        if (command.actions().stream()
                .anyMatch(action -> action.deed() instanceof Command.Deed.Insert)) {
            insertion.begin();
        }
        RowSpool.Reader reader = steps.reader();
        for (Tuple next = reader.next(); next != null; next = reader.next()) {
            execution.poll();
            changed += perform(next);
        }
        reader.close();
        steps.clear();
        if (own != null) {
            own.end();
        }
        return changed;
    }

    /// The triggers of the table; null if it has none.
    private @Nullable RowTriggers triggers() {
        List<Command.Assignment> sets = new ArrayList<>();
        for (Command.Action action : command.actions()) {
            if (action.deed() instanceof Command.Deed.Update update) {
                sets.addAll(update.assignments());
            }
        }
        int[] columns = sets.stream().mapToInt(Command.Assignment::column).toArray();
        return RowTriggers.of(table, execution, columns);
    }

    private void begin(RowTriggers own, Class<? extends Command.Deed> deed, Event event) {
        if (command.actions().stream().anyMatch(action -> deed.isInstance(action.deed()))) {
            own.begin(event);
        }
    }

    /// Notes the rows of all steps, before the first is done.
    private void note(RowTriggers own, RowSpool steps) {
        RowSpool.Reader reader = steps.reader();
        for (Tuple next = reader.next(); next != null; next = reader.next()) {
            execution.poll();
            byte[] key = next.bytesAt(KEY);
            if (key != null) {
                own.note(Slice.copyOf(key));
            }
        }
        reader.close();
    }

    private void collect(Row row, RowSpool steps, KeySet met) {
        byte[] key =
                row.isNull(command.first() + width) ? null : row.bytesAt(command.first() + width);
        int marker = command.marker();
        Matching matching =
                key == null
                        ? Matching.NOT_BY_TARGET
                        : marker >= 0 && row.isNull(marker)
                                ? Matching.NOT_BY_SOURCE
                                : Matching.MATCHED;
        for (Command.Action action : command.actions()) {
            Scalar condition = action.condition();
            if (action.rows() != matching
                    || (condition != null && condition.evalTruth(frame) != 1)) {
                continue;
            }
            if (action.deed() instanceof Command.Deed.Nothing) {
                return;
            }
            if (key != null && !isFirst(key, met)) {
                if (command.once()) {
                    throw command.place()
                            .error(
                                    Kind.TOO_MANY_ROWS,
                                    "MERGE would change a row twice: more than one row of its"
                                            + " source matches it");
                }
                return; // of several rows that match, the first counts
            }
            Tuple next = new Tuple(step.length);
            next.setBytes(KEY, key);
            next.setLong(STAYS, fill(action.deed(), row, next) ? 1 : 0);
            if (sink != null) {
                for (int i = 0; i < shapes.length; i++) {
                    next.copy(VALUES + width + i, row, i, shapes[i]);
                }
            }
            steps.take(next);
            return;
        }
    }

    private boolean isFirst(byte[] key, KeySet met) {
        probe.values().setBytes(0, key);
        probe.rehash();
        return met.add(probe);
    }

    /// Fills in the new values of the table's row; false if it is deleted.
    private boolean fill(Command.Deed deed, Row row, Tuple next) {
        switch (deed) {
            case Command.Deed.Delete delete -> {
                return false;
            }
            case Command.Deed.Nothing nothing -> {
                return false;
            }
            case Command.Deed.Update update -> {
                for (int i = 0; i < width; i++) {
                    int from = command.first() + i;
                    next.copy(VALUES + i, row, from, shapes[from]);
                }
                for (Command.Assignment assignment : update.assignments()) {
                    assignment.value().store(next, VALUES + assignment.column(), frame);
                }
                return true;
            }
            case Command.Deed.Insert insert -> {
                for (int i = 0; i < width; i++) {
                    insert.values().get(i).store(next, VALUES + i, frame);
                }
                return true;
            }
        }
    }

    private long perform(Tuple next) {
        TableTransaction transaction = execution.transaction();
        byte[] bytes = next.bytesAt(KEY);
        Slice key = bytes == null ? null : Slice.copyOf(bytes);
        if (next.longAt(STAYS) == 0) {
            boolean deleted =
                    key != null
                            && (triggers == null
                                    ? transaction.delete(table, key)
                                    : triggers.delete(key));
            if (deleted && sink != null) {
                Tuple row = joined(next);
                sink.add(row, before(row), null);
            }
            return deleted ? 1 : 0;
        }
        Tuple values = new Tuple(width);
        for (int i = 0; i < width; i++) {
            values.copy(i, next, VALUES + i, step[VALUES + i]);
        }
        if (key == null) {
            insertion.insert(values);
        } else if (triggers == null
                ? !transaction.update(table, key, values, true)
                : !triggers.update(key, values)) {
            return 0;
        } else if (checks != null) {
            checks.test();
        }
        if (sink != null) {
            emit(transaction, joined(next), key != null, sink);
        }
        return 1;
    }

    /// A copy of the table's row within the joined row; null if no caller reads it.
    private @Nullable Tuple before(Tuple row) {
        if (sink == null || !sink.readsVersions()) {
            return null;
        }
        Tuple copy = new Tuple(width);
        for (int i = 0; i < width; i++) {
            copy.copy(i, row, command.first() + i, shapes[command.first() + i]);
        }
        return copy;
    }

    private Tuple joined(Tuple next) {
        Tuple row = new Tuple(shapes.length);
        for (int i = 0; i < shapes.length; i++) {
            row.copy(i, next, VALUES + width + i, shapes[i]);
        }
        return row;
    }

    /// Passes on the joined row with the current version of the table's row.
    ///
    /// @param existed whether the table had the row before
    private void emit(TableTransaction transaction, Tuple row, boolean existed, RowSink into) {
        Tuple before = existed ? before(row) : null;
        transaction.offered(table, stored);
        for (int i = 0; i < width; i++) {
            row.copy(command.first() + i, stored, i, shapes[command.first() + i]);
        }
        into.add(row, before, stored);
    }
}
