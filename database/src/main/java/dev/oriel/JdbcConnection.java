package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.engine.Routine;
import dev.oriel.store.Isolation;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.lang.System.Logger.Level;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A connection: a session of the engine.
///
/// Any thread may call it, its statements and its results: a call waits until no call of another thread runs.
/// `close`, `abort` and `rollback` cancel the statement that runs.
final class JdbcConnection extends UnsupportedConnection {
    private static final int CANCELS_MAX = 100;
    private static final long CANCEL_MILLIS = 20;

    private final Session session;
    private final ConnectionOrigin origin;
    private final OpenResults results = new OpenResults();
    private final Properties clientInfo = new Properties();
    private final CallLock guard;
    private int savepoints;
    private int networkTimeoutMillis;

    /// Whether new calls are refused.
    private volatile boolean closed;

    /// Whether the session is closed. Changed within calls.
    private boolean released;

    private final ConnectionTransaction transactions;

    JdbcConnection(Session session, ConnectionOrigin origin) {
        this(session, origin, new CallLock(), null);
    }

    /// @param guard taken by each of its calls, and by calls of other faces of its transaction
    /// @param transaction the transaction to which the connection belongs; null if it has transactions of its own
    JdbcConnection(
            Session session,
            ConnectionOrigin origin,
            CallLock guard,
            @Nullable Transaction transaction) {
        this.session = session;
        this.guard = guard;
        guard.reads(() -> !results.isEmpty());
        this.transactions = new ConnectionTransaction(this, guard, transaction);
        session.owner(this);
        this.origin = origin;
        if (origin.readOnly()) {
            session.refuseWrites();
        }
    }

    Session session() {
        return session;
    }

    /// The connection's transaction over several faces.
    ConnectionTransaction transactions() {
        return transactions;
    }

    ConnectionOrigin origin() {
        return origin;
    }

    CallLock lock() {
        return guard;
    }

    /// A call begins; it waits until no call of another thread runs.
    void enter() {
        guard.enter();
    }

    /// A call ends. If the connection was closed from outside meanwhile, the session ends with the outermost
    /// call.
    void exit() {
        if (closed && guard.isOutermost()) {
            closeHandedOver();
        }
        guard.exit();
    }

    /// A read of a result ends. If the connection was closed from outside meanwhile, the session ends with it.
    void readEnded() {
        if (closed) {
            enter();
            exit();
        }
    }

    private void closeHandedOver() {
        try {
            release();
        } catch (SQLException | RuntimeException e) {
            // The call that ends has a result of its own, and close() has returned long ago.
            System.getLogger("dev.oriel").log(Level.WARNING, "A connection was not closed well", e);
        }
    }

    String url() {
        return origin.url();
    }

    @Override
    public Struct createStruct(String typeName, @Nullable Object @Nullable [] attributes)
            throws SQLException {
        enter();
        try {
            checkOpen();
            UserType user = session.catalog().userType(SqlStates.given(typeName, "type"));
            if (attributes == null || !(user instanceof CompositeType)) {
                throw SqlStates.exception(
                        SqlStates.INVALID_ARGUMENT,
                        "A struct is of a composite type, and \""
                                + typeName
                                + "\" with these attributes is none: CREATE TYPE");
            }
            Type type = Type.of(user);
            return JdbcStruct.of(type, JdbcStruct.bytes(this, type, attributes));
        } finally {
            exit();
        }
    }

    @Override
    public Array createArrayOf(String typeName, @Nullable Object @Nullable [] elements)
            throws SQLException {
        enter();
        try {
            checkOpen();
            var _ = SqlStates.given(typeName, "type of the elements");
            if (elements == null) {
                throw SqlStates.exception(SqlStates.INVALID_ARGUMENT, "An array needs elements");
            }
            try {
                Type element = JdbcArray.elementType(session.catalog(), typeName);
                // Converted now, so that an element that does not fit is an error here.
                return JdbcArray.of(this, element, ArrayParameter.tuple(this, element, elements));
            } catch (SqlException unknown) {
                throw SqlStates.exception(unknown);
            }
        } finally {
            exit();
        }
    }

    Catalog catalog() throws SQLException {
        enter();
        try {
            checkOpen();
            try {
                return session.catalog();
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    List<Routine> routines() throws SQLException {
        checkOpen();
        List<Routine> all = new ArrayList<>(origin.routines().get());
        all.addAll(Routine.defined(catalog()));
        return all;
    }

    void checkOpen() throws SQLException {
        if (closed) {
            throw SqlStates.exception(SqlStates.CONNECTION_CLOSED, "The connection is closed");
        }
    }

    OpenResults results() {
        return results;
    }

    Prepared prepare(String sql) throws SQLException {
        enter();
        try {
            return prepare(sql, null);
        } finally {
            exit();
        }
    }

    /// @param keys columns to return of changed rows, see [Session#prepare(String, List)]; null for none
    Prepared prepare(String sql, @Nullable List<String> keys) throws SQLException {
        enter();
        try {
            checkOpen();
            session.beginExecution(0);
            return planned(sql, keys);
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        } finally {
            exit();
        }
    }

    /// [#prepare] within an execution that has begun. Errors are the engine's.
    Prepared planned(String sql, @Nullable List<String> keys) throws SQLException {
        checkOpen();
        String plain = Escapes.plain(sql);
        return keys == null ? session.prepare(plain) : session.prepare(plain, keys);
    }

    @Override
    public Statement createStatement() throws SQLException {
        checkOpen();
        return new JdbcStatement(this);
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return createStatement(type, concurrency, ResultSet.CLOSE_CURSORS_AT_COMMIT);
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability)
            throws SQLException {
        checkOpen();
        StatementOptions.checkResults(type, concurrency, holdability);
        JdbcStatement statement = new JdbcStatement(this);
        statement.resultsOf(type);
        return statement;
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return new JdbcPreparedStatement(this, prepare(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency)
            throws SQLException {
        return prepareStatement(sql, type, concurrency, ResultSet.CLOSE_CURSORS_AT_COMMIT);
    }

    @Override
    public PreparedStatement prepareStatement(
            String sql, int type, int concurrency, int holdability) throws SQLException {
        checkOpen();
        StatementOptions.checkResults(type, concurrency, holdability);
        JdbcPreparedStatement statement = new JdbcPreparedStatement(this, prepare(sql));
        statement.resultsOf(type);
        return statement;
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int keys) throws SQLException {
        return new JdbcPreparedStatement(this, prepare(sql, JdbcStatement.keys(keys)));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
        return new JdbcPreparedStatement(this, prepare(sql, JdbcStatement.keys(columns)));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
        return new JdbcPreparedStatement(this, prepare(sql, JdbcStatement.keys(columns)));
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        CallText call = CallText.of(sql, routines());
        return new JdbcCallableStatement(this, prepare(call.sql()), call);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency)
            throws SQLException {
        return prepareCall(sql, type, concurrency, ResultSet.CLOSE_CURSORS_AT_COMMIT);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        checkOpen();
        StatementOptions.checkResults(type, concurrency, holdability);
        CallText call = CallText.of(sql, routines());
        JdbcCallableStatement statement =
                new JdbcCallableStatement(this, prepare(call.sql()), call);
        statement.resultsOf(type);
        return statement;
    }

    @Override
    public String nativeSQL(String sql) throws SQLException {
        checkOpen();
        return Escapes.plain(sql);
    }

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        enter();
        try {
            checkOpen();
            if (on == session.autoCommit()) {
                return;
            }
            if (on) {
                results.end();
            }
            try {
                session.autoCommit(on);
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        checkOpen();
        return session.autoCommit();
    }

    @Override
    public void commit() throws SQLException {
        enter();
        try {
            checkTransaction("commit");
            try {
                session.checkEndsTransactions();
                results.end();
                session.commit();
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    @Override
    public void rollback() throws SQLException {
        if (!guard.tryEnter() && !cancelAndEnter()) {
            enter();
        }
        try {
            checkTransaction("roll back");
            try {
                session.checkEndsTransactions();
                results.end();
                session.rollback();
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    private void checkTransaction(String what) throws SQLException {
        checkOpen();
        if (session.autoCommit()) {
            throw SqlStates.exception(
                    SqlStates.NO_TRANSACTION,
                    "There is nothing to "
                            + what
                            + " in auto-commit mode; use setAutoCommit(false)");
        }
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        enter();
        try {
            return setSavepoint(null);
        } finally {
            exit();
        }
    }

    @Override
    public Savepoint setSavepoint(@Nullable String name) throws SQLException {
        enter();
        try {
            checkTransaction("save");
            JdbcSavepoint savepoint = new JdbcSavepoint(this, ++savepoints, name);
            try {
                session.savepoint(savepoint.sessionName());
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
            return savepoint;
        } finally {
            exit();
        }
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        enter();
        try {
            checkTransaction("roll back");
            String name = nameOf(savepoint);
            results.detach();
            try {
                session.rollbackTo(name);
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        enter();
        try {
            checkTransaction("release");
            String name = nameOf(savepoint);
            try {
                session.releaseSavepoint(name);
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    private String nameOf(Savepoint savepoint) throws SQLException {
        if (savepoint instanceof JdbcSavepoint own && own.connection() == this) {
            return own.sessionName();
        }
        var _ = SqlStates.given(savepoint, "savepoint");
        throw SqlStates.exception(
                SqlStates.SAVEPOINT, "The savepoint belongs to another connection");
    }

    /// Closes it from any thread. If a call of another thread runs, its statement is cancelled; if that takes
    /// long, the session is closed when the call ends.
    @Override
    public void close() throws SQLException {
        closed = true;
        if (guard.tryEnter() || cancelAndEnter()) {
            try {
                if (guard.isOutermost()) { // else the enclosing call is still running
                    release();
                }
            } finally {
                guard.exit();
            }
        }
    }

    /// Cancels the running call repeatedly until the guard is free, since a call that is about to begin forgets
    /// it; false after a while.
    private boolean cancelAndEnter() {
        for (int i = 0; i < CANCELS_MAX; i++) {
            session.cancel();
            if (guard.enterWithin(CANCEL_MILLIS)) {
                return true;
            }
        }
        return false;
    }

    /// Ends the session, once; no further call begins. Called within a call.
    void release() throws SQLException {
        closed = true;
        if (released) {
            return;
        }
        released = true;
        results.end();
        try {
            session.close();
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        } finally {
            releaseOrigin();
        }
    }

    private void releaseOrigin() throws SQLException {
        try {
            origin.release().run();
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /// Ends the running statement, and lets no call begin. The session is closed by `executor`, or when a running
    /// call ends. If the connection belongs to a transaction over several faces, that is rolled back.
    @Override
    public void abort(Executor executor) throws SQLException {
        var _ = SqlStates.given(executor, "executor");
        if (!closed) {
            closed = true;
            session.cancel();
            executor.execute(this::closeAborted);
        }
    }

    private void closeAborted() {
        try {
            close();
            transactions.abort();
        } catch (SQLException e) {
            System.getLogger("dev.oriel").log(Level.WARNING, "A connection was not closed well", e);
        }
    }

    @Override
    public boolean isValid(int timeoutSeconds) throws SQLException {
        StatementOptions.checkNotNegative(timeoutSeconds, "timeout");
        if (closed) {
            return false;
        }
        try (Statement statement = createStatement()) {
            statement.setQueryTimeout(timeoutSeconds);
            try (ResultSet one = statement.executeQuery("SELECT 1")) {
                return one.next();
            }
        } catch (SQLException _) {
            // The answer is no; the next statement will tell the reason.
            return false;
        }
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        checkOpen();
        return new JdbcDatabaseMetaData(this);
    }

    @Override
    public void setReadOnly(boolean on) throws SQLException {
        enter();
        try {
            checkOpen();
            try {
                session.readOnly(on);
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        checkOpen();
        return session.readOnly();
    }

    /// READ UNCOMMITTED is granted as READ COMMITTED, which promises more.
    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        enter();
        try {
            checkOpen();
            Isolation isolation =
                    switch (level) {
                        case TRANSACTION_READ_UNCOMMITTED, TRANSACTION_READ_COMMITTED ->
                                Isolation.READ_COMMITTED;
                        case TRANSACTION_REPEATABLE_READ -> Isolation.SNAPSHOT;
                        case TRANSACTION_SERIALIZABLE -> Isolation.SERIALIZABLE;
                        default ->
                                throw SqlStates.exception(
                                        SqlStates.INVALID_ARGUMENT,
                                        "No such isolation level: " + level);
                    };
            try {
                session.isolation(isolation);
            } catch (RuntimeException e) {
                throw SqlStates.exception(e);
            }
        } finally {
            exit();
        }
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        enter();
        try {
            checkOpen();
            return switch (session.isolation()) {
                case READ_COMMITTED -> TRANSACTION_READ_COMMITTED;
                case SNAPSHOT -> TRANSACTION_REPEATABLE_READ;
                case SERIALIZABLE -> TRANSACTION_SERIALIZABLE;
            };
        } finally {
            exit();
        }
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        checkOpen();
        StatementOptions.checkHoldability(holdability);
    }

    @Override
    public int getHoldability() throws SQLException {
        checkOpen();
        return ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    /// There are no catalogs, so this is ignored, as JDBC asks.
    @Override
    public void setCatalog(String catalog) throws SQLException {
        checkOpen();
    }

    @Override
    public @Nullable String getCatalog() throws SQLException {
        checkOpen();
        return null;
    }

    @Override
    public void setSchema(@Nullable String schema) throws SQLException {
        checkOpen();
        String quoted = schema == null ? "DEFAULT" : JdbcDatabaseMetaData.quoted(schema);
        if (schema != null && catalog().schema(schema) == null) {
            throw SqlStates.exception(SqlStates.UNKNOWN_SCHEMA, "There is no schema " + quoted);
        }
        try (Statement statement = createStatement()) {
            statement.execute("SET search_path TO " + quoted);
        }
    }

    @Override
    public @Nullable String getSchema() throws SQLException {
        checkOpen();
        return MetaDataListings.called(catalog().current());
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        checkOpen();
        return Map.of();
    }

    /// Time after which a running statement closes the connection; 0 for no limit. There is no network, so this
    /// limits the statement's own time, including waits for locks.
    @Override
    public int getNetworkTimeout() throws SQLException {
        checkOpen();
        return networkTimeoutMillis;
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        checkOpen();
        var _ = SqlStates.given(executor, "executor");
        StatementOptions.checkNotNegative(milliseconds, "network timeout");
        networkTimeoutMillis = milliseconds;
    }

    int networkTimeoutMillis() {
        return networkTimeoutMillis;
    }

    /// Closes it after a statement has outrun the network timeout, on that statement's thread.
    void lost() {
        try {
            close();
        } catch (SQLException alsoFailed) {
            closed = true;
        }
    }

    @Override
    public Blob createBlob() throws SQLException {
        checkOpen();
        return new BytesBlob(new byte[0]);
    }

    @Override
    public Clob createClob() throws SQLException {
        return createNClob();
    }

    @Override
    public NClob createNClob() throws SQLException {
        checkOpen();
        return new TextClob("");
    }

    /// Kept for `getClientInfo`; the engine makes no use of it.
    @Override
    public void setClientInfo(String name, @Nullable String value) throws SQLClientInfoException {
        checkInfo(name, "name");
        if (value == null) {
            clientInfo.remove(name);
        } else {
            clientInfo.setProperty(name, value);
        }
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        checkInfo(properties, "set of properties");
        clientInfo.clear();
        clientInfo.putAll(properties);
    }

    private void checkInfo(@Nullable Object given, String what) throws SQLClientInfoException {
        try {
            checkOpen();
            var _ = SqlStates.given(given, what);
        } catch (SQLException refused) {
            throw new SQLClientInfoException(
                    refused.getMessage(), refused.getSQLState(), Map.of(), refused);
        }
    }

    @Override
    public @Nullable String getClientInfo(String name) throws SQLException {
        checkOpen();
        return clientInfo.getProperty(SqlStates.given(name, "name"));
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        checkOpen();
        Properties copy = new Properties();
        copy.putAll(clientInfo);
        return copy;
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        checkOpen();
        return null;
    }

    @Override
    public void clearWarnings() throws SQLException {
        checkOpen();
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
