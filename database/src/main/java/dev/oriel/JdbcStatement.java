package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.engine.Script;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement: runs one text at a time, and holds at most one result.
///
/// Its calls enter the guard of its connection; `cancel` does not.
class JdbcStatement extends StatementOptions {
    private static final long NO_COUNT = -1;

    private final JdbcConnection connection;
    private final List<String> batch = new ArrayList<>();
    private @Nullable Prepared prepared;
    private @Nullable JdbcResultSet results;

    /// Generated keys, if they were requested after the last execution.
    private @Nullable JdbcResultSet keys;

    private @Nullable Deadline deadline;
    private long updateCount = NO_COUNT;
    private @Nullable SQLWarning warnings;

    /// Results of a text of several statements that are still to be read.
    private List<Outcome> more = List.of();

    private volatile boolean closed;

    JdbcStatement(JdbcConnection connection) {
        this.connection = connection;
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        connection.enter();
        try {
            return queried(prepare(sql, null));
        } finally {
            connection.exit();
        }
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        return count(executeLargeUpdate(sql));
    }

    /// For several statements it is the count of the first.
    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        connection.enter();
        try {
            List<String> several = several(sql);
            if (several.size() < 2) {
                return updated(prepare(sql, null));
            }
            if (executeAll(several)) {
                begin();
                throw SqlStates.exception(
                        SqlStates.WRONG_STATEMENT,
                        "The first statement returns rows: use execute and getMoreResults");
            }
            return updateCount;
        } finally {
            connection.exit();
        }
    }

    /// Runs one statement, or several, separated by semicolons: one after the other, up to the first that fails.
    /// [#getMoreResults()] goes on to the results of the second and later ones.
    @Override
    public boolean execute(String sql) throws SQLException {
        connection.enter();
        try {
            List<String> several = several(sql);
            return several.size() < 2 ? executed(prepare(sql, null)) : executeAll(several);
        } finally {
            connection.exit();
        }
    }

    /// Outcome of one of several statements.
    private record Outcome(@Nullable JdbcResultSet rows, long count) {
        void close() throws SQLException {
            if (rows != null) {
                rows.close();
            }
        }
    }

    private static List<String> several(String sql) throws SQLException {
        int semicolon = SqlStates.given(sql, "statement").indexOf(';');
        if (semicolon < 0 || sql.substring(semicolon + 1).isBlank()) {
            return List.of();
        }
        String plain = Escapes.plain(sql);
        try {
            return Script.statements(plain);
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        }
    }

    /// Runs all; returns whether the first returns rows. Rows are read at once, since the next statement ends
    /// them.
    private boolean executeAll(List<String> several) throws SQLException {
        List<Outcome> outcomes = new ArrayList<>();
        int asked = scrolls() ? ResultSet.TYPE_SCROLL_INSENSITIVE : ResultSet.TYPE_FORWARD_ONLY;
        resultsOf(ResultSet.TYPE_SCROLL_INSENSITIVE);
        try {
            for (String one : several) {
                boolean rows = executed(prepare(one, null));
                outcomes.add(new Outcome(rows ? results : null, updateCount));
                results = null;
            }
        } catch (SQLException failure) {
            closeUnread(outcomes, failure);
            throw failure;
        } finally {
            resultsOf(asked);
        }
        more = outcomes;
        return nextOutcome();
    }

    /// Closes the results of the statements before the one with `failure`: they will not be read.
    private static void closeUnread(List<Outcome> outcomes, SQLException failure) {
        for (Outcome outcome : outcomes) {
            try {
                outcome.close();
            } catch (SQLException second) {
                failure.addSuppressed(second);
            }
        }
    }

    /// Goes to the outcome of the next statement of several; returns whether that is rows.
    private boolean nextOutcome() {
        Outcome next = more.getFirst();
        more = more.subList(1, more.size());
        results = next.rows;
        updateCount = next.count;
        return results != null;
    }

    @Override
    public int executeUpdate(String sql, int keys) throws SQLException {
        return count(executeLargeUpdate(sql, keys));
    }

    @Override
    public long executeLargeUpdate(String sql, int keys) throws SQLException {
        connection.enter();
        try {
            return updated(prepare(sql, keys(keys)));
        } finally {
            connection.exit();
        }
    }

    @Override
    public boolean execute(String sql, int keys) throws SQLException {
        connection.enter();
        try {
            return executed(prepare(sql, keys(keys)));
        } finally {
            connection.exit();
        }
    }

    @Override
    public int executeUpdate(String sql, String[] columns) throws SQLException {
        return count(executeLargeUpdate(sql, columns));
    }

    @Override
    public long executeLargeUpdate(String sql, String[] columns) throws SQLException {
        connection.enter();
        try {
            return updated(prepare(sql, keys(columns)));
        } finally {
            connection.exit();
        }
    }

    @Override
    public boolean execute(String sql, String[] columns) throws SQLException {
        connection.enter();
        try {
            return executed(prepare(sql, keys(columns)));
        } finally {
            connection.exit();
        }
    }

    @Override
    public int executeUpdate(String sql, int[] columns) throws SQLException {
        return count(executeLargeUpdate(sql, columns));
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columns) throws SQLException {
        connection.enter();
        try {
            return updated(prepare(sql, keys(columns)));
        } finally {
            connection.exit();
        }
    }

    @Override
    public boolean execute(String sql, int[] columns) throws SQLException {
        connection.enter();
        try {
            return executed(prepare(sql, keys(columns)));
        } finally {
            connection.exit();
        }
    }

    /// Columns by their positions in the table, from 1, in the engine's form.
    static List<String> keys(int[] columns) throws SQLException {
        List<String> keys = new ArrayList<>();
        for (int column : SqlStates.given(columns, "array of columns")) {
            if (column < 1) {
                throw SqlStates.exception(
                        SqlStates.INVALID_ARGUMENT,
                        "There is no column " + column + "; positions count from 1");
            }
            keys.add("#" + column);
        }
        return keys;
    }

    /// Columns by their names.
    static List<String> keys(String[] columns) throws SQLException {
        for (String column : SqlStates.given(columns, "array of columns")) {
            var _ = SqlStates.given(column, "name of a column");
        }
        return List.of(columns);
    }

    /// Columns that the engine is to return of changed rows: null for none, an empty list for their keys.
    static @Nullable List<String> keys(int keys) throws SQLException {
        return switch (keys) {
            case NO_GENERATED_KEYS -> null;
            case RETURN_GENERATED_KEYS -> List.of();
            default ->
                    throw SqlStates.exception(
                            SqlStates.INVALID_ARGUMENT, "No such choice of keys: " + keys);
        };
    }

    /// The statement that ran last, or null.
    @Nullable Prepared ran() {
        return prepared;
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        connection.enter();
        try {
            checkOpen();
            Prepared last = ran();
            if (last == null) {
                return new Listing().open(connection);
            }
            closeKeys();
            try {
                Columns columns = new Columns(last.keyColumns());
                JdbcResultSet opened =
                        new JdbcResultSet(this, columns, last.generatedKeys(), Long.MAX_VALUE);
                keys = opened;
                connection.results().add(opened);
                return opened;
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            connection.exit();
        }
    }

    /// Begins an execution of `sql`, to be run by [#queried], [#updated] or [#executed].
    private Prepared prepare(String sql, @Nullable List<String> keys) throws SQLException {
        begin();
        Prepared last = prepared;
        prepared = null;
        if (last != null) {
            release(last);
        }
        startDeadline();
        boolean done = false;
        try {
            Prepared next = connection.planned(sql, keys);
            prepared = next;
            if (!next.parameters().isEmpty()) {
                throw SqlStates.exception(
                        SqlStates.PARAMETER_MISSING,
                        "The statement has parameters: give them values through prepareStatement");
            }
            done = true;
            return next;
        } catch (RuntimeException e) {
            throw ended(e);
        } finally {
            if (!done) {
                finished();
            }
        }
    }

    /// Ends the last execution of this statement, before it runs again.
    final void begin() throws SQLException {
        checkOpen();
        warnings = null;
        closeResults();
    }

    private void closeResults() throws SQLException {
        JdbcResultSet last = results;
        results = null;
        updateCount = NO_COUNT;
        if (last != null) {
            last.close();
        }
        closeKeys();
        List<Outcome> unread = more;
        more = List.of();
        for (Outcome outcome : unread) {
            outcome.close();
        }
    }

    private void closeKeys() throws SQLException {
        JdbcResultSet last = keys;
        keys = null;
        if (last != null) {
            last.close();
        }
    }

    /// Runs a query, after [#begin].
    final JdbcResultSet query(Prepared statement) throws SQLException {
        startDeadline();
        return queried(statement);
    }

    private JdbcResultSet queried(Prepared statement) throws SQLException {
        if (!statement.isQuery()) {
            finished();
            throw SqlStates.exception(
                    SqlStates.WRONG_STATEMENT, "The statement returns no rows: use executeUpdate");
        }
        try {
            // The columns after the run, which replans if a definition has changed.
            Prepared.Result rows = statement.query();
            if (deadline != null) {
                deadline.leave();
            }
            return present(columnsOf(statement), rows);
        } catch (RuntimeException e) {
            throw ended(e);
        }
    }

    Columns columnsOf(Prepared statement) {
        return new Columns(statement.columns());
    }

    /// Makes `rows` the result of this statement, which ends with the transaction.
    private JdbcResultSet present(Columns columns, Prepared.Result rows) throws SQLException {
        long most = rowsMax();
        JdbcResultSet opened =
                scrolls()
                        ? new ScrollingResultSet(this, columns, rows, most)
                        : new JdbcResultSet(this, columns, rows, most);
        results = opened;
        connection.results().add(opened);
        return opened;
    }

    /// Makes `rows`, which are in memory, the result of this statement; it outlives the transaction.
    final JdbcResultSet presentListed(Columns columns, Prepared.Result rows) {
        JdbcResultSet listed = new JdbcResultSet(this, columns, rows, Long.MAX_VALUE).outliving();
        results = listed;
        return listed;
    }

    /// Runs anything but a query, after [#begin].
    final long update(Prepared statement) throws SQLException {
        startDeadline();
        return updated(statement);
    }

    private void warn(List<String> sentences) {
        for (String sentence : sentences) {
            SQLWarning warning = new SQLWarning(sentence, SqlStates.WARNING);
            if (warnings == null) {
                warnings = warning;
            } else {
                warnings.setNextWarning(warning);
            }
        }
    }

    private long updated(Prepared statement) throws SQLException {
        try {
            if (statement.isQuery()) {
                throw SqlStates.exception(
                        SqlStates.WRONG_STATEMENT, "The statement returns rows: use executeQuery");
            }
            connection.results().detach();
            updateCount = statement.update();
            warn(statement.warnings());
            return updateCount;
        } catch (RuntimeException e) {
            throw ended(e);
        } finally {
            finished();
        }
    }

    /// Runs either, after [#begin].
    final boolean execute(Prepared statement) throws SQLException {
        startDeadline();
        return executed(statement);
    }

    private boolean executed(Prepared statement) throws SQLException {
        if (statement.isQuery()) {
            var _ = queried(statement);
            return true;
        }
        var _ = updated(statement);
        return false;
    }

    /// Begins an execution, limited by the sooner of the statement's limit and the connection's.
    final void startDeadline() {
        finished(); // of a result closed by the end of its transaction
        long own = timeoutMillis();
        long whole = connection.networkTimeoutMillis();
        boolean ofConnection = whole > 0 && (own == 0 || whole < own);
        long millis = ofConnection ? whole : own;
        connection.session().beginExecution(millis);
        if (millis > 0) {
            Deadline limit = Deadline.start(connection.session(), millis, ofConnection);
            var _ = limit.enter();
            deadline = limit;
        }
    }

    /// The limit of the execution whose result is being read, if it has one.
    final @Nullable Deadline deadline() {
        return deadline;
    }

    /// The engine is done with the last execution.
    final void finished() {
        Deadline last = deadline;
        if (last != null) {
            deadline = null;
            last.end();
        }
    }

    /// [#failure] of an execution, which it ends.
    final SQLException ended(RuntimeException e) {
        SQLException failure = failure(e);
        finished();
        return failure;
    }

    /// Exception for an error of the engine while this statement ran.
    final SQLException failure(RuntimeException e) {
        Deadline limit = deadline;
        boolean cancelled =
                e instanceof SqlException sql && sql.kind() == SqlException.Kind.CANCELLED;
        if (cancelled && limit != null && limit.passed()) {
            return passed(limit, e);
        }
        return SqlStates.exception(e);
    }

    /// Exception for a passed `limit`. If it was the connection's, the connection is closed too.
    final SQLException passed(Deadline limit, @Nullable RuntimeException e) {
        if (!limit.ofConnection()) {
            return SqlStates.timeout(limit.millis() / 1_000, e);
        }
        SQLException failure =
                SqlStates.exception(
                        SqlStates.CONNECTION_LOST,
                        "The statement ran longer than the network timeout of "
                                + limit.millis()
                                + " ms, which closes the connection",
                        e);
        connection.lost();
        return failure;
    }

    /// Called by a result when it is closed.
    final void closed(JdbcResultSet result) throws SQLException {
        finished();
        connection.results().remove(result);
        if (closesOnCompletion() && result == results) {
            close();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.enter();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                closeResults();
            } finally {
                release();
            }
        } finally {
            connection.exit();
        }
    }

    /// Gives back the plan. A closed connection has done so already.
    void release() throws SQLException {
        if (prepared != null && !connection.isClosed()) {
            release(prepared);
        }
    }

    static void release(Prepared statement) throws SQLException {
        try {
            statement.close();
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        }
    }

    @Override
    public boolean isClosed() {
        return closed || connection.isClosed();
    }

    @Override
    final void checkOpen() throws SQLException {
        if (closed) {
            throw SqlStates.exception(SqlStates.STATEMENT_CLOSED, "The statement is closed");
        }
        connection.checkOpen();
    }

    @Override
    public void cancel() throws SQLException {
        if (isClosed()) { // any thread may ask
            throw SqlStates.exception(SqlStates.STATEMENT_CLOSED, "The statement is closed");
        }
        connection.session().cancel();
    }

    @Override
    public @Nullable ResultSet getResultSet() throws SQLException {
        connection.enter();
        try {
            checkOpen();
            return results;
        } finally {
            connection.exit();
        }
    }

    @Override
    public int getUpdateCount() throws SQLException {
        return count(getLargeUpdateCount());
    }

    @Override
    public long getLargeUpdateCount() throws SQLException {
        connection.enter();
        try {
            checkOpen();
            return updateCount;
        } finally {
            connection.exit();
        }
    }

    /// JDBC's form of counts: one too large for an int is unknown.
    static int count(long rows) {
        return rows > Integer.MAX_VALUE ? SUCCESS_NO_INFO : (int) rows;
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        connection.enter();
        try {
            return getMoreResults(CLOSE_CURRENT_RESULT);
        } finally {
            connection.exit();
        }
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        connection.enter();
        try {
            checkOpen();
            if (current != CLOSE_CURRENT_RESULT && current != CLOSE_ALL_RESULTS) {
                throw SqlStates.unsupported(
                        "Several results cannot be open at once; call getMoreResults(CLOSE_CURRENT_RESULT)");
            }
            if (more.isEmpty()) {
                begin();
                return false;
            }
            if (results != null) {
                JdbcResultSet last = results;
                results = null; // or it would close the statement too
                last.close();
            }
            return nextOutcome();
        } finally {
            connection.exit();
        }
    }

    @Override
    public void addBatch(String sql) throws SQLException {
        connection.enter();
        try {
            checkOpen();
            batch.add(SqlStates.given(sql, "statement"));
        } finally {
            connection.exit();
        }
    }

    @Override
    public void clearBatch() throws SQLException {
        connection.enter();
        try {
            checkOpen();
            batch.clear();
        } finally {
            connection.exit();
        }
    }

    @Override
    public int[] executeBatch() throws SQLException {
        return counts(executeLargeBatch());
    }

    static int[] counts(long[] rows) {
        int[] counts = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            counts[i] = count(rows[i]);
        }
        return counts;
    }

    /// Runs the texts in order, up to the first that fails.
    @Override
    public long[] executeLargeBatch() throws SQLException {
        connection.enter();
        try {
            checkOpen();
            List<String> texts = List.copyOf(batch);
            batch.clear();
            long[] counts = new long[texts.size()];
            for (int i = 0; i < counts.length; i++) {
                try {
                    counts[i] = executeLargeUpdate(texts.get(i));
                } catch (SQLException e) {
                    throw batchFailure(e, Arrays.copyOf(counts, i));
                }
            }
            return counts;
        } finally {
            connection.exit();
        }
    }

    static BatchUpdateException batchFailure(SQLException e, long[] done) {
        BatchUpdateException failure =
                new BatchUpdateException(
                        e.getMessage(), e.getSQLState(), e.getErrorCode(), done, e);
        failure.setNextException(e);
        return failure;
    }

    @Override
    public Connection getConnection() throws SQLException {
        checkOpen();
        return connection;
    }

    final JdbcConnection connection() {
        return connection;
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        checkOpen();
        return warnings;
    }

    @Override
    public void clearWarnings() throws SQLException {
        checkOpen();
        warnings = null;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Wrappers.unwrap(this, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return Wrappers.isFor(this, type);
    }
}
