package dev.oriel.kv;

import dev.oriel.store.ClosedException;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.TableSize;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.expiry.SweepPlace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// All buckets of a database; the composition root of this module.
///
/// Safe for use by any number of threads. When the first bucket is opened, a sweeper thread starts. It removes
/// expired entries, one slice of a table at a time; readers skip expired entries that are still there.
@SuppressWarnings("exports") // the tables are for other modules of ours
public final class Buckets implements AutoCloseable {
    /// Number of rows examined in one transaction of the sweeper.
    private static final long SLICE_ROWS = 2_000;

    /// Slices of rows known to be due that are removed in one round.
    private static final int DUE_SLICES = 10;

    /// Rest of the sweeper between two rounds over a table, as a multiple of the last round's duration.
    private static final long REST_FACTOR = 30;

    private final Tables tables;
    private final BucketOptions options;
    private final ConcurrentMap<String, Sessions> open = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong swept = new AtomicLong();
    private final EntryLocks locks = new EntryLocks();
    private @Nullable Thread sweeper;

    /// End of the sweeper's rest for each table, by table id; used by the sweeper thread only.
    private final Map<Long, Long> restUntil = new HashMap<>();

    /// Failure of the sweeper's last round; null if it failed on no table.
    private volatile @Nullable DatabaseException failure;

    public Buckets(Tables tables, BucketOptions options) {
        this.tables = tables;
        this.options = options;
    }

    /// The bucket `name`, with values as bytes; it is created if it is missing.
    ///
    /// @throws dev.oriel.store.UsageException if `name` is not a valid bucket name, or its table is not a bucket's
    public Bucket<byte[]> bucket(String name) {
        return bucket(name, Codec.bytes());
    }

    /// The bucket `name`; it is created if it is missing.
    public <T> Bucket<T> bucket(String name, Codec<T> codec) {
        return new Bucket<>(sessions(name), name, codec);
    }

    /// The ordered map `name`; it is created if it is missing.
    ///
    /// @throws dev.oriel.store.UsageException if `name` is not a valid map name, or its table has other types
    public <K, V> OrderedMap<K, V> map(String name, MapKey<K> keys, MapValue<V> values) {
        checkOpen();
        return OrderedMap.open(tables, MapTable.tableName(name), keys, values, null);
    }

    /// The ordered map `name` within `transaction`; it is created there if it is missing.
    public <K, V> OrderedMap<K, V> map(
            Joined transaction, String name, MapKey<K> keys, MapValue<V> values) {
        checkOpen();
        return OrderedMap.open(tables, MapTable.tableName(name), keys, values, transaction);
    }

    /// The bucket `name` within `transaction`; it is created there if it is missing.
    public <T> Bucket<T> bucket(Joined transaction, String name, Codec<T> codec) {
        checkOpen();
        String tableName = BucketTable.tableName(name);
        transaction.provide("bucket", tableName, to -> BucketTable.create(to, tableName));
        Sessions sessions = new Sessions(tables, tableName, options, locks, transaction);
        sessions.giveBack(sessions.take()); // refuses a table that is no bucket's
        startSweeper();
        return new Bucket<>(sessions, name, codec);
    }

    /// A session on the bucket `name`, which is created if it is missing.
    public BucketSession session(String name) {
        return sessions(name).open();
    }

    /// Whether there is a bucket `name`.
    public boolean exists(String name) {
        return tables.catalog().table(BucketTable.tableName(name)) != null;
    }

    /// The names of all buckets, in lower case.
    public List<String> names() {
        return List.copyOf(ids().keySet());
    }

    /// The table ids of all buckets, by bucket name in lower case.
    public SortedMap<String, Long> ids() {
        SortedMap<String, Long> ids = new TreeMap<>();
        for (Table table : tables.catalog().tablesOfPublic()) {
            String name = BucketTable.bucketName(table);
            if (!name.isEmpty()) {
                ids.put(name, table.id());
            }
        }
        return ids;
    }

    /// The size of each bucket, by its name in lower case: counted if it is small, otherwise estimated. Expired
    /// entries that have not been removed yet count.
    public SortedMap<String, TableSize> sizes() {
        SortedMap<String, TableSize> sizes = new TreeMap<>();
        ids().forEach((name, id) -> sizes.put(name, tables.statistics().size(id)));
        return sizes;
    }

    /// The catalog version; grows with every change of a definition in the database.
    public long catalogVersion() {
        return tables.catalog().version();
    }

    /// The current time for expiry, in microseconds since 1970.
    public long nowMicros() {
        return tables.nowMicros();
    }

    /// Removes all entries of the bucket `name`, and returns their number.
    public long clear(String name) {
        return sessions(name).clear();
    }

    /// Drops the bucket `name` with all its entries; false if there is none.
    ///
    /// @throws dev.oriel.store.UsageException if `name` is not a valid bucket name, or something in the database
    ///     needs its table
    public boolean drop(String name) {
        checkOpen();
        String tableName = BucketTable.tableName(name);
        try (TableTransaction transaction = tables.beginDefining(null)) {
            Table table = transaction.catalog().table(tableName);
            if (table == null || BucketTable.bucketName(table).isEmpty()) {
                return false;
            }
            transaction.drop(table);
            transaction.commit();
        }
        open.remove(tableName);
        return true;
    }

    /// Number of expired entries removed so far.
    public long swept() {
        return swept.get();
    }

    private void checkOpen() {
        if (closed.getCount() == 0) {
            throw new ClosedException("The buckets have been closed with their database", "");
        }
    }

    private Sessions sessions(String name) {
        checkOpen();
        String tableName = BucketTable.tableName(name);
        Sessions known = open.computeIfAbsent(tableName, this::create);
        if (tables.catalog().table(SearchPath.named("", tableName)) != null) {
            return known;
        }
        boolean _ = open.remove(tableName, known); // SQL has dropped the table since
        return open.computeIfAbsent(tableName, this::create);
    }

    private Sessions create(String tableName) {
        if (tables.catalog().table(SearchPath.named("", tableName)) == null) {
            try (TableTransaction transaction = tables.beginDefining(null)) {
                if (transaction.catalog().table(SearchPath.named("", tableName)) == null) {
                    BucketTable.create(transaction, tableName);
                    transaction.commit();
                }
            }
        }
        Sessions sessions = new Sessions(tables, tableName, options, locks);
        sessions.giveBack(sessions.open()); // refuses a table that is no bucket's
        startSweeper();
        return sessions;
    }

    /// Starts the sweeper unless it runs already; other modules call it for their tables with expiry.
    public synchronized void startSweeper() {
        if (sweeper == null && options.sweepMillis() > 0) {
            sweeper = Thread.ofPlatform().daemon().name("oriel-sweeper").start(this::sweepOn);
        }
    }

    private void sweepOn() {
        try {
            while (!closed.await(options.sweepMillis(), TimeUnit.MILLISECONDS)) {
                sweepWhatCanBe();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ClosedException e) {
            closed.countDown(); // the database was closed first
        }
    }

    /// Skips tables that are locked, or dropped meanwhile, until the next round. Readers skip expired rows, so
    /// only space is lost.
    private void sweepWhatCanBe() {
        locks.sweep(tables.nowMicros());
        DatabaseException last = null;
        restUntil
                .keySet()
                .retainAll(tables.catalog().tablesOfPublic().stream().map(Table::id).toList());
        for (Table table : tables.catalog().tablesOfPublic()) {
            if (closed.getCount() == 0) {
                return;
            }
            try {
                sweepInTurn(table);
            } catch (ClosedException e) {
                throw e;
            } catch (DatabaseException e) {
                last = e;
            }
        }
        failure = last;
    }

    /// Goes through all tables with expiry once, and removes expired rows.
    public void sweep() {
        locks.sweep(tables.nowMicros());
        for (Table table : tables.catalog().tablesOfPublic()) {
            sweep(table);
        }
    }

    /// Removes the rows of `table` that are known to have expired. Then reads the whole of it, unless no other row
    /// can have expired or it still rests from its last sweep.
    private void sweepInTurn(Table table) {
        if (!tables.mayHaveExpired(table)) {
            return;
        }
        for (int slice = 0; slice < DUE_SLICES && closed.getCount() > 0; slice++) {
            int removed = tables.sweepDue(table, SLICE_ROWS);
            swept.addAndGet(removed);
            if (removed < SLICE_ROWS) {
                break;
            }
        }
        if (!tables.needsSweep(table)) {
            return;
        }
        long begun = System.nanoTime();
        if (begun - restUntil.getOrDefault(table.id(), begun) < 0) {
            return;
        }
        sweep(table);
        long end = System.nanoTime();
        restUntil.put(table.id(), end + (end - begun) * REST_FACTOR);
    }

    private void sweep(Table table) {
        if (table.column(dev.oriel.table.definition.Column.Role.EXPIRY) < 0) {
            return;
        }
        SweepPlace place = new SweepPlace();
        do {
            swept.addAndGet(tables.sweep(table, place, SLICE_ROWS));
        } while (!place.isAtBegin() && closed.getCount() > 0);
    }

    /// The failure that made the last round leave rows to the next; null if there was none.
    public @Nullable DatabaseException sweepFailure() {
        return failure;
    }

    /// Stops the sweeper and waits for it; the database stays open.
    @Override
    public void close() {
        closed.countDown();
        Thread thread;
        synchronized (this) {
            thread = sweeper;
        }
        if (thread == null) {
            return;
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
