package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.kv.MapCursor;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapRange;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.history.Anomaly;
import dev.oriel.testkit.history.Checker;
import dev.oriel.testkit.history.History;
import dev.oriel.testkit.history.Level;
import dev.oriel.testkit.history.Outcome;
import dev.oriel.testkit.history.Recorder;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random transactions of several threads over cells of all faces, accessed through their own face or SQL. Their
/// reads must be allowed at their level. Some cells are registers, some are lists that grow, and some lists are
/// ranges of a map. Some writes are undone by a savepoint, so no transaction may see them. `-Dfaces.transactions=`
/// sets the number of transactions.
@Timeout(1_200)
final class FacesHistoryTest {
    private static final int THREADS = 6;
    private static final int TRANSACTIONS = Integer.getInteger("faces.transactions", 6_000);

    /// Number of writes after which keys change, so that lists stay short.
    private static final int WRITES_A_GENERATION = 250;

    private static final Cells[] FACES = Cells.values();

    /// Number of cells in a generation: one register and two lists for each face; lists that are ranges follow.
    private static final int PLACES = 3 * FACES.length;

    private static final int RANGES = 2;
    private static final int KEYS = PLACES + RANGES;
    private static final MapKey<MapKey.Pair<Long, Long>> RANGE_KEY =
            MapKey.longs().then(MapKey.longs());
    private static final List<Durability> CLASSES = List.of(Durability.values());

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final AtomicLong values = new AtomicLong();
    private boolean onDisk;

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void facesSeeOfEachOtherWhatTheLevelAllows(Isolation isolation) throws Exception {
        try (Database db = Database.inMemory()) {
            run(db, isolation, TRANSACTIONS);
        }
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void onADiskTooBesideCheckpoints(Isolation isolation) throws Exception {
        onDisk = true;
        DatabaseOptions options = DatabaseOptions.defaults().withCheckpointBytes(256 << 10);
        try (Database db = Database.open(folder, options)) {
            run(db, isolation, TRANSACTIONS / 3);
            assertTrue(db.stats().checkpoints() > 0);
        }
        try (Database db = Database.open(folder, options)) {
            assertEquals(List.of(), db.check());
        }
    }

    private void run(Database db, Isolation isolation, int transactions) throws Exception {
        SplittableRandom random = Seed.of("FacesHistoryTest " + isolation, 62);
        for (Cells face : FACES) {
            face.create(db);
        }
        OrderedMap<MapKey.Pair<Long, Long>, Long> _ = db.map("range", RANGE_KEY, MapValue.longs());
        List<Recorder> recorders = new ArrayList<>();
        List<Future<Integer>> clients = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                Recorder recorder = new Recorder();
                recorders.add(recorder);
                Gen gen = new Gen(random.split());
                clients.add(
                        executor.submit(
                                new Client(db, transactions / THREADS, recorder, isolation, gen)));
            }
        }
        int committed = 0;
        for (Future<Integer> client : clients) {
            committed += client.get();
        }
        assertTrue(committed > transactions / 10, "committed " + committed);
        History history = History.of(recorders);
        Level level =
                switch (isolation) {
                    case READ_COMMITTED -> Level.READ_COMMITTED;
                    case SNAPSHOT -> Level.SNAPSHOT;
                    case SERIALIZABLE -> Level.SERIALIZABLE;
                };
        List<Anomaly> found = Checker.checkStrict(history, level);
        System.out.printf(
                "%s%s: %d transactions, %d committed, %d operations, %d anomalies%n",
                isolation,
                onDisk ? " on a disk" : "",
                history.transactionCount(),
                committed,
                history.operationCount(),
                found.size());
        assertEquals(List.of(), found);
        assertEquals(List.of(), db.check());
    }

    /// One thread's transactions.
    private final class Client implements Callable<Integer> {
        private final Database db;
        private final int transactions;
        private final Recorder recorder;
        private final Isolation isolation;
        private final Gen gen;

        Client(Database db, int transactions, Recorder recorder, Isolation isolation, Gen gen) {
            this.db = db;
            this.transactions = transactions;
            this.recorder = recorder;
            this.isolation = isolation;
            this.gen = gen;
        }

        @Override
        public Integer call() throws SQLException {
            int committed = 0;
            for (int i = 0; i < transactions; i++) {
                TransactionOptions options =
                        TransactionOptions.defaults()
                                .withIsolation(isolation)
                                .withDurability(onDisk ? gen.pick(CLASSES) : null);
                recorder.begin(System.nanoTime());
                Outcome outcome = Outcome.ABORTED;
                try (Transaction tx = db.begin(options)) {
                    for (int n = gen.below(5); n >= 0; n--) {
                        operation(tx);
                    }
                    if (gen.chance(95)) {
                        tx.commit();
                        outcome = Outcome.COMMITTED;
                        committed++;
                    }
                } catch (ConflictException | SQLException e) {
                    if (!Bank.isConflict(e)) {
                        throw e;
                    }
                }
                recorder.end(outcome, System.nanoTime());
            }
            return committed;
        }

        private void operation(Transaction tx) throws SQLException {
            int place = gen.below(KEYS);
            long key = values.get() / WRITES_A_GENERATION * KEYS + place;
            if (place >= PLACES) {
                range(tx, key);
                return;
            }
            Cells face = FACES[place % FACES.length];
            boolean list = place >= FACES.length;
            boolean write = gen.chance(50);
            if (write && gen.chance(15)) {
                undo(tx, face, key);
            }
            if (write) {
                write(tx, face, key, list);
            } else {
                record(key, list, read(tx, face, key));
            }
        }

        private @Nullable String read(Transaction tx, Cells face, long key) throws SQLException {
            return gen.chance(50) ? face.read(tx, key) : face.readBySql(tx, key);
        }

        /// At READ COMMITTED the cell may have changed since it was read; above that it must not have.
        private void write(Transaction tx, Cells face, long key, boolean list) throws SQLException {
            long value = values.incrementAndGet();
            while (true) {
                String there = read(tx, face, key);
                String next = list && there != null ? there + "," + value : Long.toString(value);
                boolean swapped =
                        gen.chance(50)
                                ? face.swap(tx, key, there, next)
                                : face.swapBySql(tx, key, there, next);
                if (swapped) {
                    record(key, list, there);
                    if (list) {
                        recorder.append(key, value);
                    } else {
                        recorder.write(key, value);
                    }
                    return;
                }
                assertEquals(Isolation.READ_COMMITTED, isolation, "a swap within a snapshot");
            }
        }

        /// Writes a value that no transaction may see.
        private void undo(Transaction tx, Cells face, long key) throws SQLException {
            Transaction.Savepoint before = tx.savepoint();
            String there = read(tx, face, key);
            boolean _ = face.swap(tx, key, there, "-" + values.incrementAndGet());
            tx.rollbackTo(before);
            if (gen.chance(50)) {
                tx.release(before);
            }
        }

        private void record(long key, boolean list, @Nullable String found) {
            if (!list) {
                recorder.read(key, found == null ? History.NOTHING : Long.parseLong(found));
                return;
            }
            long[] elements =
                    found == null
                            ? new long[0]
                            : Arrays.stream(found.split(",", -1))
                                    .mapToLong(Long::parseLong)
                                    .toArray();
            recorder.readList(key, elements, elements.length);
        }

        /// A list whose elements are entries of a range, read by a cursor or by SQL.
        private void range(Transaction tx, long key) throws SQLException {
            OrderedMap<MapKey.Pair<Long, Long>, Long> map =
                    tx.map("range", RANGE_KEY, MapValue.longs());
            long[] found = elements(tx, map, key);
            boolean write = gen.chance(50);
            if (write) {
                long element = values.incrementAndGet();
                while (!insert(tx, map, key, found.length, element)) {
                    assertEquals(Isolation.READ_COMMITTED, isolation, "a row within a snapshot");
                    found = elements(tx, map, key);
                }
                recorder.readList(key, found, found.length);
                recorder.append(key, element);
            } else {
                recorder.readList(key, found, found.length);
            }
        }

        private boolean insert(
                Transaction tx,
                OrderedMap<MapKey.Pair<Long, Long>, Long> map,
                long key,
                long position,
                long element)
                throws SQLException {
            return gen.chance(50)
                    ? map.putIfAbsent(new MapKey.Pair<>(key, position), element) == null
                    : Sql.run(
                                    tx,
                                    "INSERT INTO map_range VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                                    key,
                                    position,
                                    element)
                            == 1;
        }

        private long[] elements(
                Transaction tx, OrderedMap<MapKey.Pair<Long, Long>, Long> map, long key)
                throws SQLException {
            List<Long> found = new ArrayList<>();
            MapRange<MapKey.Pair<Long, Long>> range =
                    MapRange.from(new MapKey.Pair<>(key, 0L))
                            .andBelow(new MapKey.Pair<>(key + 1, 0L));
            switch (gen.below(3)) {
                case 0 -> map.forEach(range, (at, element) -> found.add(element));
                case 1 -> {
                    try (MapCursor<MapKey.Pair<Long, Long>, Long> cursor =
                            map.cursor(range.reversed())) {
                        while (cursor.next()) {
                            found.addFirst(cursor.value());
                        }
                    }
                }
                default -> {
                    String all =
                            Sql.text(
                                    tx,
                                    "SELECT STRING_AGG(CAST(v AS VARCHAR), ',' ORDER BY k2) FROM"
                                            + " map_range WHERE k1 = ?",
                                    key);
                    if (all != null) {
                        assertNotNull(all);
                        for (String element : all.split(",", -1)) {
                            found.add(Long.parseLong(element));
                        }
                    }
                }
            }
            return found.stream().mapToLong(Long::longValue).toArray();
        }
    }
}
