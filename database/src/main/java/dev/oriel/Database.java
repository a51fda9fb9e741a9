package dev.oriel;

import dev.oriel.Engines.Lease;
import dev.oriel.internal.Layers;
import dev.oriel.io.DiskDirectory;
import dev.oriel.kv.Bucket;
import dev.oriel.kv.Buckets;
import dev.oriel.kv.Codec;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.sql.Session;
import dev.oriel.store.Progress;
import dev.oriel.store.RecoveryFigures;
import dev.oriel.store.StoreStats;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A database: the one entry point.
///
/// ```java
/// try (Database db = Database.open(Path.of("data")); Connection c = db.connect()) { ... }
/// ```
/// A folder can be opened repeatedly in one process: all handles and connections, also of JDBC, share one open
/// database. It is closed with the last of them. Safe for use by any number of threads; a connection belongs to
/// one thread at a time.
///
/// Errors are [dev.oriel.store.DatabaseException]s, except for JDBC's [SQLException]s. Calls that use the database
/// through a closed handle throw a [dev.oriel.store.ClosedException].
public final class Database implements AutoCloseable {
    private static final DatabaseOptions NEW = DatabaseOptions.defaults();

    static {
        Layers.named(Database::tables);
    }

    private final Lease lease;
    private final boolean readOnly;

    private Database(Lease lease, boolean readOnly) {
        this.lease = lease;
        this.readOnly = readOnly || lease.engine().options().readOnly();
    }

    /// Opens the database in the folder `path`, creating it if there is none. If this process has opened it already,
    /// the handles share it, with the options of the first opening.
    ///
    /// @throws dev.oriel.store.UsageException if something else is at `path`
    /// @throws dev.oriel.store.LimitException if another process has it open
    /// @throws dev.oriel.store.CorruptionException if an acknowledged commit cannot be restored
    public static Database open(Path path) {
        return new Database(Engines.open(path, null), false);
    }

    /// Opens the database in the folder `path` with `options`. If it is open for writing in this process already,
    /// a handle for reading only refuses just to write by SQL and to compact. Buckets and graphs that it gives out
    /// are the database's own, and write.
    ///
    /// @throws dev.oriel.store.UsageException if something else is at `path`, or if it is open in this process
    ///     with other options
    /// @throws dev.oriel.store.LimitException if another process has it open
    /// @throws dev.oriel.store.CorruptionException if an acknowledged commit cannot be restored
    public static Database open(Path path, DatabaseOptions options) {
        return new Database(Engines.open(path, options), options.readOnly());
    }

    /// A new database without files, gone when it and its connections are closed.
    public static Database inMemory() {
        return inMemory("");
    }

    /// The database without files of the URL `jdbc:oriel:mem:NAME`; it is gone when the last handle and connection
    /// is closed. With an empty name, a new one that no other call finds.
    public static Database inMemory(String name) {
        return new Database(Engines.memory(name, null), false);
    }

    /// The in-memory database `name`, opened with `options`; their durability is ignored.
    ///
    /// @throws dev.oriel.store.UsageException if it is open in this process with other options
    public static Database inMemory(String name, DatabaseOptions options) {
        return new Database(Engines.memory(name, options), options.readOnly());
    }

    /// The database of `tables` in `store`, which it closes: for tests with a disk and a clock of their own.
    static Database over(Store store, Tables tables, DatabaseOptions options) {
        return new Database(Engines.over(store, tables, options), false);
    }

    /// A handle for reading only on this database, to be closed by the caller. Its connections and transactions
    /// refuse to write, and no statement changes that. Buckets, maps and graphs that it gives out are the database's
    /// own, as with [#open(Path, DatabaseOptions)].
    public Database readOnly() {
        return new Database(lease.another(), true);
    }

    /// A new JDBC connection, in auto-commit mode. It keeps the database open until it is closed.
    ///
    /// @throws SQLException if this handle is closed
    public Connection connect() throws SQLException {
        try {
            return connect(lease.another(), readOnly);
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        } catch (Error e) {
            throw SqlStates.exception(e);
        }
    }

    /// A new JDBC connection in a bulk load, as after `BEGIN BULK`. Rows that it inserts are sorted in bounded
    /// memory. Its commit loads them into tables and indexes at once, bypassing the log; then it is a connection
    /// like others. No other transaction can write meanwhile; after a minute without a call it is rolled back. A
    /// duplicate key is refused at the commit, at the latest. Closed without a commit, it leaves nothing.
    ///
    /// ```java
    /// try (Connection load = db.bulk();
    ///         PreparedStatement insert = load.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
    ///     ...
    ///     load.commit();
    /// }
    /// ```
    ///
    /// @throws SQLException if the present writers do not end in time
    public Connection bulk() throws SQLException {
        Connection connection = connect();
        boolean begun = false;
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("BEGIN BULK");
            begun = true;
            return connection;
        } finally {
            if (!begun) {
                connection.close();
            }
        }
    }

    /// A connection that holds `lease` until it is closed.
    static Connection connect(Lease lease, boolean readOnly) {
        boolean connected = false;
        try {
            Engine engine = lease.engine();
            Session session = engine.sql().session();
            boolean reads = readOnly || engine.options().readOnly();
            session.rollbackAfterConflict(
                    engine.options().afterConflict() == AfterConflict.ROLLBACK);
            session.files(engine.options().fileAccess().of(engine.folder(), reads));
            JdbcConnection connection =
                    new JdbcConnection(
                            session,
                            new ConnectionOrigin(
                                    engine.url(),
                                    reads,
                                    engine.sql()::routines,
                                    () -> engine,
                                    lease::close));
            connected = true;
            return connection;
        } finally {
            if (!connected) {
                lease.close();
            }
        }
    }

    /// The bucket `name` with values as bytes: the table `bucket_NAME`, which is created if it is missing.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a bucket, or its table is something else
    public Bucket<byte[]> bucket(String name) {
        return buckets().bucket(name);
    }

    /// The bucket `name` with values that `codec` reads and writes.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a bucket, or its table is something else
    public <T> Bucket<T> bucket(String name, Codec<T> codec) {
        return buckets().bucket(name, codec);
    }

    /// The ordered map `name` of bytes to bytes: the table `map_NAME`, which is created if it is missing.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a map, or its table has other types
    @Incubating
    public OrderedMap<byte[], byte[]> map(String name) {
        return map(name, MapKey.bytes(), MapValue.bytes());
    }

    /// The ordered map `name` with keys and values of other types.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a map, or its table has other types
    @Incubating
    public <K, V> OrderedMap<K, V> map(String name, MapKey<K> keys, MapValue<V> values) {
        return buckets().map(name, keys, values);
    }

    /// Begins a transaction over rows, buckets and maps, at READ COMMITTED.
    public Transaction begin() {
        return begin(TransactionOptions.defaults());
    }

    /// Begins a transaction over rows, buckets and maps.
    ///
    /// @throws dev.oriel.store.UsageException if it is to write and this handle is for reading only
    public Transaction begin(TransactionOptions options) {
        if (readOnly && !options.readOnly()) {
            throw new UsageException(
                    "The database was opened for reading only; begin a read-only transaction", "");
        }
        return Transaction.begin(lease.another(), options);
    }

    /// Runs `work` in a transaction over rows, buckets and maps and commits it, with attempts for 30 seconds; see
    /// [#transact(TransactionOptions, Work)].
    public <R, E extends Exception> R transact(Work<R, E> work) throws E {
        return transact(TransactionOptions.defaults(), work);
    }

    /// Runs `work` in a transaction over rows, buckets and maps and commits it. After a conflict with another
    /// transaction or a deadlock it is rolled back and run again, after a pause of random length, until the options'
    /// timeout is over. So `work` may run several times, and must change nothing but the database. If it throws anything
    /// else, the transaction is rolled back.
    ///
    /// ```java
    /// long count = db.transact(TransactionOptions.defaults(), tx -> tx.bucket("hits").increment("page", 1, 1));
    /// ```
    ///
    /// @throws dev.oriel.store.ConflictException if the timeout is over and the last attempt met a conflict
    public <R, E extends Exception> R transact(TransactionOptions options, Work<R, E> work)
            throws E {
        return new Attempts(options.timeout()).run(() -> begin(options), work);
    }

    /// Work in a transaction.
    ///
    /// @param <R> its result
    /// @param <E> a checked exception that it throws
    @FunctionalInterface
    public interface Work<R, E extends Exception> {
        R run(Transaction transaction) throws E;
    }

    /// All buckets.
    @Incubating
    public Buckets buckets() {
        lease.checkOpen();
        return lease.engine().buckets();
    }

    /// Registers functions, aggregates and tables that are written in Java, for SQL to call. All connections have
    /// them until the database is closed; they are not stored.
    public Functions functions() {
        lease.checkOpen();
        return new Functions(lease.engine().sql());
    }

    /// Reads the whole database and returns its faults, a sentence each; empty if there are none.
    public List<String> check() {
        lease.checkOpen();
        return lease.engine().tables().check();
    }

    /// Like [#check()], and reports to `progress`: first one step per page, then the same number of steps for rows and
    /// index entries. An exception from `progress` ends the check.
    public List<String> check(Progress progress) {
        try (Lease held =
                lease.another()) { // closed by its user meanwhile, it ends after the check
            return held.engine().tables().check(progress);
        }
    }

    /// Gives back the space of files that a quiet database does not need, on the disk only: the shadow of the last
    /// checkpoint, and spare files of the log. Readers and writers continue, but the next writes take such space
    /// again, so this is for pauses.
    ///
    /// @throws dev.oriel.store.UsageException if this handle is for reading only
    public void giveBackSpace() {
        lease.checkOpen();
        if (readOnly) {
            throw new UsageException("The database was opened for reading only", "");
        }
        lease.engine().store().giveBackSpace();
    }

    /// The recovery of the opening: how much of the log was replayed, and in which time.
    @Incubating
    public RecoveryFigures recovery() {
        lease.checkOpen();
        return lease.engine().store().recovery();
    }

    Tables tables() {
        lease.checkOpen();
        return lease.engine().tables();
    }

    /// Starts the periodic removal of expired rows, for layers other than SQL whose tables have expiry. The
    /// removal shows only in the space they take. Through a handle for reading only nothing is removed.
    @Incubating
    public void keepSwept() {
        Buckets all = buckets();
        if (!readOnly) {
            all.startSweeper();
        }
    }

    /// Figures of the database at this moment.
    @Incubating
    public StoreStats stats() {
        lease.checkOpen();
        return lease.engine().store().stats();
    }

    /// Copies the database as it is now into the folder `target`, which must be empty or not exist, while readers
    /// and writers continue. The copy is a database like any other: open it in place, or [#restore] it. When this
    /// returns, it is on the disk; an incomplete copy does not open.
    ///
    /// @throws dev.oriel.store.UsageException if the folder is not empty
    /// @throws dev.oriel.store.CorruptionException if a page is damaged; there is no copy then
    /// @throws dev.oriel.store.StorageException if it cannot be written; there is no copy then
    public void backup(Path target) {
        backup(target, Progress.NONE);
    }

    /// Same as [#backup(Path)], and reports copied pages to `progress`. An exception from it ends the backup.
    public void backup(Path target, Progress progress) {
        try (Lease held = lease.another()) { // closed by its user meanwhile, it ends after the copy
            DatabaseOptions copied = NEW.withFileMode(held.engine().fileMode());
            held.engine().store().backup(Engine.directory(target, copied), progress);
        }
    }

    /// Writes the database as it is now as text into the new file `file`, while readers and writers continue: a zip
    /// of `schema.sql`, a script of SQL, and a file of CSV for each table. Buckets, maps and graphs are tables in it.
    /// A person can read it, and another version of Oriel can [#restore] it. When this returns, it is on the disk;
    /// until then there is no `file`.
    ///
    /// @throws dev.oriel.store.UsageException if the file exists
    /// @throws dev.oriel.store.LimitException if the disk is full; there is no file then
    /// @throws dev.oriel.store.StorageException if it cannot be written; there is no file then
    @Incubating
    public void dump(Path file) {
        dump(file, Progress.NONE);
    }

    /// Same as [#dump(Path)], and reports the number of rows written and of all rows to `progress`. An exception from
    /// it ends the dump.
    @Incubating
    public void dump(Path file, Progress progress) {
        try (Lease held = lease.another()) { // closed by its user meanwhile, it ends after the dump
            Engine engine = held.engine();
            DumpOutput.write(engine.tables(), file, engine.fileMode(), progress);
        }
    }

    /// Makes a database in the folder `target`, which must be empty or not exist, of `backup`: the folder of a
    /// database that is not open, or a dump, as a file or unpacked in a folder. The folder of a database is checked as
    /// a whole first. A dump is loaded beside `target`, which gets its name at the end. Nothing of `backup` is changed.
    ///
    /// @throws dev.oriel.store.UsageException if there is neither in `backup`, or if `target` is not empty
    /// @throws dev.oriel.store.CorruptionException if anything is wrong with it; `target` is empty then
    public static void restore(Path backup, Path target) {
        restore(backup, target, Progress.NONE);
    }

    /// Same as [#restore(Path, Path)], and reports to `progress`: pages, or the bytes of a dump that were read. An
    /// exception from it ends the restore.
    public static void restore(Path backup, Path target, Progress progress) {
        if (DumpSource.is(backup)) {
            DumpInput.restore(backup, target, progress);
            return;
        }
        DiskDirectory from = Engine.directory(backup, NEW.withReadOnly(true));
        Store.restore(from, Engine.directory(target, NEW.withFileMode(from.mode())), progress);
    }

    /// Returns free space to the file system, while readers and writers continue: pages move from the end of the
    /// data file to its beginning in small transactions. Pages that a reader still needs are cut off later, at the
    /// close at the latest.
    ///
    /// @throws dev.oriel.store.ConflictException if another transaction does not end in time; the progress until
    ///     then stays
    /// @throws dev.oriel.store.UsageException if this handle is for reading only
    public void compact() {
        compact(Progress.NONE);
    }

    /// [#compact()] that reports to `progress` between two transactions.
    public void compact(Progress progress) {
        lease.checkOpen();
        if (readOnly) {
            throw new UsageException("The database was opened for reading only", "");
        }
        lease.engine().store().compact(progress);
    }

    /// Compacts the database in the folder `path`, which must not be open. This gives back more than [#compact()]
    /// if tables were created late in the life of the database.
    ///
    /// @throws dev.oriel.store.UsageException if there is no database
    /// @throws dev.oriel.store.LimitException if it is open
    public static void compact(Path path, Progress progress) {
        DiskDirectory directory = Engine.directory(path, NEW.withReadOnly(true));
        Store.compact(directory, NEW.toStoreOptions(), progress);
    }

    /// Ends this handle; the database itself closes when no handle or connection uses it. A second call does
    /// nothing.
    @Override
    public void close() {
        lease.close();
    }

    /// The folder of the database; null if it is in memory.
    public @Nullable Path folder() {
        return lease.engine().folder();
    }

    /// The JDBC URL of this database.
    @Override
    public String toString() {
        return lease.engine().url();
    }
}
