package dev.oriel.sql.engine;

import dev.oriel.io.FileAccess;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.change.TemporaryChanges;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.SequenceFunctions;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.TransactionModes;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.watch.SessionActivity;
import dev.oriel.sql.watch.StatementRun;
import dev.oriel.store.BulkOptions;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Isolation;
import dev.oriel.store.TemporaryFile;
import dev.oriel.store.Transaction;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.engine.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A session in this process.
///
/// At READ COMMITTED a transaction of several statements has a store transaction only from its first write on.
/// Until then each query reads a snapshot of its own. From then on each statement refreshes the transaction's
/// snapshot. Above that level the first statement, even a query, takes the snapshot for all.
final class LocalSession implements Session, QueryMemory.Source {
    /// Number of attempts after which a statement in conflict gives up.
    private static final int ATTEMPTS_MAX = 100;

    private final Sql sql;
    private final Tables tables;
    private final SessionActivity activity;
    private final Cancellation cancellation = new Cancellation();

    /// Statements whose results are open, the newest last.
    private final List<PlannedStatement> open = new ArrayList<>();

    /// Sequence values that the session was given (CURRVAL).
    private final SequenceFunctions.Given given = new SequenceFunctions.Given();

    private @Nullable TableTransaction write;

    /// Snapshot of a read-only transaction of several statements.
    private @Nullable TableTransaction held;

    private Isolation isolation = Isolation.READ_COMMITTED;
    private boolean autoCommit = true;
    private boolean begun;

    /// Whether an execution has begun whose statement does not run yet: a cancel in between applies to it.
    private boolean executionBegun;

    /// Isolation level that BEGIN specified; null if none.
    private @Nullable Isolation begunLevel;

    /// Whether the transaction is READ ONLY or READ WRITE by its modes; null if they say neither.
    private @Nullable Boolean begunReadOnly;

    private boolean readOnly;

    /// Whether it stays read-only for good.
    private boolean refusesWrites;

    private boolean closed;
    private long loggedBytes;
    private FileAccess files = FileAccess.ALL;

    /// Whether a transaction of several statements can only be rolled back after a conflict.
    private boolean rollbackAfterConflict;

    /// Reason why the transaction can only be rolled back; null if it can be committed.
    private @Nullable Throwable failed;

    /// Memory budget of the session's statements; 0 for the database's.
    private long queryBytesMax;

    /// Measurement of commits called without a statement; null until the first of them.
    private @Nullable StatementRun commits;

    /// Whether its transaction belongs to an outer owner, which ends it.
    private boolean joined;

    private final Sharer sharer = new Sharer();
    private final TemporaryTables temporary;
    private final SessionSettings settings = new SessionSettings(this);
    private final NamedSavepoints savepoints = new NamedSavepoints(settings);
    private final SessionStatements statements = new SessionStatements(this);

    LocalSession(Sql sql, Tables tables) {
        this.sql = sql;
        this.tables = tables;
        this.temporary = new TemporaryTables(sql, tables);
        this.activity = sql.watch().opened(this);
    }

    /// Joins `transaction`: all statements belong to it, and its owner ends it after this session.
    void join(TableTransaction transaction) {
        autoCommit = false;
        joined = true;
        if (transaction.writable()) {
            isolation = transaction.isolation();
            write = transaction;
            activity.writer(transaction.writer());
        } else {
            isolation = Isolation.SNAPSHOT;
            readOnly(true);
            held = transaction;
        }
        activity.inTransaction(true);
    }

    @Override
    public void keepResults() {
        open.forEach(PlannedStatement::keepResult);
    }

    @Override
    public TableTransaction share(Consumer<Boolean> ended) {
        checkOpen();
        checkNotFailed();
        sharer.begin(inTransaction() || write != null, ended);
        return isReadOnly() ? held() : writing(false);
    }

    @Override
    public void owner(Object owner) {
        cancellation.owner(owner);
    }

    /// The write transaction; null if there is none.
    @Nullable TableTransaction write() {
        return write;
    }

    /// The write transaction for monitoring; null if its owner reports it.
    @Nullable TableTransaction seenWrite() {
        return joined ? null : write;
    }

    @Override
    public void closeWrittenResults() {
        closeResults(true);
    }

    @Override
    public void checkEndsTransactions() {
        if (joined) {
            throw state(
                    "The connection belongs to a transaction over several faces: commit or roll back"
                            + " that one");
        }
    }

    /// Activity of the session, for monitoring.
    SessionActivity activity() {
        return activity;
    }

    @Override
    public Prepared prepare(String text) {
        Prepared own = statements.of(text);
        return own == null ? prepared(text, null) : own;
    }

    @Override
    public Prepared prepare(String text, List<String> keys) {
        Prepared own = statements.of(text);
        return own == null ? prepared(text, List.copyOf(keys)) : own;
    }

    private Prepared prepared(String text, @Nullable List<String> keys) {
        planning();
        boolean done = false;
        cancellation.enter();
        try {
            Prepared prepared =
                    new PlannedStatement(this, text, keys, sql.plans().get(text, keys, catalog()));
            done = true;
            return prepared;
        } catch (Error error) {
            throw Exhaustion.limit(error);
        } finally {
            cancellation.leave();
            executionBegun &= done;
        }
    }

    /// At READ COMMITTED it includes newly committed definitions.
    @Override
    public Catalog catalog() {
        TableTransaction transaction = write;
        if (transaction == null) {
            return temporary.seen(held == null ? tables.catalog() : held.catalog());
        }
        if (transaction.catalog().version() < tables.catalog().version()) {
            try {
                beginStatement();
            } catch (DatabaseException _) {
                // The transaction has ended: its next statement fails, unless that is the ROLLBACK.
            }
        }
        return temporary.shown(transaction).catalog();
    }

    @Override
    public boolean autoCommit() {
        return autoCommit;
    }

    @Override
    public void autoCommit(boolean on) {
        checkOpen();
        if (on) {
            checkEndsTransactions();
        }
        if (on && !autoCommit) {
            commit();
        }
        autoCommit = on;
    }

    /// Begins a transaction, which lasts until COMMIT or ROLLBACK.
    void begin(Statement.Begin statement) {
        checkOpen();
        if (begun || write != null || held != null || !savepoints.isEmpty()) {
            throw state("A transaction is open already: COMMIT or ROLLBACK ends it");
        }
        if (statement.exclusive()) {
            checkMayWrite();
            write =
                    statement.bulk()
                            ? tables.beginBulk(BulkOptions.defaults())
                            : tables.beginExclusive();
            temporary.shown(write);
            activity.writer(write.writer());
        }
        begun = true;
        modes(statement.modes());
        activity.inTransaction(true);
    }

    /// Sets the modes of the transaction, which has done nothing yet.
    void modes(TransactionModes modes) {
        boolean worked = write != null || held != null;
        Refusals.check(modes, level(), isReadOnly(), refusesWrites, worked);
        begunLevel = modes.isolation() == null ? begunLevel : modes.isolation();
        if (modes.readOnly() != null) {
            begunReadOnly = modes.readOnly();
            given.readOnly(isReadOnly());
        }
    }

    /// Modes of the open transaction.
    TransactionModes modes() {
        return new TransactionModes(begunLevel, begunReadOnly);
    }

    boolean isReadOnly() {
        return begunReadOnly == null ? readOnly : begunReadOnly;
    }

    /// Isolation level of the open transaction, or of the next one.
    Isolation level() {
        Isolation own = begunLevel;
        return own == null ? isolation : own;
    }

    /// Whether statements belong to a transaction of several statements.
    boolean inTransaction() {
        return !autoCommit || begun;
    }

    @Override
    public void commit() {
        checkOpen();
        checkEndsTransactions();
        rollbackIfFailed();
        try {
            committed();
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    private void committed() {
        if (write == null) { // nothing is written: no commit to measure
            end(true);
            return;
        }
        StatementRun run = commits;
        if (run == null) {
            run = new StatementRun(sql.watch(), activity);
            commits = run;
        }
        Compiler.Compiled statement = sql.commitStatement();
        long logged = loggedBytes;
        run.begin(statement);
        try {
            end(true);
            run.logged(loggedBytes - logged);
        } catch (RuntimeException | Error failure) {
            run.failed(failure);
            throw failure;
        } finally {
            run.end(statement);
        }
    }

    /// Commits for a COMMIT statement, which is counted by itself.
    void commitOfStatement() {
        checkOpen();
        checkEndsTransactions();
        rollbackIfFailed();
        end(true);
    }

    @Override
    public void rollback() {
        checkOpen();
        checkEndsTransactions();
        try {
            end(false);
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    @Override
    public void rollbackAfterConflict(boolean on) {
        rollbackAfterConflict = on;
    }

    /// Called when a statement or the reading of its result fails with `failure`; may make the transaction
    /// rollback-only.
    void ended(Throwable failure) {
        if (rollbackAfterConflict
                && failure instanceof ConflictException conflict
                && conflict.mayPass()) {
            onlyRollback(failure);
        }
    }

    /// Marks the transaction of several statements as rollback-only, because of `reason`, and closes its results.
    void onlyRollback(Throwable reason) {
        if (failed == null && inTransaction()) {
            failed = reason;
            closeResults(false);
            if (joined && write != null) {
                write.onlyRollback(Refusals.rolledBack(reason));
            }
        }
    }

    /// @throws SqlException if the transaction can only be rolled back
    void checkNotFailed() {
        if (failed != null) {
            throw Refusals.failed(failed);
        }
    }

    /// Rolls back instead of committing, and throws, if the transaction can only be rolled back.
    private void rollbackIfFailed() {
        Throwable reason = failed;
        if (reason == null) {
            return;
        }
        end(false);
        throw Refusals.rolledBack(reason);
    }

    private void end(boolean commit) {
        closeResults(false);
        TableTransaction ending = joined ? null : write;
        TableTransaction seen = joined ? null : held;
        write = null;
        held = null;
        activity.writer(0);
        activity.inTransaction(false);
        begun = false;
        statements.ended(commit);
        begunLevel = null;
        begunReadOnly = null;
        given.readOnly(readOnly);
        failed = null;
        savepoints.clear();
        if (seen != null) {
            seen.close();
        }
        if (ending == null) {
            settings.ended(commit);
            sharer.end(commit);
            return;
        }
        finish(ending, commit);
    }

    /// Ends a transaction; the log bytes of its commit are added to [#loggedBytes()].
    private void finish(TableTransaction ending, boolean commit) {
        boolean committed = false;
        try (ending) {
            if (commit) {
                int before = activity.committing();
                try {
                    temporary.beforeCommit(ending);
                    loggedBytes += ending.commit().logBytes();
                    committed = true;
                } finally {
                    activity.state(before);
                }
            }
        } finally {
            settings.ended(committed);
            sharer.end(committed);
        }
    }

    /// Running total of log bytes written by its commits.
    long loggedBytes() {
        return loggedBytes;
    }

    @Override
    public void savepoint(String name) {
        checkOpen();
        if (!inTransaction()) {
            throw Refusals.noSavepoint();
        }
        checkNotFailed();
        try {
            savepoints.add(name, write == null ? null : write.savepoint(), begunReadOnly);
        } catch (Error error) {
            throw Exhaustion.limit(error);
        }
    }

    @Override
    public void rollbackTo(String name) {
        checkOpen();
        checkNotFailed();
        Transaction.Savepoint moment = savepoints.backTo(name);
        begunReadOnly = savepoints.wasReadOnly();
        given.readOnly(isReadOnly());
        if (moment != null && write != null) {
            try {
                closeResults(true);
                write.rollbackTo(moment);
            } catch (Error error) {
                onlyRollback(error); // may be half undone
                throw Exhaustion.limit(error);
            }
        }
    }

    @Override
    public void releaseSavepoint(String name) {
        checkOpen();
        checkNotFailed();
        Transaction.Savepoint moment = savepoints.release(name);
        if (moment != null && write != null) {
            write.release(moment);
        }
    }

    @Override
    public void isolation(Isolation level) {
        checkOpen();
        if (level != isolation && (write != null || held != null || !savepoints.isEmpty())) {
            throw state("The level of isolation cannot change inside a transaction: end it first");
        }
        isolation = level;
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    @Override
    public void readOnly(boolean on) {
        checkOpen();
        if (!on && refusesWrites) {
            throw new SqlException(Kind.READ_ONLY, Refusals.readOnly(true), -1, null);
        }
        if (on != readOnly && (write != null || held != null)) {
            throw Refusals.changedReadOnly();
        }
        readOnly = on;
        given.readOnly(on);
    }

    @Override
    public void refuseWrites() {
        readOnly(true);
        refusesWrites = true;
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public void queryBytesMax(long bytes) {
        checkOpen();
        if (bytes < 0) {
            throw new SqlException(
                    Kind.INVALID_PARAMETER,
                    "A statement cannot have less than 1 byte of memory: query_bytes_max is above"
                            + " 0, or 0 for the database's limit",
                    -1,
                    null);
        }
        queryBytesMax = bytes;
    }

    @Override
    public long bytesMax() {
        return queryBytesMax == 0 ? sql.queryBytesMax() : queryBytesMax;
    }

    @Override
    public @Nullable TemporaryFile file() {
        return tables.temporaryFile();
    }

    @Override
    public void files(FileAccess access) {
        files = access;
    }

    FileAccess files() {
        return files;
    }

    @Override
    public void cancel() {
        activity.cancelled();
        cancellation.request();
        tables.wakeWaiting();
    }

    @Override
    public void beginExecution(long timeoutMillis) {
        activity.timeoutMillis(timeoutMillis);
        cancellation.clear();
        executionBegun = true;
    }

    @Override
    public void close() {
        if (!closed) {
            try {
                end(false);
                temporary.drop();
            } catch (Error error) {
                throw Exhaustion.limit(error);
            } finally {
                closed = true;
                sql.watch().closed(activity);
            }
        }
    }

    // Accessors for prepared statements.

    Sql sql() {
        return sql;
    }

    Tables tables() {
        return tables;
    }

    SessionSettings settings() {
        return settings;
    }

    SessionStatements statements() {
        return statements;
    }

    TemporaryTables temporary() {
        return temporary;
    }

    SequenceFunctions.Given given() {
        return given;
    }

    Cancellation cancellation() {
        return cancellation;
    }

    /// Called before a statement is planned.
    void planning() {
        checkOpen();
        if (!executionBegun) {
            cancellation.clear();
        }
    }

    /// Called when a statement starts to run.
    void start() {
        planning();
        executionBegun = false;
    }

    /// The transaction that a query reads in; null if it takes a snapshot of its own.
    @Nullable TableTransaction reading() {
        if (write == null && level() != Isolation.READ_COMMITTED && inTransaction()) {
            if (isReadOnly() && temporary.schema().isEmpty()) {
                return held();
            }
            begunWriting(false);
        }
        beginStatement();
        return write;
    }

    private TableTransaction held() {
        TableTransaction transaction = held;
        if (transaction == null) {
            transaction = tables.beginRead();
            held = transaction;
        }
        return temporary.shown(transaction);
    }

    /// READ COMMITTED: moves to the newest snapshot. If open results still read the transaction, it keeps its
    /// snapshot.
    void beginStatement() {
        TableTransaction transaction = write;
        if (transaction != null) {
            temporary.shown(transaction);
            if (mayMove()) {
                transaction.refresh();
            }
        }
    }

    private boolean mayMove() {
        if (level() != Isolation.READ_COMMITTED) {
            return false;
        }
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).readsWrites()) {
                return false;
            }
        }
        return true;
    }

    /// Called before `change` is run: open results that read the write transaction keep the state before it.
    void keepResults(Command change) {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).keepResult(change);
        }
    }

    /// Whether a statement that conflicts with another transaction may run again: at READ COMMITTED, or if it is
    /// alone in its transaction. Open results are then detached from the transaction.
    boolean mayTryAgain(ConflictException conflict, int attempt) {
        return switch (conflict.reason()) {
            case CHANGED -> attempt < ATTEMPTS_MAX && (!inTransaction() || moves());
            case DEADLOCK -> attempt < ATTEMPTS_MAX && !inTransaction();
            case LOCKED, INTERRUPTED, SNAPSHOT_TOO_OLD, IDLE -> false;
        };
    }

    /// READ COMMITTED: has open results read the rest of their rows, so that the transaction can move on. They read
    /// other tables than the failed statement has written to, or [#keepResults] detached them before it.
    private boolean moves() {
        if (level() != Isolation.READ_COMMITTED) {
            return false;
        }
        keepResults();
        return true;
    }

    /// Undoes the writes of the statement so far, to run it again on the newest snapshot. It keeps its locks, so
    /// that it gets further each time; after a deadlock it releases them.
    @SuppressWarnings("ReferenceEquality") // same transaction
    void rewind(
            TableTransaction transaction,
            Transaction.@Nullable Savepoint savepoint,
            ConflictException conflict,
            int attempt) {
        if (conflict.reason() == ConflictException.Reason.DEADLOCK) {
            endStatement(false); // releases its locks too
            LockSupport.parkNanos(
                    ThreadLocalRandom.current().nextLong(50_000L << Math.min(attempt, 10)));
        } else if (!inTransaction()) {
            if (transaction == write) { // else its commit has ended it
                transaction.restart();
            }
        } else {
            if (savepoint != null) {
                transaction.rollbackTo(savepoint);
                transaction.release(savepoint);
            }
            temporary.shown(transaction).refresh();
        }
    }

    /// Checks for the statement `source`, which runs `command`: a read-only transaction may change temporary tables.
    void checkMayWrite(SqlText source, Command command) {
        if (isReadOnly() && (joined || refusesWrites || !TemporaryChanges.are(command))) {
            throw source.error(Kind.READ_ONLY, 0, Refusals.readOnly(refusesWrites));
        }
    }

    private void checkMayWrite() {
        if (isReadOnly()) {
            throw new SqlException(Kind.READ_ONLY, Refusals.readOnly(refusesWrites), -1, null);
        }
    }

    /// The transaction to write in; begins one if there is none.
    ///
    /// @param exclusive for a change of definitions: waits for other exclusive transactions at the beginning, since
    ///     a later upgrade may deadlock with them
    TableTransaction writing(boolean exclusive) {
        checkMayWrite();
        return begunWriting(exclusive);
    }

    /// Like [#writing], also in a read-only transaction, which may change temporary tables.
    TableTransaction begunWriting(boolean exclusive) {
        TableTransaction transaction = write;
        if (transaction == null) {
            transaction = exclusive ? tables.beginExclusive() : tables.beginWrite(level());
            write = transaction;
            activity.writer(transaction.writer());
            activity.inTransaction(inTransaction());
            savepoints.begin(transaction);
        }
        return temporary.shown(transaction);
    }

    /// Ends the transaction of a single statement.
    void endStatement(boolean commit) {
        TableTransaction ending = write;
        write = null;
        if (ending != null) {
            activity.writer(0);
            finish(ending, commit);
        }
    }

    void opened(PlannedStatement statement) {
        open.add(statement);
    }

    void closed(PlannedStatement statement) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i) == statement) {
                open.remove(i);
                return;
            }
        }
    }

    void checkOpen() {
        if (closed) {
            throw new ClosedException("The session has been closed", "");
        }
    }

    /// Closes all results, or only the results that read the write transaction, before a change to their tables.
    void closeResults(boolean onlyWritten) {
        for (PlannedStatement statement : List.copyOf(open)) {
            if (!onlyWritten || statement.readsWrites()) {
                statement.closeResult();
            }
        }
    }

    private static SqlException state(String message) {
        return Refusals.state(message);
    }
}
