package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.MapCursor;
import dev.oriel.kv.MapRange;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import dev.oriel.store.PageReads;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.store.records.Records;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Files of a closed and of a killed database of which somebody has changed any field, with right checksums: of
/// headers, nodes, overflow pages, the free map, the shadow and its directory, the log, definitions, rows, keys,
/// values of JSON, records. SQL, buckets, maps, records, the store and the check answer with a value, or say that
/// the database is damaged and where; nothing else comes out, and nothing takes for ever.
///
/// Each case has its kind of field in turn. `-Dcases=10000` for long; `-Dcase=` replays one.
@SuppressWarnings("try") // what is opened is only closed
final class CraftedDatabaseTest {
    private static final int CASES = Integer.getInteger("cases", 240);
    private static final int ONLY = Integer.getInteger("case", -1);
    private static final int FAILURES_MAX = 25;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    /// What SQL never says of a database that is damaged: a bug of ours, or memory that a damaged length asked for.
    private static final List<String> FORBIDDEN = List.of("XX000", "53200", "54001");

    private int told;

    @Test
    void whatSomebodyHasChangedIsNamed() throws Exception {
        long seed = Seed.of("CraftedDatabaseTest", 88).nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        List<Map<String, byte[]>> databases =
                List.of(
                        files(database(random.split(), true)),
                        files(database(random.split(), false)));
        List<CraftedPlaces> places = databases.stream().map(CraftedPlaces::new).toList();
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < CASES && failures.size() < FAILURES_MAX; i++) {
            if (ONLY >= 0) {
                i = ONLY;
            }
            SplittableRandom one = new SplittableRandom(seed + i);
            String change = "case " + i + ", " + oneCase(i, one, databases, places, failures);
            if (ONLY >= 0) {
                System.out.println(change);
                break;
            }
        }
        System.out.printf(
                "CraftedDatabaseTest: %d cases of %d and %d kinds, %d told%n",
                CASES, places.getFirst().kinds().size(), places.getLast().kinds().size(), told);
        assertTrue(failures.isEmpty(), () -> failures.size() + " of " + CASES + " broke something");
        assertTrue(ONLY >= 0 || told > CASES / 5, () -> "only " + told + " were told");
    }

    private String oneCase(
            int i,
            SplittableRandom one,
            List<Map<String, byte[]>> databases,
            List<CraftedPlaces> places,
            List<String> failures) {
        int which = i % 2;
        List<String> kinds = places.get(which).kinds();
        Map<String, byte[]> crafted = new TreeMap<>();
        databases.get(which).forEach((name, bytes) -> crafted.put(name, bytes.clone()));
        String kind = kinds.get(i / 2 % kinds.size());
        StringBuilder change = new StringBuilder();
        for (int n = one.nextInt(3) == 0 ? 3 : 1; n > 0; n--) {
            change.append(places.get(which).craft(kind, crafted, one)).append("; ");
        }
        SimDirectory directory = new SimDirectory();
        crafted.forEach(directory::put);
        int before = told;
        told = 0;
        try {
            assertTimeoutPreemptively(PATIENCE, () -> use(directory, one));
        } catch (Throwable e) {
            failures.add("case " + i + ", " + change + " -> " + trace(e));
            System.out.println(failures.getLast());
        }
        told = before + (told > 0 ? 1 : 0);
        return change.toString();
    }

    private static Map<String, byte[]> files(SimDirectory directory) throws NoSuchFileException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String name : directory.list()) {
            files.put(name, directory.bytes(name));
        }
        return files;
    }

    private static SimDirectory database(SplittableRandom random, boolean closed)
            throws SQLException {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        fillRecords(store);
        try (Database database =
                        Database.over(store, Tables.open(store), DatabaseOptions.defaults());
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            CraftedStatements.fill(statement);
            for (int i = 0; i < 30; i++) {
                byte[] key = ("key " + i).getBytes(StandardCharsets.UTF_8);
                database.bucket("values").upsert("key " + i, new byte[i * 7]);
                database.map("m").put(key, new byte[i * 100]);
            }
            store.checkpoint();
            try (dev.oriel.store.Transaction reader = store.beginRead()) {
                CraftedStatements.fillMore(statement);
                if (!closed) {
                    store.checkpoint(); // what the reader sees stays in its places, the rest in
                    // the shadow
                    CraftedStatements.fillLast(statement);
                    return directory.crash(random, CrashProfile.PROCESS_KILL);
                }
            }
        }
        return directory;
    }

    private static void fillRecords(Store store) {
        Records records = Records.open(store, "records");
        try (dev.oriel.store.Transaction transaction = store.beginWrite()) {
            for (int i = 0; i < 40; i++) {
                long id = records.insert(transaction, new byte[i == 7 ? 80_000 : i * 40], i * 90);
                if (i == 3) {
                    records.setRoot(transaction, "root", id);
                }
                if (i % 8 == 5) {
                    records.delete(transaction, id);
                }
            }
            transaction.commit();
        }
    }

    private void use(SimDirectory crafted, SplittableRandom one) {
        StoreOptions options =
                one.nextInt(5) == 0
                        ? OPTIONS.withPageReads(new PageReads(PageReads.Way.POSITIONAL, 1 << 20))
                        : OPTIONS;
        if (one.nextInt(4) == 0) {
            attempt(() -> useOnce(crafted, options.withReadOnly(true), one));
        }
        attempt(() -> useOnce(crafted, options, one));
        attempt(() -> useOnce(crafted, options, one)); // what the first use has left
    }

    private void useOnce(SimDirectory crafted, StoreOptions options, SplittableRandom one)
            throws Exception {
        Store store = Store.open(crafted, options);
        try {
            if (one.nextBoolean()) {
                check(store);
            }
            attempt(() -> readStore(store));
            attempt(() -> useTables(store, options.readOnly(), one));
            check(store);
        } finally {
            attempt(store::close);
        }
    }

    /// The check itself throws nothing, whatever it finds.
    private void check(Store store) {
        told += store.check().isEmpty() ? 0 : 1;
    }

    private void readStore(Store store) {
        try (dev.oriel.store.Transaction transaction = store.beginRead()) {
            for (Tree tree : transaction.trees()) {
                attempt(() -> {
                    Cursor cursor = transaction.cursor(tree);
                    Slice slice = new Slice();
                    for (boolean more = cursor.first(); more; more = cursor.next()) {
                        cursor.key(slice);
                        cursor.value(slice);
                    }
                    for (boolean more = cursor.last(); more; more = cursor.previous()) {
                        cursor.key(slice);
                    }
                });
                attempt(() -> transaction.estimate(tree, Slice.of("1"), null));
                attempt(() -> transaction.count(tree, Slice.of(""), Slice.of("t")));
            }
            attempt(() -> {
                Records records = Records.open(store, "records");
                told += records.check(transaction).isEmpty() ? 0 : 1;
                attempt(() -> records.root(transaction, "root"));
                for (long id = 1; id < 42; id++) {
                    long at = id;
                    attempt(() -> records.fetch(transaction, at));
                    attempt(() -> records.open(transaction, at).readAllBytes());
                }
            });
        }
    }

    private void useTables(Store store, boolean readOnly, SplittableRandom one) throws Exception {
        DatabaseOptions options = DatabaseOptions.defaults().withReadOnly(readOnly);
        Database database = Database.over(store, Tables.open(store), options);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            attempt(() -> told += database.check().isEmpty() ? 0 : 1);
            for (String query : CraftedStatements.QUERIES) {
                attempt(() -> run(statement, query));
            }
            for (int i = 0; i < 30; i++) {
                String key = "key " + i;
                attempt(() -> database.bucket("values").entry(key));
                attempt(() -> database.map("m").get(key.getBytes(StandardCharsets.UTF_8)));
            }
            attempt(() -> readMap(database));
            if (!readOnly) {
                change(database, statement, store, one);
            }
            attempt(() -> told += database.check().isEmpty() ? 0 : 1);
        } finally {
            attempt(database::close);
        }
    }

    private static void readMap(Database database) {
        try (MapCursor<byte[], byte[]> cursor = database.map("m").cursor(MapRange.all())) {
            while (cursor.next()) {
                cursor.value();
            }
        }
    }

    private void change(Database database, Statement statement, Store store, SplittableRandom one) {
        for (String change : CraftedStatements.CHANGES) {
            attempt(() -> run(statement, change));
        }
        attempt(() -> database.bucket("values").append("key 3", new byte[9]));
        attempt(() -> database.bucket("values").remove("key 4"));
        attempt(() -> database.map("m").deleteRange(MapRange.all()));
        attempt(store::checkpoint);
        if (one.nextInt(3) == 0) {
            attempt(() -> store.backup(new SimDirectory(), Progress.NONE));
        }
        if (one.nextInt(3) == 0) {
            attempt(() -> store.compact(Progress.NONE));
        }
    }

    private void run(Statement statement, String sql) throws SQLException {
        if (!statement.execute(sql)) {
            return;
        }
        try (ResultSet rows = statement.getResultSet()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    int column = i;
                    attempt(() -> rows.getObject(column));
                    attempt(() -> rows.getString(column));
                }
            }
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /// An exception of the family is an answer; one of damage says where it is.
    private void attempt(Step step) {
        try {
            step.run();
        } catch (DatabaseException e) {
            answered(e);
        } catch (SQLException e) {
            assertTrue(!FORBIDDEN.contains(e.getSQLState()), () -> trace(e));
            if (e.getCause() instanceof DatabaseException known) {
                answered(known);
            }
        } catch (IOException e) {
            assertTrue(
                    e.getCause() instanceof DatabaseException || e instanceof EOFException,
                    () -> trace(e));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void answered(DatabaseException e) {
        if (e instanceof CorruptionException damage) {
            told++;
            assertTrue(!damage.context().isEmpty(), () -> "says not where: " + trace(e));
        }
        boolean memory = e instanceof LimitException && e.getCause() instanceof OutOfMemoryError;
        assertTrue(!memory, () -> "takes all of the memory: " + trace(e));
    }

    private static String trace(Throwable e) {
        StringBuilder lines = new StringBuilder();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            lines.append("\n    ").append(cause);
            for (int i = 0; i < Math.min(9, cause.getStackTrace().length); i++) {
                lines.append("\n      ").append(cause.getStackTrace()[i]);
            }
        }
        return lines.toString();
    }
}
