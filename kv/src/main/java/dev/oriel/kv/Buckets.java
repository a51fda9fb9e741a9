package dev.oriel.kv;

import dev.oriel.store.ClosedException;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.SearchPath;
import dev.oriel.table.SweepPlace;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
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

/// All buckets of a database. The composition root of this module.
///
/// Safe for use by any number of threads. From the first bucket on that is opened, one thread of its own
/// removes what has expired, a slice of a table at a time; nobody sees those entries before that either.
public final class Buckets implements AutoCloseable {
    /// So many rows are looked at in one transaction of the sweeper.
    private static final long SLICE_ROWS = 2_000;

    /// The sweeper rests this many times as long as it has worked on a table, before it looks at that again.
    private static final long REST_FACTOR = 30;

    private final Tables tables;
    private final BucketOptions options;
    private final ConcurrentMap<String, Sessions> open = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong swept = new AtomicLong();
    private final EntryLocks locks = new EntryLocks();
    private @Nullable Thread sweeper;

    /// Until when the sweeper leaves a table alone, by its number; of the sweeper's thread.
    private final Map<Long, Long> restUntil = new HashMap<>();

    /// Why the last round of the sweeper has left something, if it has.
    private volatile @Nullable DatabaseException failure;

    public Buckets(Tables tables, BucketOptions options) {
        this.tables = tables;
        this.options = options;
    }

    /// The bucket `name`, with values as bytes; it is created where there is none.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a bucket, or its table is
    ///     something else
    public Bucket<byte[]> bucket(String name) {
        return bucket(name, Codec.bytes());
    }

    /// The bucket `name`; it is created where there is none.
    public <T> Bucket<T> bucket(String name, Codec<T> codec) {
        return new Bucket<>(sessions(name), name, codec);
    }

    /// The ordered map `name`; it is created if it is missing.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a map, or its table has other types
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

    /// A session on the bucket `name`, which is created where there is none.
    public BucketSession session(String name) {
        return sessions(name).open();
    }

    /// Whether there is a bucket of that name.
    public boolean exists(String name) {
        return tables.catalog().table(BucketTable.tableName(name)) != null;
    }

    /// The names of all buckets, in lower case.
    public List<String> names() {
        return List.copyOf(ids().keySet());
    }

    /// The names of all buckets, in lower case, and the numbers of their tables.
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

    /// About how many entries each bucket has, by its name in lower case; expired ones that have not been removed yet
    /// count. From a few pages of each.
    public SortedMap<String, Long> estimatedCounts() {
        SortedMap<String, Long> counts = new TreeMap<>();
        ids().forEach((name, id) -> counts.put(name, tables.statistics().rows(id)));
        return counts;
    }

    /// Grows with every change of a definition in the database.
    public long catalogVersion() {
        return tables.catalog().version();
    }

    /// What time it is for what expires, in microseconds since 1970.
    public long nowMicros() {
        return tables.nowMicros();
    }

    /// Removes all entries of the bucket `name`, and returns how many there were.
    public long clear(String name) {
        return sessions(name).clear();
    }

    /// Drops the bucket `name` with all its entries; false if there is none.
    ///
    /// @throws dev.oriel.store.UsageException if the name is not one of a bucket, or something in the database needs
    ///     its table
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

    /// How many expired entries were removed so far.
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
        sessions.giveBack(sessions.open()); // says so where it is no bucket
        startSweeper();
        return sessions;
    }

    /// Starts the sweeper, for others whose tables have expiry, unless it runs already.
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

    /// A table that somebody keeps for himself, or has dropped meanwhile, is for the next time: readers
    /// skip what has expired, so nothing is wrong but the space.
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

    /// Looks through all tables with expiry once, and removes what has expired.
    public void sweep() {
        locks.sweep(tables.nowMicros());
        for (Table table : tables.catalog().tablesOfPublic()) {
            sweep(table);
        }
    }

    /// Sweeps `table` unless nothing in it can have expired, or its last sweep has taken long and was lately.
    private void sweepInTurn(Table table) {
        if (!tables.mayHaveExpired(table)) {
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
        if (table.column(dev.oriel.table.Column.Role.EXPIRY) < 0) {
            return;
        }
        SweepPlace place = new SweepPlace();
        do {
            swept.addAndGet(tables.sweep(table, place, SLICE_ROWS));
        } while (!place.isAtBegin() && closed.getCount() > 0);
    }

    /// Why the last round of the sweeper has left something for the next, or null where it has not.
    public @Nullable DatabaseException sweepFailure() {
        return failure;
    }

    /// Ends the sweeper and waits for it; the database stays open.
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
