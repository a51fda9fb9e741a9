package dev.oriel.sql.change;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.run.Operator;
import dev.oriel.store.Slice;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.row.ChangedRow;
import dev.oriel.table.row.RowBytes;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A running INSERT, UPDATE or DELETE. It is built once for a prepared statement; each run returns the number of
/// rows changed.
///
/// No statement sees its own changes: UPDATE and DELETE collect the keys of their rows before they change the
/// first, and INSERT ... SELECT collects the rows unless they are read apart from the table that it fills
/// ([PlanParts#isApart]).
public sealed interface Change
        permits Change.InsertRows,
                Change.InsertQuery,
                Change.Update,
                Change.Delete,
                JoinedChange,
                CopyChange,
                InsteadChange,
                ProcedureCall,
                ExternalChange,
                ChainedChanges,
                QueriedRows {
    /// Runs once, in the execution's transaction.
    long run();

    /// Runs once, for `execution`, whose tables have no triggers, and settles it.
    ///
    /// @return number of rows changed
    default long runAlone(Execution execution) {
        execution.triggering(null);
        Unsettled.Place from = begun(execution);
        long count = run();
        settle(execution, from);
        return count;
    }

    /// The place of what the statement of `execution` is going to leave; null if it runs within no other.
    static Unsettled.@Nullable Place begun(Execution execution) {
        return execution.within() ? execution.transaction().unsettled().place() : null;
    }

    /// Settles the statement of `execution`. One that runs within another leaves tests of foreign keys to that.
    ///
    /// @param from as [#begun] returned before it
    static void settle(Execution execution, Unsettled.@Nullable Place from) {
        if (from == null) {
            execution.transaction().settle();
        } else {
            execution.transaction().unsettled().settle(from);
        }
    }

    /// Runs `command` once, for `execution`, which has started.
    static long insert(Command.InsertQuery command, Execution execution) {
        return new InsertQuery(command, execution, null).run();
    }

    /// Like [#insert].
    static long delete(Command.Delete command, Execution execution) {
        return new Delete(command, execution, null).run();
    }

    /// Like [#insert], with the rows of `content` in the place of the file.
    static long copy(Command.CopyFrom command, Execution execution, InputStream content) {
        return new CopyChange(command, execution, content).run();
    }

    /// The change that runs `command`, for `execution`, which has started; null if the command changes no rows.
    ///
    /// @param sink takes the rows of RETURNING; null if there are none
    static @Nullable Change of(Command command, Execution execution, @Nullable RowSink sink) {
        return switch (command) {
            case Command.InsertRows insert -> new InsertRows(insert, execution, sink);
            case Command.InsertQuery insert -> new InsertQuery(insert, execution, sink);
            case Command.Update update -> new Update(update, execution, sink);
            case Command.Delete delete -> new Delete(delete, execution, sink);
            case Command.Joined joined -> new JoinedChange(joined, execution, sink);
            case Command.Instead instead -> new InsteadChange(instead, execution, sink);
            case Command.CopyFrom copy -> new CopyChange(copy, execution);
            case Command.ExternalChange change -> new ExternalChange(change, execution);
            case Command.CopyTo copy -> null;
            case Command.LockingQuery query ->
                    sink == null ? null : new QueriedRows(query.plan(), execution, sink);
            case Command.Query query -> null;
            case Command.Explain explain -> null;
            case Command.Definition definition -> null;
            case Command.Control control -> null;
            case Command.Block block -> new ProcedureCall(block, execution, sink);
            case Command.Chain chain -> new ChainedChanges(chain, execution, sink);
        };
    }

    /// INSERT ... VALUES.
    final class InsertRows implements Change {
        private final RowInsertion insertion;
        private final Scalar[][] rows;
        private final Execution execution;
        private final Frame frame;
        private final Tuple values;
        private final boolean asks;

        private InsertRows(
                Command.InsertRows command, Execution execution, @Nullable RowSink sink) {
            this.insertion =
                    new RowInsertion(
                            command.table(),
                            command.onConflict(),
                            command.checks(),
                            execution,
                            sink);
            this.rows = new Scalar[command.rows().size()][];
            this.execution = execution;
            this.frame = new Frame(execution, new Tuple(0));
            this.values = new Tuple(command.table().columns().size());
            boolean subqueries = false;
            for (int i = 0; i < rows.length; i++) {
                rows[i] = command.rows().get(i).toArray(new Scalar[0]);
                for (Scalar value : rows[i]) {
                    subqueries |= PlanParts.hasSubquery(value);
                }
            }
            this.asks = subqueries;
        }

        @Override
        public long run() {
            if (asks) {
                return insertCollected();
            }
            insertion.begin();
            long inserted = 0;
            for (Scalar[] row : rows) {
                execution.poll();
                for (int i = 0; i < row.length; i++) {
                    row[i].store(values, i, frame);
                }
                inserted += insertion.insert(values);
            }
            insertion.end();
            return inserted;
        }

        /// Evaluates all rows before the first is inserted, as subqueries must see the tables as they were.
        private long insertCollected() {
            List<Tuple> all = new ArrayList<>();
            for (Scalar[] row : rows) {
                Tuple evaluated = new Tuple(row.length);
                for (int i = 0; i < row.length; i++) {
                    row[i].store(evaluated, i, frame);
                }
                all.add(evaluated);
            }
            insertion.begin();
            long inserted = 0;
            for (Tuple row : all) {
                execution.poll();
                inserted += insertion.insert(row);
            }
            insertion.end();
            return inserted;
        }
    }

    /// INSERT ... SELECT.
    final class InsertQuery implements Change {
        private final RowInsertion insertion;
        private final Execution execution;
        private final Operator source;
        private final Scalar[] columns;
        private final Frame frame;
        private final boolean collects;

        private InsertQuery(
                Command.InsertQuery command, Execution execution, @Nullable RowSink sink) {
            this.insertion =
                    new RowInsertion(
                            command.table(),
                            command.onConflict(),
                            command.checks(),
                            execution,
                            sink);
            this.execution = execution;
            this.source = Operator.ofWhole(command.source(), execution);
            this.columns = command.values().toArray(Scalar[]::new);
            this.frame = new Frame(execution, source.row());
            this.collects =
                    command.onConflict() != null
                            || sink != null
                            || !PlanParts.isApart(command.source(), command.table())
                            || command.values().stream().anyMatch(PlanParts::hasSubquery);
        }

        @Override
        public long run() {
            source.open();
            try {
                long inserted = collects || insertion.fires() ? insertCollected() : insertPulled();
                insertion.end();
                return inserted;
            } finally {
                source.close();
            }
        }

        private long insertPulled() {
            insertion.begin();
            Tuple values = new Tuple(columns.length);
            long inserted = 0;
            while (source.next()) {
                fill(values);
                inserted += insertion.insert(values);
            }
            return inserted;
        }

        private long insertCollected() {
            Type.Shape[] shapes = new Type.Shape[columns.length];
            for (int i = 0; i < shapes.length; i++) {
                shapes[i] = columns[i].type().shape();
            }
            RowSpool rows =
                    new RowSpool(execution.cancellation(), execution.memory().share(), shapes);
            while (source.next()) {
                Tuple values = new Tuple(columns.length);
                fill(values);
                rows.take(values);
            }
            insertion.begin();
            long inserted = 0;
            RowSpool.Reader reader = rows.reader();
            for (Tuple values = reader.next(); values != null; values = reader.next()) {
                execution.poll();
                inserted += insertion.insert(values);
            }
            reader.close();
            rows.clear();
            return inserted;
        }

        private void fill(Tuple values) {
            for (int i = 0; i < columns.length; i++) {
                columns[i].store(values, i, frame);
            }
        }
    }

    /// UPDATE.
    final class Update implements Change {
        private final Table table;
        private final Execution execution;
        private final ChangeTarget target;
        private final int[] assigned;
        private final Scalar[] values;
        private final Type.Shape[] shapes;
        private final RowBytes old;
        private final Frame frame;
        private final Tuple changed;
        private final ChangedRow partly;
        private final boolean asks;
        private final @Nullable RowSink sink;
        private final @Nullable ViewChecks checks;
        private @Nullable RowTriggers triggers;

        private Update(Command.Update command, Execution execution, @Nullable RowSink sink) {
            this.sink = sink;
            this.table = command.table();
            this.checks = ViewChecks.of(table, command.checks(), execution);
            this.execution = execution;
            this.target =
                    new ChangeTarget(command.scan(), command.filter(), command.limit(), execution);
            List<Command.Assignment> assignments = command.assignments();
            this.assigned = assignments.stream().mapToInt(Command.Assignment::column).toArray();
            this.values =
                    assignments.stream().map(Command.Assignment::value).toArray(Scalar[]::new);
            this.shapes =
                    table.columns().stream()
                            .map(column -> column.type().shape())
                            .toArray(Type.Shape[]::new);
            this.old = execution.transaction().rowOf(table);
            this.frame = new Frame(execution, old);
            this.changed = new Tuple(shapes.length);
            this.partly = new ChangedRow(old, changed, assigned);
            this.asks =
                    assignments.stream()
                            .anyMatch(assignment -> PlanParts.hasSubquery(assignment.value()));
        }

        @Override
        public long run() {
            TableTransaction transaction = execution.transaction();
            triggers = RowTriggers.of(table, execution, assigned);
            int found = target.collect();
            long updated = 0;
            RowSpool evaluated = asks || triggers != null ? collect(transaction, found) : null;
            if (triggers != null) {
                triggers.begin(Event.UPDATE);
            }
            RowSpool.Reader rows = evaluated == null ? null : evaluated.reader();
            for (int i = 0; i < found; i++) {
                Slice key = target.key(i);
                if (rows != null) {
                    updated += update(transaction, key, Objects.requireNonNull(rows.next()));
                } else if (transaction.fetch(table, key, old)) {
                    assign(changed);
                    updated += update(transaction, key, partly);
                }
            }
            if (rows != null && evaluated != null) {
                rows.close();
                evaluated.clear();
            }
            if (triggers != null) {
                triggers.end();
            }
            target.end();
            return updated;
        }

        private long update(TableTransaction transaction, Slice key, Row values) {
            Tuple before = sink == null || !sink.readsVersions() ? null : copy(transaction, key);
            if (triggers != null
                    ? !triggers.update(key, (Tuple) values)
                    : !transaction.update(table, key, values, true)) {
                return 0;
            }
            if (checks != null) {
                checks.test();
            }
            if (sink != null) {
                transaction.offered(table, old);
                sink.add(old, before, old);
            }
            return 1;
        }

        /// The row as it is stored now. Afterwards `old` is that row.
        private @Nullable Tuple copy(TableTransaction transaction, Slice key) {
            return transaction.fetch(table, key, old) ? KeptRows.copy(old, shapes) : null;
        }

        /// Evaluates all rows before the first is changed, as subqueries must see the tables as they were.
        private RowSpool collect(TableTransaction transaction, int found) {
            RowSpool rows =
                    new RowSpool(execution.cancellation(), execution.memory().share(), shapes);
            for (int i = 0; i < found; i++) {
                if (!transaction.fetch(table, target.key(i), old)) {
                    throw new IllegalStateException("a row that was found is gone");
                }
                Tuple row = new Tuple(shapes.length);
                evaluate(row);
                rows.take(row);
                if (triggers != null) {
                    triggers.note(target.key(i));
                }
            }
            return rows;
        }

        private void evaluate(Tuple into) {
            for (int column = 0; column < shapes.length; column++) {
                into.copy(column, old, column, shapes[column]);
            }
            assign(into);
        }

        private void assign(Tuple into) {
            for (int j = 0; j < assigned.length; j++) {
                values[j].store(into, assigned[j], frame);
            }
        }
    }

    /// DELETE.
    final class Delete implements Change {
        private final Table table;
        private final Execution execution;
        private final ChangeTarget target;
        private final @Nullable RowSink sink;
        private final Row old;
        private final Type.Shape[] shapes;

        private Delete(Command.Delete command, Execution execution, @Nullable RowSink sink) {
            this.table = command.table();
            this.sink = sink;
            this.old = execution.transaction().rowOf(table);
            this.shapes =
                    table.columns().stream()
                            .map(column -> column.type().shape())
                            .toArray(Type.Shape[]::new);
            this.execution = execution;
            this.target =
                    new ChangeTarget(command.scan(), command.filter(), command.limit(), execution);
        }

        @Override
        public long run() {
            TableTransaction transaction = execution.transaction();
            RowTriggers triggers = RowTriggers.of(table, execution);
            int found = target.collect();
            for (int i = 0; i < found && triggers != null; i++) {
                triggers.note(target.key(i));
            }
            if (triggers != null) {
                triggers.begin(Event.DELETE);
            }
            long deleted = 0;
            for (int i = 0; i < found; i++) {
                Slice key = target.key(i);
                Tuple gone = sink == null ? null : copy(transaction, key);
                if (triggers == null ? transaction.delete(table, key) : triggers.delete(key)) {
                    deleted++;
                    if (sink != null && gone != null) {
                        sink.add(gone, gone, null);
                    }
                }
            }
            if (triggers != null) {
                triggers.end();
            }
            target.end();
            return deleted;
        }

        private @Nullable Tuple copy(TableTransaction transaction, Slice key) {
            return transaction.fetch(table, key, old) ? KeptRows.copy(old, shapes) : null;
        }
    }
}
