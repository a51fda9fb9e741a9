package dev.oriel.sql.engine;

import dev.oriel.profiler.Probe;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.change.CopyOutput;
import dev.oriel.sql.change.RowSink;
import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.LiteralBindings;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.run.ListOperator;
import dev.oriel.sql.run.Operator;
import dev.oriel.sql.run.SubqueryRun;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.watch.FollowedPlan;
import dev.oriel.sql.watch.StatementRun;
import dev.oriel.sql.watch.Watch;
import dev.oriel.store.ClosedException;
import dev.oriel.store.LimitException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement of a session, with its state between runs: operators with their cursors and ranges, and a read
/// transaction that each run renews.
final class PlannedStatement implements Prepared {
    private static final Probe QUERY = Probe.of(Prepared.class, "query");
    private static final Probe UPDATE = Probe.of(Prepared.class, "update");
    private static final Probe BATCH = Probe.of(Prepared.class, "batch");

    private final LocalSession session;
    private final String text;

    /// Columns that a change without RETURNING keeps of its rows; null for none.
    private final @Nullable List<String> keys;

    private final Tuple values;

    /// Types of the parameters, some of which the values give.
    private final GivenTypes types;

    private final Execution execution;
    private final Watch watch;
    private final StatementRun run;
    private final ChangeRun changes;
    private Compiler.Compiled compiled;

    /// Result columns of `compiled`.
    private List<OutputColumn> columns;

    /// Whether the statement returns rows.
    private boolean isQuery;

    private @Nullable Operator operator;

    /// Read transaction kept for reuse; ended, unless an open result reads it.
    private @Nullable TableTransaction read;

    private @Nullable QueryResult result;
    private boolean closed;

    /// Plan with measured operators, if requested: see [Watch#follow].
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
        this.values = new Tuple(compiled.parameters().size());
        this.types = new GivenTypes(compiled.parameters());
        this.execution = execution();
        this.execution.given(session.given());
        this.watch = session.sql().watch();
        this.run = new StatementRun(watch, session.activity());
        this.changes = new ChangeRun(this, session, execution, run);
        use(compiled);
    }

    /// The statement that `around` explains, to be run with its parameters and measured.
    PlannedStatement(PlannedStatement around, Command explained, Analysis analysis) {
        this.session = around.session;
        this.text = around.text;
        this.keys = null;
        this.values = around.values;
        this.types = around.types;
        this.execution = execution();
        this.watch = around.watch;
        this.run = new StatementRun(watch, session.activity()); // never begins
        this.changes = new ChangeRun(this, session, execution, run);
        use(around.compiled.of(explained));
        execution.analysis(analysis);
        execution.given(session.given());
    }

    private void use(Compiler.Compiled planned) {
        compiled = planned;
        execution.parameters(given(values));
        columns = planned.columns();
        isQuery = returnsRows(planned.command());
    }

    /// Parameter values for a run: `parameters`, or the extracted literals if the plan is shared, as it has no
    /// parameters then. The result may change whenever the statement is replanned.
    Row given(Row parameters) {
        LiteralBindings literals = compiled.literals();
        return literals == null ? parameters : literals.values();
    }

    private Execution execution() {
        Execution made =
                new Execution(
                        session.sql().clock(),
                        session.cancellation(),
                        session,
                        SubqueryRun::new,
                        values);
        made.files(session.files());
        made.bodies(session.sql().bodies());
        made.settings(session.settings());
        return made;
    }

    /// Runs the statement to its end, and returns the number of rows returned or changed.
    long measured(Analysis measuring) {
        measuring.begin();
        try {
            if (writes()) {
                return changes.write();
            }
            if (!isQuery) {
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
        return isQuery;
    }

    private boolean returnsRows(Command command) {
        return switch (command) {
            case Command.Query _, Command.Explain _, Command.LockingQuery _ -> true;
            case Command.RowChange change -> change.returning() != null && !keepsKeys();
            case Command.CopyTo _, Command.Definition _, Command.Control _ -> false;
            case Command.Chain chain -> returnsRows(chain.last());
            case Command.Block block -> !block.columns().isEmpty();
        };
    }

    /// Whether the returned rows were requested by the caller of prepare, not by the statement.
    private boolean keepsKeys() {
        return keys != null && !compiled.returnsBySelf();
    }

    @Override
    public List<OutputColumn> columns() {
        return keepsKeys() ? List.of() : columns;
    }

    @Override
    public List<Output> outputs() {
        return compiled.command() instanceof Command.Block call ? call.outputs() : List.of();
    }

    @Override
    public List<OutputColumn> keyColumns() {
        return keepsKeys() ? columns : List.of();
    }

    @Override
    public Result generatedKeys() {
        session.cancellation().enter();
        try {
            start();
            return returned();
        } catch (Error error) {
            throw exhausted(error);
        } finally {
            session.cancellation().leave();
        }
    }

    /// Discards the operators after a run exhausted memory or stack; the next run rebuilds them.
    private LimitException exhausted(Error error) {
        LimitException limit = Exhaustion.limit(error);
        if (result == null) {
            unmake();
        }
        return limit;
    }

    /// Result with the rows that the last change returned.
    private QueryResult returned() {
        Operator list = changes.returned();
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
    public Type currentParameter(int i) {
        Type type = compiled.parameters().get(i);
        Type element = type.element() == null ? type : type.element();
        if (element.name() != Type.Name.ENUM) {
            return type;
        }
        Note known = session.catalog().notes().get(element.labels().id());
        Type now = known instanceof EnumType labels ? Type.of(labels) : element;
        return type.element() == null ? now : Type.array(now);
    }

    @Override
    public boolean takes(int i, Type type) {
        return types.takes(i, type);
    }

    @Override
    public ValueTypes give(List<@Nullable Type> given) {
        if (!types.isLast(given)) {
            checkOpen();
            session.planning();
            session.cancellation().enter();
            try {
                plan(given);
            } catch (Error error) {
                throw exhausted(error);
            } finally {
                session.cancellation().leave();
            }
        }
        return types.types();
    }

    private void plan(List<@Nullable Type> given) {
        List<@Nullable Type> needed = types.needed(given);
        if (needed.equals(types.types().given())) {
            types.given(given, types.types());
            return;
        }
        closeResult();
        Catalog catalog = session.catalog();
        Compiler.Compiled fresh = session.sql().plans().get(text, keys, needed, catalog);
        types.given(given, new ValueTypes(needed, fresh.parameters()));
        use(fresh);
        unmake();
        following = Watch.ANEW;
    }

    /// Plans the statement within a batch for a row with values of the types `given`.
    void replan(ValueTypes given, Catalog catalog) {
        if (!given.given().equals(types.types().given())) {
            RowSink returned = changes.returnedSoFar();
            planAnew(catalog, given);
            changes.goOn(returned);
        }
    }

    @Override
    public Tuple values() {
        return values;
    }

    @Override
    public String explain() {
        Compiler.Compiled own = compiled.literals() == null ? compiled : alone();
        return String.join("\n", PlanText.of(own.command()));
    }

    /// The statement compiled with a plan of its own, which is not shared.
    private Compiler.Compiled alone() {
        return session.sql().plans().alone(text, keys, List.of(), compiled.catalog());
    }

    @Override
    public Result query() {
        session.cancellation().enter();
        try {
            return queried();
        } catch (Error error) {
            throw exhausted(error);
        } finally {
            session.cancellation().leave();
        }
    }

    private Result queried() {
        long entered = QUERY.enter();
        try {
            start();
            if (!isQuery) {
                throw wrongKind("This statement returns no rows: run it as an update");
            }
            run.begin(compiled);
            follow();
            if (writes()) {
                long logged = session.loggedBytes();
                changes.write();
                run.logged(session.loggedBytes() - logged);
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
        } catch (SqlException failure) {
            ended(failure);
            throw compiled.placed(failure);
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

    /// Cleans up after a query that failed before it had a result.
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
            transaction = session.tables().beginReadUnderLock();
            read = transaction;
        } else {
            session.tables().renew(transaction);
        }
        return session.temporary().shown(transaction);
    }

    private Operator operators() {
        if (compiled.command() instanceof Command.Query query) {
            return Operator.ofWhole(query.plan(), execution);
        }
        if (compiled.command() instanceof Command.Explain explain) {
            Estimate estimate = TableExpressions.estimate(session.tables().statistics()::of);
            return ListOperator.ofLines(Explanation.lines(explain, this, estimate));
        }
        throw new IllegalStateException(compiled.command() + " returns no rows");
    }

    @Override
    public List<String> warnings() {
        return execution.warnings();
    }

    @Override
    public long update() {
        session.cancellation().enter();
        try {
            return updatedOnce();
        } catch (Error error) {
            throw exhausted(error);
        } finally {
            session.cancellation().leave();
        }
    }

    private long updatedOnce() {
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
        } catch (SqlException failure) {
            ended(failure);
            throw compiled.placed(failure);
        } catch (RuntimeException | Error failure) {
            ended(failure);
            throw failure;
        } finally {
            UPDATE.exit(entered);
        }
    }

    private long updated() {
        if (isQuery) {
            throw wrongKind("This statement returns rows: run it as a query");
        }
        // The usual case; one type check is cheaper than the switch.
        if (compiled.command() instanceof Command.RowChange) {
            return changes.write();
        }
        return switch (compiled.command()) {
            case Command.RowChange _, Command.Definition _, Command.Chain _, Command.Block _ ->
                    changes.write();
            case Command.CopyTo copy -> copied(copy);
            case Command.Control control -> {
                ControlRun.run(control.statement(), session, compiled.source());
                yield 0;
            }
            case Command.Query _, Command.Explain _, Command.LockingQuery _ ->
                    throw new IllegalStateException("a query");
        };
    }

    /// Whether the command writes rows, or locks them.
    private boolean writes() {
        return !(compiled.command() instanceof Command.Query) // asks for one class in most runs
                && (compiled.command() instanceof Command.RowChange
                        || compiled.command() instanceof Command.Chain
                        || compiled.command() instanceof Command.Block
                        || compiled.command() instanceof Command.LockingQuery);
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
            return new CopyOutput(planned, execution)
                    .run(Operator.ofWhole(planned.plan(), execution));
        } finally {
            execution.release();
            if (own) {
                transaction.close();
            }
        }
    }

    /// Ends an execution with an error.
    private void ended(Throwable failure) {
        run.failed(failure);
        end();
        if (!endsTransaction()) {
            session.ended(failure);
        }
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

    /// Checks whether the operators of this run are to be measured.
    private void follow() {
        if (watch.following() != following) {
            follow(run.timesWanted());
        }
        if (followed != null) {
            followed.analysis().begin();
        }
    }

    /// @param once whether to time the operators of this run only
    private void follow(boolean once) {
        boolean was = followed != null;
        following = once ? Watch.ANEW : watch.following();
        followed = watch.follow(compiled.command(), once);
        if (!was && followed == null) {
            return;
        }
        execution.analysis(followed == null ? null : followed.analysis());
        run.follows(followed);
        unmake();
    }

    /// Discards the operators; the next run rebuilds them.
    private void unmake() {
        changes.unmake();
        operator = null;
        execution.reset();
    }

    /// Cancel flag of the session, which functions look for in their thread; null if it calls none.
    @Nullable Cancellation cancellation() {
        return compiled.plain() ? null : session.cancellation();
    }

    /// Records an error while rows of the result were read; the result is closed then.
    void failed(Throwable failure) {
        run.failed(failure);
        session.ended(failure);
    }

    /// `failure` with its position in the text of this statement.
    SqlException placed(SqlException failure) {
        return compiled.placed(failure);
    }

    @Override
    public long[] batch(List<? extends Row> rows, List<ValueTypes> rowTypes) {
        session.cancellation().enter();
        try {
            return updatedBatch(rows, rowTypes);
        } catch (Error error) {
            throw exhausted(error);
        } finally {
            session.cancellation().leave();
            execution.parameters(given(values));
        }
    }

    private long[] updatedBatch(List<? extends Row> rows, List<ValueTypes> rowTypes) {
        long entered = BATCH.enter();
        try {
            start();
            if (isQuery || !writes()) {
                throw wrongKind("Only INSERT, UPDATE and DELETE can be run as a batch");
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
            long[] counts = changes.write(rows, rowTypes);
            run.logged(session.loggedBytes() - logged);
            for (long count : counts) {
                run.rows(count);
            }
            end();
            return counts;
        } catch (SqlException failure) {
            ended(failure);
            throw compiled.placed(failure);
        } catch (RuntimeException | Error failure) {
            ended(failure);
            throw failure;
        } finally {
            BATCH.exit(entered);
        }
    }

    private SqlException wrongKind(String message) {
        return compiled.source().error(Kind.WRONG_STATEMENT_KIND, 0, message);
    }

    /// Memory used by its operators in this run; null if none.
    @Nullable QueryMemory memoryUsed() {
        return execution.memoryUsed();
    }

    /// Bytes that its operators hold at the moment in this run, by their own count.
    long memoryHeld() {
        QueryMemory memory = execution.memoryUsed();
        return memory == null ? 0 : memory.used();
    }

    Command command() {
        return compiled.command();
    }

    SqlText source() {
        return compiled.source();
    }

    /// Replans if the definitions have changed since, or the tables have become much larger or smaller.
    void replan(Catalog catalog) {
        if (!compiled.isGoodFor(catalog)) {
            planAnew(catalog, types.types());
        }
    }

    private void planAnew(Catalog catalog, ValueTypes asked) {
        Compiler.Compiled fresh = session.sql().plans().get(text, keys, asked.given(), catalog);
        if (execution.analysis() != null && fresh.command() instanceof Command.Explain explain) {
            fresh = fresh.of(explain.command());
        }
        List<Type> held = asked.held();
        for (int i = 0; i < held.size(); i++) {
            if (!Typing.isHeldAs(held.get(i), fresh.parameters().get(i))) {
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
        types.planned(asked);
        use(fresh);
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
        checkOpen();
        session.start();
        if (!endsTransaction()) {
            session.checkNotFailed();
        }
        closeResult();
    }

    private void checkOpen() {
        if (closed) {
            throw new ClosedException("The prepared statement has been closed", "");
        }
    }

    private boolean endsTransaction() {
        return compiled.command() instanceof Command.Control control
                && (control.statement() instanceof Statement.Commit
                        || control.statement() instanceof Statement.Rollback);
    }

    /// Whether an open result reads the session's write transaction.
    boolean readsWrites() {
        return result != null && result.shared();
    }

    /// Makes the open result independent of `change`, which its session is about to run.
    void keepResult(Command change) {
        QueryResult reading = result;
        if (reading == null || !reading.shared()) {
            return;
        }
        if (ReadWriteConflict.by(change, compiled.command(), session.catalog())) {
            keepResult();
        } else {
            reading.keepRow(columns);
        }
    }

    /// Detaches the open result from the session's write transaction.
    void keepResult() {
        QueryResult reading = result;
        if (reading != null && reading.shared()) {
            reading.keepRows(columns, session.cancellation(), execution.memory());
        }
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

    /// Closes `ending`, unless it is closed already.
    void closeResult(QueryResult ending) {
        if (result == ending) {
            closeResult();
        }
    }

    @Override
    public void close() {
        try {
            closeResult();
            changes.forgetReturned();
        } catch (Error error) {
            throw Exhaustion.limit(error);
        } finally {
            closed = true;
        }
    }
}
