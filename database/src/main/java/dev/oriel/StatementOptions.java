package dev.oriel;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// Options set before a statement runs: its rows, its time, the kind of its result. Some are hints that are
/// ignored.
abstract class StatementOptions implements Statement {
    private long rowsMax;
    private int timeoutSeconds;
    private int fetchSize;
    private boolean closeOnCompletion;
    private boolean poolable = this instanceof JdbcPreparedStatement;
    private boolean scrolls;

    abstract void checkOpen() throws SQLException;

    /// Number of rows after which a result ends.
    final long rowsMax() {
        return rowsMax == 0 ? Long.MAX_VALUE : rowsMax;
    }

    /// Time limit of an execution; 0 for none.
    final long timeoutMillis() {
        return 1_000L * timeoutSeconds;
    }

    final boolean closesOnCompletion() {
        return closeOnCompletion;
    }

    /// Whether its results can be read in any direction.
    final boolean scrolls() {
        return scrolls;
    }

    /// Sets the type of later results, one of [ResultSet]'s. Results that should follow the changes of others do not
    /// do so.
    final void resultsOf(int type) {
        scrolls = type != ResultSet.TYPE_FORWARD_ONLY;
    }

    @Override
    public int getMaxRows() throws SQLException {
        return (int) Math.min(getLargeMaxRows(), Integer.MAX_VALUE);
    }

    @Override
    public void setMaxRows(int rows) throws SQLException {
        setLargeMaxRows(rows);
    }

    @Override
    public long getLargeMaxRows() throws SQLException {
        checkOpen();
        return rowsMax;
    }

    @Override
    public void setLargeMaxRows(long rows) throws SQLException {
        checkOpen();
        checkNotNegative(rows, "limit of rows");
        rowsMax = rows;
    }

    @Override
    public int getQueryTimeout() throws SQLException {
        checkOpen();
        return timeoutSeconds;
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        checkOpen();
        checkNotNegative(seconds, "timeout");
        timeoutSeconds = seconds;
    }

    @Override
    public int getFetchSize() throws SQLException {
        checkOpen();
        return fetchSize;
    }

    /// A hint without effect for rows read in place.
    @Override
    public void setFetchSize(int rows) throws SQLException {
        checkOpen();
        checkNotNegative(rows, "fetch size");
        fetchSize = rows;
    }

    /// Refuses kinds of results that are unknown or not supported.
    static void checkResults(int type, int concurrency, int holdability) throws SQLException {
        if (concurrency == ResultSet.CONCUR_UPDATABLE) {
            throw SqlStates.unsupported(
                    "Updatable results are not supported yet; use CONCUR_READ_ONLY");
        }
        check(
                type == ResultSet.TYPE_FORWARD_ONLY
                        || type == ResultSet.TYPE_SCROLL_INSENSITIVE
                        || type == ResultSet.TYPE_SCROLL_SENSITIVE,
                "type of results",
                type);
        check(concurrency == ResultSet.CONCUR_READ_ONLY, "concurrency of results", concurrency);
        checkHoldability(holdability);
    }

    static void checkHoldability(int holdability) throws SQLException {
        if (holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT) {
            throw SqlStates.unsupported(
                    "Results that outlive a commit are not supported yet; use"
                            + " CLOSE_CURSORS_AT_COMMIT");
        }
        check(
                holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT,
                "holdability of results",
                holdability);
    }

    private static void check(boolean known, String what, int given) throws SQLException {
        if (!known) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "There is no " + what + " " + given + "; use a constant of ResultSet");
        }
    }

    static void checkNotNegative(long value, String what) throws SQLException {
        if (value < 0) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT, "A " + what + " cannot be negative: " + value);
        }
    }

    @Override
    public int getFetchDirection() throws SQLException {
        checkOpen();
        return ResultSet.FETCH_FORWARD;
    }

    /// A hint, which is ignored.
    @Override
    public void setFetchDirection(int direction) throws SQLException {
        checkOpen();
        JdbcResultSet.checkDirection(direction);
    }

    @Override
    public int getMaxFieldSize() throws SQLException {
        checkOpen();
        return 0;
    }

    @Override
    public void setMaxFieldSize(int bytes) throws SQLException {
        checkOpen();
        checkNotNegative(bytes, "field size");
        if (bytes > 0) {
            throw SqlStates.unsupported("Cutting values to a size is not supported; use SUBSTRING");
        }
    }

    @Override
    public void setEscapeProcessing(boolean enable) throws SQLException {
        checkOpen();
    }

    @Override
    public int getResultSetConcurrency() throws SQLException {
        checkOpen();
        return ResultSet.CONCUR_READ_ONLY;
    }

    @Override
    public int getResultSetType() throws SQLException {
        checkOpen();
        return scrolls ? ResultSet.TYPE_SCROLL_INSENSITIVE : ResultSet.TYPE_FORWARD_ONLY;
    }

    @Override
    public int getResultSetHoldability() throws SQLException {
        checkOpen();
        return ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        checkOpen();
        closeOnCompletion = true;
    }

    @Override
    public boolean isCloseOnCompletion() throws SQLException {
        checkOpen();
        return closeOnCompletion;
    }

    @Override
    public void setPoolable(boolean poolable) throws SQLException {
        checkOpen();
        this.poolable = poolable;
    }

    @Override
    public boolean isPoolable() throws SQLException {
        checkOpen();
        return poolable;
    }

    @Override
    public void setCursorName(String name) throws SQLException {
        throw SqlStates.unsupported("setCursorName is not supported yet");
    }
}
