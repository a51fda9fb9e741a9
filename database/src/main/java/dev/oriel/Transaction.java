package dev.oriel;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Joined;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.sql.engine.Sql;
import dev.oriel.store.ClosedException;
import dev.oriel.store.Durability;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.engine.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One transaction over several faces of a database: its connection, its buckets, its maps and its graphs
/// (`OrielGraph.in` of the module for graphs). All their changes are one commit, and each face sees the changes of
/// the others. All read one snapshot; at READ COMMITTED each call reads the newest committed state.
///
/// ```java
/// try (Transaction tx = db.begin()) {
///     try (Statement statement = tx.connection().createStatement()) {
///         statement.execute("UPDATE account SET balance = balance - 5 WHERE id = 1");
///     }
///     tx.bucket("counters").increment("transfers", 1, 1);
///     tx.commit();
/// }
/// ```
/// Any thread may call it and its faces: a call waits until no call of another thread runs. `close` cancels the
/// running statement. Closed without a commit it is rolled back. [Database#transact] begins one, commits it, and
/// retries after a conflict.
public final class Transaction implements AutoCloseable {
    private final Engine engine;

    /// Lease that keeps the database open until the end; null if a connection has it.
    private final Engines.@Nullable Lease lease;

    /// The connection that owns this transaction and alone ends it; null if there is none.
    private final @Nullable JdbcConnection owner;

    private final TableTransaction rows;
    private final CallLock calls;
    private final OpenTransactions.Entry entry;

    // Mostly empty; reading an empty one takes no memory. Changed within calls.

    private volatile List<JdbcConnection> connections = List.of();
    private Map<Object, Face> faces = Map.of();
    private List<Runnable> hooks = List.of();
    private final Joined joined = new Calls();

    /// Whether it has ended. Changed within calls.
    private volatile boolean ended;

    /// Whether it ended with a commit. Changed within calls.
    private boolean committed;

    /// A face that another module adds, see [#face].
    @Incubating
    public interface Face {
        /// The transaction has ended. Called within a call of it.
        ///
        /// @param committed whether it was committed
        void ended(boolean committed);
    }

    /// A moment of the transaction to which it can go back.
    public static final class Savepoint {
        private final Transaction owner;
        private final dev.oriel.store.Transaction.Savepoint moment;

        /// Number of hooks at this moment.
        private final int hooks;

        private Savepoint(Transaction owner, dev.oriel.store.Transaction.Savepoint moment) {
            this.owner = owner;
            this.moment = moment;
            this.hooks = owner.hooks.size();
        }
    }

    /// View of the transaction for its faces.
    private final class Calls implements Joined {
        @Override
        public TableTransaction rows() {
            checkOpen();
            return rows;
        }

        @Override
        public Tables tables() {
            return engine.tables();
        }

        @Override
        public boolean isWithinStatement() {
            return Sql.runningOwner() instanceof JdbcConnection running
                    && running.transactions().isOf(Transaction.this);
        }

        @Override
        public void keepResults() {
            if (owner != null) {
                owner.transactions().keepResults();
            }
            connections.forEach(connection -> connection.transactions().keepResults());
        }

        @Override
        public void enter() {
            calls.enter();
        }

        @Override
        public void exit() {
            calls.exit();
        }

        @Override
        public void afterCommit(Runnable action) {
            addHook(action);
        }
    }

    private Transaction(
            Engine engine,
            Engines.@Nullable Lease lease,
            @Nullable JdbcConnection owner,
            TableTransaction rows,
            CallLock calls,
            TransactionOptions options) {
        this.engine = engine;
        this.lease = lease;
        this.owner = owner;
        this.rows = rows;
        this.calls = calls;
        this.entry = engine.transactions().begun(this, options, rows, lease);
        if (owner != null) {
            entry.joinedBy("sql");
        }
    }

    /// Begins one that holds `lease` until it ends.
    static Transaction begin(Engines.Lease lease, TransactionOptions options) {
        boolean begun = false;
        try {
            Engine engine = lease.engine();
            TableTransaction rows =
                    options.readOnly()
                            ? engine.tables().beginRead()
                            : engine.tables().beginWrite(options.isolation());
            Durability durability = options.durability();
            if (durability != null && rows.writable()) {
                rows.durability(durability);
            }
            begun = true;
            return new Transaction(engine, lease, null, rows, new CallLock(), options);
        } finally {
            if (!begun) {
                lease.close();
            }
        }
    }

    /// The transaction of `owner`, in `rows`. Within a call of `owner`.
    static Transaction over(
            JdbcConnection owner, Engine engine, TableTransaction rows, CallLock calls) {
        return new Transaction(engine, null, owner, rows, calls, TransactionOptions.defaults());
    }

    /// The open transaction of a JDBC connection, over several faces: buckets, maps and graphs join the
    /// transaction of its statements. The connection alone commits it or rolls it back.
    ///
    /// ```java
    /// connection.setAutoCommit(false);
    /// Transaction tx = Transaction.of(connection);
    /// tx.map("log").put(key, value);
    /// connection.commit();
    /// ```
    ///
    /// @param connection one of this driver's, or one that unwraps to it, in a transaction of several statements:
    ///     auto-commit is off, or BEGIN was run. For a [#connection()], the result is the transaction that it
    ///     belongs to
    /// @throws SQLException if each statement is a transaction of its own
    @Incubating
    public static Transaction of(Connection connection) throws SQLException {
        return connection.unwrap(JdbcConnection.class).transactions().open();
    }

    /// The transaction of the caller. In a function that SQL calls it is the statement's, else the one whose work
    /// [Database#transact] runs in this thread. Null if there is none: a query in auto-commit mode has none, and
    /// [Database#begin] binds none to a thread. A function may read all faces of it, but not write: that would
    /// disturb the statement.
    @Incubating
    public static @Nullable Transaction current() {
        if (Sql.runningOwner() instanceof JdbcConnection running) {
            try {
                return running.transactions().open();
            } catch (SQLException _) {
                return null; // it has none
            }
        }
        return Attempts.current();
    }

    /// Whether it was committed or rolled back.
    boolean hasEnded() {
        return ended;
    }

    private void checkOpen() {
        if (ended) {
            throw new ClosedException("The transaction has ended; begin another one", "");
        }
    }

    /// A JDBC connection whose statements belong to the transaction. It refuses to commit, to roll back and to
    /// turn auto-commit on; its close ends its statements and results alone.
    ///
    /// @throws SQLException if the transaction has ended
    public Connection connection() throws SQLException {
        calls.enter();
        try {
            return usable();
        } finally {
            calls.exit();
        }
    }

    private JdbcConnection usable() throws SQLException {
        checkOpen();
        if (owner != null) {
            return owner;
        }
        for (JdbcConnection known : connections) {
            if (!known.isClosed()) {
                return known;
            }
        }
        JdbcConnection made;
        try {
            made =
                    new JdbcConnection(
                            engine.sql().session(rows),
                            new ConnectionOrigin(
                                    engine.url(),
                                    !rows.writable(),
                                    engine.sql()::routines,
                                    () -> engine,
                                    () -> {}),
                            calls,
                            this);
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        }
        List<JdbcConnection> all = new ArrayList<>(connections);
        all.add(made);
        connections = all;
        entry.joinedBy("sql");
        return made;
    }

    /// The bucket `name` with values as bytes. A bucket that is missing is created with the transaction.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a bucket, or its table is something else
    /// @throws dev.oriel.store.ClosedException if the transaction has ended
    public Bucket<byte[]> bucket(String name) {
        return bucket(name, Codec.bytes());
    }

    /// The bucket `name` with values that `codec` reads and writes.
    public <T> Bucket<T> bucket(String name, Codec<T> codec) {
        calls.enter();
        try {
            checkOpen();
            entry.joinedBy("bucket " + name);
            return engine.buckets().bucket(joined, name, codec);
        } finally {
            calls.exit();
        }
    }

    /// The ordered map `name` of bytes to bytes. A map that is missing is created with the transaction.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a map, or its table has other types
    /// @throws dev.oriel.store.ClosedException if the transaction has ended
    @Incubating
    public OrderedMap<byte[], byte[]> map(String name) {
        return map(name, MapKey.bytes(), MapValue.bytes());
    }

    /// The ordered map `name` with keys and values of other types; errors as for [#map(String)].
    @Incubating
    public <K, V> OrderedMap<K, V> map(String name, MapKey<K> keys, MapValue<V> values) {
        calls.enter();
        try {
            checkOpen();
            entry.joinedBy("map " + name);
            return engine.buckets().map(joined, name, keys, values);
        } finally {
            calls.exit();
        }
    }

    /// The face with the key `key`, for modules that add one, such as the graph: made by `make` at the first call.
    /// It reads and writes the rows of the transaction, within [Joined#enter()] and [Joined#exit()], and is told
    /// of the end. It neither commits nor rolls back.
    ///
    /// @param name its name in `sys.transactions`
    @Incubating
    public <F extends Face> F face(
            Object key, String name, Class<F> type, Function<Joined, F> make) {
        calls.enter();
        try {
            checkOpen();
            Face known = faces.get(key);
            if (known == null) {
                known = make.apply(joined);
                if (faces.isEmpty()) {
                    faces = new LinkedHashMap<>(2);
                }
                faces.put(key, known);
                entry.joinedBy(name);
            }
            return type.cast(known);
        } finally {
            calls.exit();
        }
    }

    /// Runs `action` after the commit, in the thread that commits; not after a rollback. An exception of
    /// one does not keep the others from running, undoes nothing, and reaches the caller of [#commit()].
    /// [#rollbackTo] forgets actions given after the savepoint; a savepoint of SQL forgets none.
    public void onCommit(Runnable action) {
        if (action == null) {
            throw new dev.oriel.store.UsageException("There is no action to run; pass one", "");
        }
        calls.enter();
        try {
            checkOpen();
            addHook(action);
        } finally {
            calls.exit();
        }
    }

    private void addHook(Runnable action) {
        if (hooks.isEmpty()) {
            hooks = new ArrayList<>(1);
        }
        hooks.add(action);
    }

    /// A moment to which [#rollbackTo] goes back, for all faces.
    public Savepoint savepoint() {
        calls.enter();
        try {
            checkOpen();
            return new Savepoint(this, rows.savepoint());
        } finally {
            calls.exit();
        }
    }

    /// Undoes the changes of all faces since `savepoint`, which stays. Ends later savepoints and forgets the later
    /// actions of [#onCommit].
    ///
    /// ```java
    /// Transaction.Savepoint before = tx.savepoint();
    /// tx.bucket("cart").remove("s-1");
    /// tx.rollbackTo(before);
    /// ```
    ///
    /// @throws dev.oriel.store.UsageException if `savepoint` is of another transaction, or a statement calls this
    public void rollbackTo(Savepoint savepoint) {
        calls.enter();
        try {
            checkOwn(savepoint);
            joined.checkMayWrite();
            if (owner != null) {
                owner.transactions().letGoOfResults();
            }
            connections.forEach(connection -> connection.transactions().letGoOfResults());
            rows.rollbackTo(savepoint.moment);
            if (hooks.size() > savepoint.hooks) {
                hooks.subList(savepoint.hooks, hooks.size()).clear();
            }
        } finally {
            calls.exit();
        }
    }

    /// Forgets `savepoint` and all later ones; the changes stay.
    ///
    /// @throws dev.oriel.store.UsageException if `savepoint` is of another transaction
    public void release(Savepoint savepoint) {
        calls.enter();
        try {
            checkOwn(savepoint);
            rows.release(savepoint.moment);
        } finally {
            calls.exit();
        }
    }

    private void checkOwn(Savepoint savepoint) {
        checkOpen();
        if (savepoint.owner != this) {
            throw new dev.oriel.store.UsageException(
                    "The savepoint belongs to another transaction; use one of this one", "");
        }
    }

    /// Commits the changes of all faces, and ends the transaction, in any case.
    ///
    /// @throws dev.oriel.store.ConflictException if it conflicts with another transaction; nothing is written
    /// @throws dev.oriel.table.definition.ConstraintException if a constraint does not hold; nothing is written
    public void commit() {
        calls.enter();
        try {
            checkOpen();
            checkEnds();
            boolean done = false;
            try {
                releaseConnections();
                rows.commit();
                done = true;
            } finally {
                end(done);
            }
        } finally {
            calls.exit();
        }
        runHooks();
    }

    /// Whether it has ended with a commit.
    boolean isCommitted() {
        calls.enter();
        try {
            return committed;
        } finally {
            calls.exit();
        }
    }

    /// Undoes the changes of all faces, and ends the transaction.
    ///
    /// @throws dev.oriel.store.UsageException if a JDBC connection owns the transaction
    public void rollback() {
        calls.enter();
        try {
            checkOpen();
            checkEnds();
            close();
        } finally {
            calls.exit();
        }
    }

    /// @throws dev.oriel.store.UsageException if a connection ends it, or a statement of it calls this
    private void checkEnds() {
        if (owner != null) {
            throw new dev.oriel.store.UsageException(
                    "The transaction is that of a JDBC connection: commit or roll back there", "");
        }
        joined.checkMayWrite();
    }

    /// The connection has ended it.
    void endWithConnection(boolean committed) {
        end(committed);
        if (committed) {
            runHooks();
        }
    }

    /// Rolls it back, unless it has ended. From any thread: a running statement of another one is cancelled. A
    /// connection's transaction stays open until the connection ends it.
    @Override
    public void close() {
        if (owner != null) {
            return;
        }
        if (!calls.tryEnter()) {
            connections.forEach(connection -> connection.session().cancel());
            calls.enter();
        }
        try {
            if (!ended) {
                try {
                    releaseConnections();
                } finally {
                    end(false);
                }
            }
        } finally {
            calls.exit();
        }
    }

    private void releaseConnections() {
        for (JdbcConnection connection : connections) {
            try {
                connection.release();
            } catch (SQLException e) {
                throw new dev.oriel.store.UsageException(
                        "A connection of the transaction cannot be closed; roll it back", "", e);
            }
        }
    }

    private void end(boolean done) {
        ended = true;
        committed = done;
        engine.transactions().ended(entry);
        try {
            faces.values().forEach(face -> face.ended(done));
        } finally {
            if (lease != null) {
                try {
                    rows.close();
                } finally {
                    lease.close();
                }
            }
        }
    }

    private void runHooks() {
        RuntimeException first = null;
        for (Runnable hook : hooks) {
            try {
                hook.run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
