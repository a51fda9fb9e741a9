package dev.oriel.sql;

import dev.oriel.profiler.Probe;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Transaction;
import dev.oriel.table.Catalog;
import dev.oriel.table.Row;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement of a session, with all that it keeps between runs: operators with their cursors and
/// ranges, and a read transaction that each run renews.
final class PlannedStatement implements Prepared {
    private static final Probe QUERY = Probe.of(Prepared.class, "query");
    private static final Probe UPDATE = Probe.of(Prepared.class, "update");
    private static final Probe BATCH = Probe.of(Prepared.class, "batch");

    private final LocalSession session;
    private final String text;

    /// What a change without RETURNING is to keep of its rows; null for nothing.
    private final @Nullable List<String> keys;

    private final Tuple values;
    private final Execution execution;
    private final Watch watch;
    private final StatementRun run;
    private Compiler.Compiled compiled;
    private @Nullable Operator operator;
    private @Nullable Change change;

    /// Takes what the change returns; null where it returns nothing.
    private @Nullable RowSink sink;

    /// Ended, unless a result is open that reads it.
    private @Nullable TableTransaction read;

    private @Nullable QueryResult result;
    private boolean closed;

    /// Where its operators are measured, by EXPLAIN ANALYZE or because it is followed.
    private @Nullable Analysis analysis;

    /// Where somebody wants to know about its operators: see [Watch#follow].
    private @Nullable FollowedPlan followed;

    private long following;

    PlannedStatement(
            LocalSession session,
            String text,
            @Nullable List<String> keys,
            Compiler.Compiled compiled) {
        this.session = session;
        this.text = text;
        this.keys = keys;
        this.compiled = compiled;
        this.values = new Tuple(compiled.parameters().size());
        this.execution = execution();
        this.execution.given(session.given());
        this.watch = session.sql().watch();
        this.run = new StatementRun(watch, session.activity());
    }

    /// The statement that `around` explains, to be run with its parameters and measured.
    private PlannedStatement(PlannedStatement around, Command explained, Analysis analysis) {
        this.session = around.session;
        this.text = around.text;
        this.keys = null;
        this.compiled = around.compiled.of(explained);
        this.values = around.values;
        this.execution = execution();
        this.watch = around.watch;
        this.run = new StatementRun(watch, session.activity()); // never begun
        this.analysis = analysis;
        execution.analysis(analysis);
        execution.given(session.given());
    }

    private Execution execution() {
        return new Execution(session.sql().clock(), session.cancellation(), session, values);
    }

    /// Runs it to its end, and returns how many rows it has returned or changed.
    private long measured(Analysis measuring) {
        measuring.begin();
        try {
            if (compiled.command() instanceof Command.LockingQuery
                    || compiled.command() instanceof Command.RowChange) {
                return write(null)[0];
            }
            if (!isQuery()) {
                return updated();
            }
            long rows = 0;
            TableTransaction own = null;
            TableTransaction transaction = session.reading();
            if (transaction == null) {
                own = beginRead();
                transaction = own;
            }
            try (QueryResult rowsOfRun = opened(transaction, own)) {
                while (rowsOfRun.next()) {
                    rows++;
                }
            }
            return rows;
        } finally {
            measuring.end();
        }
    }

    @Override
    public boolean isQuery() {
        return switch (compiled.command()) {
            case Command.Query query -> true;
            case Command.Explain explain -> true;
            case Command.LockingQuery query -> true;
            case Command.RowChange change -> change.returning() != null && !keepsKeys();
            case Command.CopyTo copy -> false;
            case Command.Definition definition -> false;
            case Command.Control control -> false;
        };
    }

    /// Whether what it returns was not asked for by the statement, but by who prepared it.
    private boolean keepsKeys() {
        return keys != null && !compiled.returnsBySelf();
    }

    @Override
    public List<OutputColumn> columns() {
        return keepsKeys() ? List.of() : compiled.columns();
    }

    @Override
    public List<OutputColumn> keyColumns() {
        return keepsKeys() ? compiled.columns() : List.of();
    }

    @Override
    public Result generatedKeys() {
        start();
        return returned();
    }

    /// What the last change has returned, as a result.
    private QueryResult returned() {
        Operator list = sink == null ? new ListOperator(List.of()) : new SpoolOperator(sink.take());
        list.open();
        QueryResult opened = new QueryResult(this, list, false, true);
        result = opened;
        session.opened(this);
        return opened;
    }

    @Override
    public List<Type> parameters() {
        return compiled.parameters();
    }

    @Override
    public Tuple values() {
        return values;
    }

    @Override
    public String explain() {
        return String.join("\n", PlanText.of(compiled.command()));
    }

    @Override
    public Result query() {
        long entered = QUERY.enter();
        try {
            start();
            if (!isQuery()) {
                throw wrongKind("This statement returns no rows: run it as an update");
            }
            run.begin(compiled);
            follow();
            if (compiled.command() instanceof Command.LockingQuery
                    || compiled.command() instanceof Command.RowChange) {
                write(null);
                QueryResult returned = returned();
                run.fetching();
                return returned;
            }
            TableTransaction own = null;
            TableTransaction transaction = session.reading();
            if (transaction == null) {
                own = beginRead();
                transaction = own;
            }
            return opened(transaction, own);
        } catch (RuntimeException | Error failure) {
            ended(failure);
            throw failure;
        } finally {
            QUERY.exit(entered);
        }
    }

    private QueryResult opened(TableTransaction transaction, @Nullable TableTransaction own) {
        boolean done = false;
        try {
            execution.start(transaction);
            run.readsFrom(transaction);
            replan(transaction.catalog());
            Operator root = operator;
            if (root == null || compiled.command() instanceof Command.Explain) {
                root = operators();
                operator = root;
            }
            root.open();
            QueryResult opened = new QueryResult(this, root, own == null, false);
            result = opened;
            session.opened(this);
            run.fetching();
            done = true;
            return opened;
        } finally {
            if (!done) {
                giveUp(own);
            }
        }
    }

    /// A query has failed before it had a result.
    private void giveUp(@Nullable TableTransaction own) {
        try {
            if (operator != null) {
                operator.close();
            }
        } finally {
            execution.release();
            if (own != null) {
                own.close();
            }
        }
    }

    private TableTransaction beginRead() {
        TableTransaction transaction = read;
        if (transaction == null) {
            transaction = session.tables().beginRead();
            read = transaction;
        } else {
            session.tables().renew(transaction);
        }
        return transaction;
    }

    private Operator operators() {
        if (compiled.command() instanceof Command.Query query) {
            return Operator.of(query.plan(), execution);
        }
        if (compiled.command() instanceof Command.Explain explain) {
            return ListOperator.ofLines(explained(explain));
        }
        throw new IllegalStateException(compiled.command() + " returns no rows");
    }

    private List<String> explained(Command.Explain explain) {
        Estimate estimate = new Estimate(session.tables().statistics()::of);
        PlanReport report = new PlanReport(explain, estimate);
        if (!explain.options().analyze()) {
            return report.ofPlan();
        }
        StatementProfile profile = explain.options().profile() ? StatementProfile.start() : null;
        Analysis measuring =
                new Analysis(
                        explain.options().timing() ? Analysis.Clock.EXACT : Analysis.Clock.NONE,
                        profile == null ? null : new OperatorTrack());
        PlannedStatement inner = new PlannedStatement(this, explain.command(), measuring);
        try {
            long rows = inner.measured(measuring);
            return report.ofRun(
                    measuring,
                    rows,
                    inner.execution.memoryUsed(),
                    profile == null ? null : profile.stop(measuring));
        } finally {
            inner.close();
            if (profile != null) {
                profile.close();
            }
        }
    }

    @Override
    public long update() {
        long entered = UPDATE.enter();
        try {
            start();
            run.begin(compiled);
            follow();
            long logged = session.loggedBytes();
            long changed = updated();
            run.logged(session.loggedBytes() - logged);
            run.rows(changed);
            end();
            return changed;
        } catch (RuntimeException | Error failure) {
            ended(failure);
            throw failure;
        } finally {
            UPDATE.exit(entered);
        }
    }

    private long updated() {
        return switch (compiled.command()) {
            case Command.Control control -> placed(control.statement());
            case Command.Query query -> throw noUpdate();
            case Command.Explain explain -> throw noUpdate();
            case Command.LockingQuery query -> throw noUpdate();
            case Command.CopyTo copy -> copied(copy);
            case Command.Definition definition -> write(null)[0];
            case Command.RowChange change -> {
                if (isQuery()) {
                    throw noUpdate();
                }
                yield write(null)[0];
            }
        };
    }

    /// Writes the rows of COPY TO, read as a query reads them.
    private long copied(Command.CopyTo copy) {
        TableTransaction transaction = session.reading();
        boolean own = transaction == null;
        if (transaction == null) {
            transaction = beginRead();
        }
        try {
            execution.start(transaction);
            run.readsFrom(transaction);
            replan(transaction.catalog());
            Command.CopyTo planned =
                    compiled.command() instanceof Command.CopyTo fresh ? fresh : copy;
            unmake();
            return new CopyOutput(planned, execution).run(Operator.of(planned.plan(), execution));
        } finally {
            execution.release();
            if (own) {
                transaction.close();
            }
        }
    }

    /// An execution ends with an error.
    private void ended(Throwable failure) {
        run.failed(failure);
        end();
    }

    private void end() {
        if (followed != null) {
            followed.analysis().end();
        }
        run.end(compiled);
    }

    private void end(QueryResult ending) {
        if (ending.listed()) {
            run.rows(ending.rows());
            end();
            return;
        }
        if (followed != null) {
            followed.analysis().end();
        }
        run.end(compiled, execution.transaction(), ending.rows());
    }

    /// Looks whether somebody wants to know about the operators of this run.
    private void follow() {
        if (watch.following() != following) {
            follow(run.timesWanted());
        }
        if (followed != null) {
            followed.analysis().begin();
        }
    }

    /// @param once whether this one run is to have its operators timed
    private void follow(boolean once) {
        boolean was = followed != null;
        following = once ? Watch.ANEW : watch.following();
        followed = watch.follow(compiled.command(), once);
        if (!was && followed == null) {
            return;
        }
        analysis = followed == null ? null : followed.analysis();
        execution.analysis(analysis);
        run.follows(followed);
        unmake();
    }

    /// Forgets what runs the plan, to be made anew.
    private void unmake() {
        forgetReturned();
        operator = null;
        change = null;
        sink = null;
        execution.reset();
    }

    /// An error while rows of the result were read; the result is closed then.
    void failed(Throwable failure) {
        run.failed(failure);
    }

    @Override
    public long[] batch(List<? extends Row> rows) {
        long entered = BATCH.enter();
        try {
            start();
            switch (compiled.command()) {
                case Command.RowChange change -> {
                    if (isQuery()) {
                        throw noBatch();
                    }
                }
                case Command.LockingQuery query -> throw noBatch();
                case Command.CopyTo copy -> throw noBatch();
                case Command.Query query -> throw noBatch();
                case Command.Explain explain -> throw noBatch();
                case Command.Definition definition -> throw noBatch();
                case Command.Control control -> throw noBatch();
            }
            for (Row row : rows) {
                if (row instanceof Tuple tuple && tuple.columns() < parameters().size()) {
                    throw new SqlException(
                            Kind.PARAMETER_COUNT,
                            "The statement has "
                                    + parameters().size()
                                    + " parameters, a row of the batch "
                                    + tuple.columns(),
                            0,
                            null);
                }
            }
            if (rows.isEmpty()) {
                return new long[0];
            }
            run.begin(compiled);
            follow();
            long logged = session.loggedBytes();
            long[] counts = write(rows);
            run.logged(session.loggedBytes() - logged);
            for (long count : counts) {
                run.rows(count);
            }
            end();
            return counts;
        } catch (RuntimeException | Error failure) {
            ended(failure);
            throw failure;
        } finally {
            execution.parameters(values);
            BATCH.exit(entered);
        }
    }

    private SqlException noUpdate() {
        return wrongKind("This statement returns rows: run it as a query");
    }

    private SqlException noBatch() {
        return wrongKind("Only INSERT, UPDATE and DELETE can be run as a batch");
    }

    private SqlException wrongKind(String message) {
        return compiled.source().error(Kind.WRONG_STATEMENT_KIND, 0, message);
    }

    /// Runs `statement`; an error of the session, which knows no text, gets its place.
    private long placed(Statement.Control statement) {
        session.cancellation().enter();
        try {
            return control(statement);
        } catch (SqlException failure) {
            if (failure.kind() == Kind.CANCELLED) {
                throw failure;
            }
            if (statement instanceof Statement.Analyze || statement instanceof Statement.Setting) {
                throw failure; // it knows its place
            }
            int position = statement.position();
            if (statement instanceof Statement.RollbackTo rollback) {
                position = rollback.name().position();
            } else if (statement instanceof Statement.Release release) {
                position = release.name().position();
            }
            throw compiled.source()
                    .error(failure.kind(), position, String.valueOf(failure.getMessage()));
        } finally {
            session.cancellation().leave();
        }
    }

    private long control(Statement.Control statement) {
        switch (statement) {
            case Statement.Begin begin -> session.begin(begin);
            case Statement.Commit commit -> session.commit();
            case Statement.Rollback rollback -> session.rollback();
            case Statement.Savepoint savepoint -> session.savepoint(savepoint.name().name());
            case Statement.RollbackTo rollback -> session.rollbackTo(rollback.name().name());
            case Statement.Release release -> session.releaseSavepoint(release.name().name());
            case Statement.Analyze analyze -> session.analyze(compiled.source(), analyze);
            case Statement.Setting setting -> session.set(compiled.source(), setting);
        }
        return 0;
    }

    /// Runs a change once, or once for each of `batch`, so that it happens as a whole or not at
    /// all; again where another transaction was in the way and the session's level allows it.
    private long[] write(@Nullable List<? extends Row> batch) {
        session.cancellation().enter();
        try {
            return written(batch);
        } finally {
            session.cancellation().leave();
        }
    }

    private long[] written(@Nullable List<? extends Row> batch) {
        boolean alone = !session.inTransaction();
        session.beginStatement();
        for (int attempt = 1; ; attempt++) {
            TableTransaction transaction =
                    session.writing(compiled.command() instanceof Command.Definition);
            Transaction.Savepoint savepoint = null;
            try {
                execution.start(transaction);
                run.enter(transaction);
                replan(transaction.catalog());
                if (!alone) {
                    savepoint = transaction.savepoint();
                }
                long[] counts = run(transaction, batch);
                leave();
                if (savepoint == null) {
                    commitStatement();
                } else {
                    transaction.release(savepoint);
                }
                return counts;
            } catch (ConflictException conflict) {
                leave();
                if (!session.mayTryAgain(conflict, attempt)) {
                    forgetReturned();
                    undo(transaction, alone, savepoint, conflict);
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

    /// It is done with the transaction, which is somebody else's as soon as it has ended.
    private void leave() {
        run.leave();
        if (analysis != null) {
            analysis.reads(null);
        }
    }

    /// Bytes that its operators have kept so far in this run, as they count them.
    long memoryHeld() {
        QueryMemory memory = execution.memoryUsed();
        return memory == null ? 0 : memory.used();
    }

    private void forgetReturned() {
        if (sink != null) {
            sink.begin();
        }
    }

    private void commitStatement() {
        Analysis measuring = analysis;
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
            } else if (savepoint != null) {
                transaction.rollbackTo(savepoint);
                transaction.release(savepoint);
            }
        } catch (RuntimeException again) {
            failure.addSuppressed(again);
        }
    }

    private long[] run(TableTransaction transaction, @Nullable List<? extends Row> batch) {
        if (compiled.command() instanceof Command.Definition definition) {
            session.closeResults(true);
            long made = Definitions.run(compiled.source(), definition.statement(), execution);
            transaction.settle();
            return new long[] {made};
        }
        Change running = changes();
        if (sink != null) {
            sink.begin();
        }
        if (batch == null) {
            long count = running.run();
            transaction.settle();
            return new long[] {count};
        }
        long[] counts = new long[batch.size()];
        for (int i = 0; i < counts.length; i++) {
            execution.parameters(batch.get(i));
            counts[i] = running.run();
            transaction.settle();
        }
        return counts;
    }

    private Change changes() {
        Change running = change;
        if (running == null) {
            sink =
                    switch (compiled.command()) {
                        case Command.RowChange rows -> RowSink.of(rows, execution);
                        case Command.LockingQuery query -> LockedRows.sink(query, execution);
                        default -> null;
                    };
            running = Change.of(compiled.command(), execution, sink);
            if (running == null) {
                throw new IllegalStateException(compiled.command() + " changes no rows");
            }
            change = running;
        }
        return running;
    }

    /// Plans anew where the definitions are not those that the plan was made for, or the tables have
    /// become much larger or smaller.
    private void replan(Catalog catalog) {
        if (compiled.isGoodFor(catalog)) {
            return;
        }
        Compiler.Compiled fresh = session.sql().plans().get(text, keys, catalog);
        if (analysis != null && fresh.command() instanceof Command.Explain explain) {
            fresh = fresh.of(explain.command());
        }
        List<Type> before = compiled.parameters();
        for (int i = 0; i < before.size(); i++) {
            if (fresh.parameters().get(i).shape() != before.get(i).shape()) {
                throw fresh.source()
                        .error(
                                Kind.TYPE_MISMATCH,
                                0,
                                "A definition has changed the type of parameter "
                                        + (i + 1)
                                        + " to "
                                        + fresh.parameters().get(i)
                                        + ": prepare the statement again");
            }
        }
        compiled = fresh;
        unmake();
        if (followed != null) {
            boolean timed = followed.analysis().timing();
            follow(timed);
            if (followed != null) {
                execution.measure(followed.analysis());
            }
        }
    }

    private void start() {
        if (closed) {
            throw new ClosedException("The prepared statement has been closed", "");
        }
        session.start();
        closeResult();
    }

    /// Whether a result is open that reads the transaction that the session writes in.
    boolean readsWrites() {
        return result != null && result.shared();
    }

    /// Closes the open result, if there is one.
    void closeResult() {
        QueryResult ending = result;
        if (ending == null) {
            return;
        }
        result = null;
        ending.revoked();
        session.closed(this);
        try {
            ending.letGo();
            if (operator != null) {
                operator.close();
            }
        } finally {
            execution.release();
            end(ending);
        }
        if (read != null) {
            read.close();
        }
    }

    /// Closes `ending`, unless that has happened.
    void closeResult(QueryResult ending) {
        if (result == ending) {
            closeResult();
        }
    }

    @Override
    public void close() {
        closeResult();
        forgetReturned();
        closed = true;
    }
}
