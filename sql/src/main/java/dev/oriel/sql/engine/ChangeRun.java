package dev.oriel.sql.engine;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.change.Change;
import dev.oriel.sql.change.RowSink;
import dev.oriel.sql.change.StatementTriggers;
import dev.oriel.sql.define.Definitions;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.run.ListOperator;
import dev.oriel.sql.run.Operator;
import dev.oriel.sql.run.SpoolOperator;
import dev.oriel.sql.watch.StatementRun;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Transaction;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.value.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs a statement that writes: atomically, in the transaction of its session or one of its own. After a conflict
/// with another transaction it retries, if the session's isolation level allows that. Between runs it keeps the
/// change, and the rows that the last run returned.
final class ChangeRun {
    private final PlannedStatement statement;
    private final LocalSession session;
    private final Execution execution;
    private final StatementRun run;
    private @Nullable Change change;

    /// Sink for the rows of RETURNING; null if there are none.
    private @Nullable RowSink sink;

    ChangeRun(
            PlannedStatement statement,
            LocalSession session,
            Execution execution,
            StatementRun run) {
        this.statement = statement;
        this.session = session;
        this.execution = execution;
        this.run = run;
    }

    /// Runs the change once, with the statement's parameters.
    ///
    /// @return number of rows changed
    long write() {
        return write(null, List.of())[0];
    }

    /// Runs it once, or once for each parameter row of `batch`.
    ///
    /// @param types for each row; empty if all have the same
    long[] write(@Nullable List<? extends Row> batch, List<Prepared.ValueTypes> types) {
        session.cancellation().enter();
        try {
            return written(batch, types);
        } finally {
            session.cancellation().leave();
        }
    }

    private long[] written(@Nullable List<? extends Row> batch, List<Prepared.ValueTypes> types) {
        session.checkMayWrite(statement.source(), statement.command());
        boolean alone = !session.inTransaction();
        if (!(statement.command()
                instanceof Command.Definition)) { // definitions close results instead
            session.keepResults(statement.command());
        }
        session.beginStatement();
        for (int attempt = 1; ; attempt++) {
            TableTransaction transaction = session.begunWriting(isExclusive());
            Transaction.Savepoint savepoint = null;
            try {
                execution.start(transaction);
                run.enter(transaction);
                statement.replan(transaction.catalog());
                if (!alone) {
                    savepoint = transaction.savepoint();
                }
                long[] counts = write(transaction, batch, types);
                leave();
                if (savepoint == null) {
                    commitStatement();
                } else {
                    transaction.release(savepoint);
                }
                return counts;
            } catch (ConflictException conflict) {
                leave();
                boolean again = false;
                try {
                    again = session.mayTryAgain(conflict, attempt);
                } finally {
                    if (!again) {
                        forgetReturned();
                        undo(transaction, alone, savepoint, conflict);
                    }
                }
                if (!again) {
                    throw conflict;
                }
                run.restarted();
                session.rewind(transaction, savepoint, conflict, attempt);
            } catch (RuntimeException | Error failure) {
                leave();
                forgetReturned();
                undo(transaction, alone, savepoint, failure);
                throw failure;
            } finally {
                execution.release();
            }
        }
    }

    /// Whether the statement changes definitions as the only writer.
    private boolean isExclusive() {
        return statement.command() instanceof Command.Definition definition
                && (!Definitions.isBesideWriters(definition.statement())
                        || session.level() != Isolation.READ_COMMITTED);
    }

    private long[] write(
            TableTransaction transaction,
            @Nullable List<? extends Row> batch,
            List<Prepared.ValueTypes> types) {
        if (statement.command() instanceof Command.Definition definition) {
            session.closeResults(true);
            session.temporary().before(definition.statement(), transaction);
            long made = Definitions.run(statement.source(), definition, execution);
            session.temporary().after(definition.statement(), transaction);
            transaction.settle();
            return new long[] {made};
        }
        keepTables(transaction, statement.command());
        Change running = change();
        forgetReturned();
        if (batch == null) {
            return new long[] {run(running, execution)};
        }
        long[] counts = new long[batch.size()];
        for (int i = 0; i < counts.length; i++) {
            if (!types.isEmpty()) {
                statement.replan(types.get(i), transaction.catalog());
                running = change();
            }
            execution.parameters(statement.given(batch.get(i)));
            counts[i] = run(running, execution);
        }
        return counts;
    }

    private static long run(Change change, Execution execution) {
        return execution.transaction().catalog().hasTriggers()
                ? StatementTriggers.run(change, execution)
                : change.runAlone(execution);
    }

    /// Keeps the definitions of the tables that `command` changes.
    private static void keepTables(TableTransaction transaction, Command command) {
        if (command instanceof Command.RowChange rows) {
            if (transaction.catalog().hasTriggers()
                    && transaction.catalog().view(rows.table().id()) != null) {
                return; // the triggers of the view keep their tables
            }
            transaction.keep(rows.table());
        } else if (!(command instanceof Command.Definition)
                && command instanceof Command.Chain chain) {
            chain.parts().forEach(part -> keepTables(transaction, part.change()));
            keepTables(transaction, chain.last());
        }
    }

    private Change change() {
        Change running = change;
        if (running == null) {
            Command command = statement.command();
            if (sink == null) {
                sink = RowSink.ofCommand(command, execution);
            }
            running = Change.of(command, execution, sink);
            if (running == null) {
                throw new IllegalStateException(command + " changes no rows");
            }
            change = running;
        }
        return running;
    }

    /// Detaches from the transaction, which may be reused as soon as it has ended.
    private void leave() {
        run.leave();
        Analysis measuring = execution.analysis();
        if (measuring != null) {
            measuring.reads(null);
        }
    }

    private void commitStatement() {
        Analysis measuring = execution.analysis();
        if (measuring == null) {
            session.endStatement(true);
            return;
        }
        Analysis.Node before = measuring.enter(measuring.commit);
        session.endStatement(true);
        measuring.leave(before);
    }

    private void undo(
            TableTransaction transaction,
            boolean alone,
            Transaction.@Nullable Savepoint savepoint,
            Throwable failure) {
        try {
            if (alone) {
                session.endStatement(false);
                return;
            }
            if (failure instanceof Error) { // a change may be half done in memory
                session.onlyRollback(failure);
            } else if (savepoint != null) {
                transaction.rollbackTo(savepoint);
                transaction.release(savepoint);
            }
        } catch (RuntimeException | Error again) {
            failure.addSuppressed(again);
            session.onlyRollback(failure); // part of the statement may not be undone
        }
    }

    /// The rows returned by the last run, to be taken once.
    Operator returned() {
        return sink == null ? new ListOperator(List.of()) : new SpoolOperator(sink.take());
    }

    /// Discards the rows returned by the last run.
    void forgetReturned() {
        if (sink != null) {
            sink.begin();
        }
    }

    /// The sink with the rows returned so far; it is no longer this run's.
    @Nullable RowSink returnedSoFar() {
        RowSink returned = sink;
        sink = null;
        return returned;
    }

    /// Goes on with `returned` after the change was discarded in the middle of a batch.
    void goOn(@Nullable RowSink returned) {
        sink = returned;
    }

    /// Discards the compiled change; the next run rebuilds it.
    void unmake() {
        forgetReturned();
        change = null;
        sink = null;
    }
}
