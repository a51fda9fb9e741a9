package dev.oriel.sql.change;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Triggering;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.KeySet;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.store.Slice;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Inserts rows one by one, handles conflicts as ON CONFLICT specifies, and passes the rows to a sink.
final class RowInsertion {
    private static final List<Type> ROW_KEY = List.of(Type.of(Type.Name.VARBINARY));

    private final Table table;
    private final Execution execution;
    private final @Nullable RowSink sink;
    private final @Nullable ViewChecks checks;
    private final @Nullable Arbiter arbiter;
    private final Command.@Nullable ConflictUpdate update;
    private final Type.Shape[] shapes;
    private final Row stored;

    /// Proposed row, as the table would have stored it.
    private final Row offered;

    private final Tuple pair;
    private final Tuple changed;
    private final Frame frame;
    private final Slice key = new Slice();

    /// Triggers of the table in this run; null if it has none.
    private Triggering.@Nullable OfTable triggers;

    /// Columns that ON CONFLICT sets.
    private final int[] set;

    /// Keys of rows written by this run, none of which may conflict again. Null if there are none.
    private @Nullable KeySet written;

    private final RowKey probe = new RowKey(ROW_KEY);

    RowInsertion(
            Table table,
            Command.@Nullable OnConflict conflict,
            List<Command.ViewCheck> checks,
            Execution execution,
            @Nullable RowSink sink) {
        this.table = table;
        this.checks = ViewChecks.of(table, checks, execution);
        this.execution = execution;
        this.sink = sink;
        this.arbiter = conflict == null ? null : conflict.arbiter();
        this.update = conflict == null ? null : conflict.update();
        this.set =
                update == null
                        ? new int[0]
                        : update.assignments().stream()
                                .mapToInt(Command.Assignment::column)
                                .toArray();
        this.shapes = new Type.Shape[table.columns().size()];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = table.columns().get(i).type().shape();
        }
        this.stored = execution.transaction().rowOf(table);
        this.offered = execution.transaction().rowOf(table);
        this.pair = new Tuple(2 * shapes.length);
        this.changed = new Tuple(shapes.length);
        this.frame = new Frame(execution, pair);
    }

    /// Begins a run: fires the triggers BEFORE the statement, which does not see their changes. So its rows are found
    /// before, if it reads tables.
    void begin() {
        written = null; // a failed run may have left keys here
        triggers = execution.triggers(table);
        if (triggers != null) {
            triggers.begin(Event.INSERT);
            if (update != null) {
                triggers.begin(Event.UPDATE, set);
            }
        }
    }

    /// Whether the table has triggers, which may read and change what the rows come from.
    boolean fires() {
        return execution.triggers(table) != null;
    }

    /// Ends a successful run.
    void end() {
        if (written != null) {
            written.clear();
            written = null;
        }
    }

    /// Inserts `values`; returns the number of rows changed.
    long insert(Tuple values) {
        TableTransaction transaction = execution.transaction();
        if (triggers != null) {
            triggers.before(Event.INSERT, null, values);
        }
        if (arbiter == null && sink == null) {
            transaction.insert(table, values);
            test();
            inserted(transaction);
            return 1;
        }
        if (!transaction.insert(table, values, arbiter, key)) {
            return update == null ? 0 : update(transaction, update);
        }
        test();
        inserted(transaction);
        transaction.writtenKey(table, key);
        note(key);
        emit(transaction, null);
        return 1;
    }

    private void inserted(TableTransaction transaction) {
        if (triggers != null) {
            transaction.offered(table, stored);
            triggers.after(Event.INSERT, null, stored);
        }
    }

    private void test() {
        if (checks != null) {
            checks.test();
        }
    }

    private void note(Slice row) {
        if (update == null) {
            return;
        }
        if (written == null) {
            written = new KeySet(execution.cancellation(), execution.memory().share(), ROW_KEY);
        }
        seek(row);
        written.add(probe);
    }

    private void seek(Slice row) {
        probe.values().setBytes(0, row.toBytes());
        probe.rehash();
    }

    /// @param before the row before the change; null if it is new
    private void emit(TableTransaction transaction, @Nullable Row before) {
        if (sink != null && transaction.fetch(table, key, stored)) {
            sink.add(stored, before, stored);
        }
    }

    private long update(TableTransaction transaction, Command.ConflictUpdate conflict) {
        seek(key);
        if (written != null && written.contains(probe)) {
            throw conflict.place()
                    .error(
                            Kind.TOO_MANY_ROWS,
                            "ON CONFLICT DO UPDATE would change a row twice: the rows to insert"
                                    + " have the same key");
        }
        if (!transaction.fetch(table, key, stored)) {
            throw new IllegalStateException("a row that was found is gone");
        }
        transaction.offered(table, offered);
        for (int i = 0; i < shapes.length; i++) {
            pair.copy(i, stored, i, shapes[i]);
            pair.copy(shapes.length + i, offered, i, shapes[i]);
            changed.copy(i, stored, i, shapes[i]);
        }
        Scalar where = conflict.where();
        if (where != null && where.evalTruth(frame) != 1) {
            return 0;
        }
        for (Command.Assignment assignment : conflict.assignments()) {
            assignment.value().store(changed, assignment.column(), frame);
        }
        Tuple old = triggers == null ? null : KeptRows.copy(stored, shapes);
        Slice row = triggers == null ? key : new Slice().setCopy(key);
        if (triggers != null && old != null) {
            long changes = transaction.changes();
            triggers.before(Event.UPDATE, old, changed, set);
            if (transaction.changes() != changes) {
                new SameRow(table, execution).check(row, old);
            }
        }
        if (!transaction.update(table, row, changed)) {
            return 0;
        }
        test();
        if (triggers != null) {
            transaction.offered(table, offered);
            triggers.after(Event.UPDATE, old, offered, set);
        }
        transaction.writtenKey(table, key);
        note(key);
        emit(transaction, pair); // its first columns are those of the row before
        return 1;
    }
}
