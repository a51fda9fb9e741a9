package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Constraints and row locks under writers that run at once. Every test ends in the database's check,
/// which finds a row whose parent is gone.
@Timeout(120)
class ConstraintConcurrencyTest {
    private final Database database = Database.inMemory();
    private final ExecutorService others = Executors.newCachedThreadPool();
    private final ConcurrentLinkedQueue<Connection> connections = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void create() throws SQLException {
        run(
                connect(),
                "CREATE TABLE parent (id INTEGER PRIMARY KEY, n INTEGER DEFAULT 0)",
                "CREATE TABLE child (id INTEGER PRIMARY KEY, p INTEGER REFERENCES parent)",
                "CREATE INDEX child_p ON child (p)",
                "CREATE TABLE loose (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                        + " p INTEGER REFERENCES parent ON DELETE CASCADE)",
                "INSERT INTO parent (id) VALUES (1), (2)");
    }

    @AfterEach
    void close() throws SQLException {
        others.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
        assertEquals(List.of(), database.check());
        database.close();
    }

    private Connection connect() throws SQLException {
        Connection connection = database.connect();
        connections.add(connection);
        return connection;
    }

    private Connection begin(int level) throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(level);
        return connection;
    }

    private static int run(Connection connection, String... statements) throws SQLException {
        int count = 0;
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
                count = statement.getUpdateCount();
            }
        }
        return count;
    }

    private static long ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertTrue(result.next());
            return result.getLong(1);
        }
    }

    /// Until it is seen to wait for a lock: nobody else does in these tests.
    private void assertWaits(Future<?> future) {
        while (database.tables().lockWaits().isEmpty()) {
            assertFalse(future.isDone(), "it does not wait");
            Thread.onSpinWait();
        }
    }

    private static String state(Future<?> future) {
        Exception e = assertThrows(Exception.class, () -> future.get(60, TimeUnit.SECONDS));
        return assertInstanceOf(SQLException.class, e.getCause()).getSQLState();
    }

    @Test
    void deletionOfAParentWaitsForTheChildAndThenSeesIt() throws Exception {
        for (int level :
                List.of(
                        Connection.TRANSACTION_READ_COMMITTED,
                        Connection.TRANSACTION_REPEATABLE_READ,
                        Connection.TRANSACTION_SERIALIZABLE)) {
            Connection first = begin(level);
            Connection second = begin(level);
            ask(second, "SELECT COUNT(*) FROM child"); // has its snapshot, above READ COMMITTED
            run(first, "INSERT INTO child VALUES (" + level + ", 1)");
            Future<Integer> deletion =
                    others.submit(() -> run(second, "DELETE FROM parent WHERE id = 1"));
            assertWaits(deletion);
            first.commit();
            String state = state(deletion);
            assertTrue(Set.of("23503", "40001").contains(state), level + ": " + state);
            second.rollback();
        }
    }

    @Test
    void childWaitsForTheDeletionOfItsParentAndThenMissesIt() throws Exception {
        for (int level :
                List.of(
                        Connection.TRANSACTION_READ_COMMITTED,
                        Connection.TRANSACTION_REPEATABLE_READ)) {
            run(connect(), "INSERT INTO parent (id) VALUES (7)");
            Connection first = begin(level);
            Connection second = begin(level);
            ask(second, "SELECT COUNT(*) FROM parent");
            run(first, "DELETE FROM parent WHERE id = 7");
            Future<Integer> insertion =
                    others.submit(() -> run(second, "INSERT INTO child VALUES (1, 7)"));
            assertWaits(insertion);
            first.commit();
            assertEquals("23503", state(insertion));
            second.rollback();
        }
    }

    @Test
    void childOfAParentThatWasRolledBackInIsAccepted() throws Exception {
        Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection second = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(first, "DELETE FROM parent WHERE id = 1");
        Future<Integer> insertion =
                others.submit(() -> run(second, "INSERT INTO child VALUES (1, 1)"));
        assertWaits(insertion);
        first.rollback();
        assertEquals(1, insertion.get(60, TimeUnit.SECONDS));
        second.commit();
    }

    @Test
    void childrenDoNotWaitForChangesThatLeaveTheKeyAlone() throws Exception {
        Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection second = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(first, "INSERT INTO child VALUES (1, 1)", "UPDATE parent SET n = n + 1 WHERE id = 1");
        // PostgreSQL needs FOR KEY SHARE for this; a plain shared lock on the row would wait here.
        run(second, "INSERT INTO child VALUES (2, 1)");
        second.commit();
        first.commit();
        assertEquals(2, ask(connect(), "SELECT COUNT(*) FROM child"));
    }

    @Test
    void parentCommittedAfterTheSnapshotCounts() throws SQLException {
        Connection late = begin(Connection.TRANSACTION_REPEATABLE_READ);
        ask(late, "SELECT COUNT(*) FROM parent");
        run(connect(), "INSERT INTO parent (id) VALUES (50)");
        run(late, "INSERT INTO child VALUES (1, 50)");
        late.commit();
    }

    @Test
    void uniqueKeyCommittedAfterTheSnapshotIsSeen() throws SQLException {
        run(connect(), "CREATE TABLE u (id INTEGER PRIMARY KEY, code INTEGER UNIQUE)");
        Connection late = begin(Connection.TRANSACTION_REPEATABLE_READ);
        ask(late, "SELECT COUNT(*) FROM u");
        run(connect(), "INSERT INTO u VALUES (1, 1)");
        SQLException e =
                assertThrows(SQLException.class, () -> run(late, "INSERT INTO u VALUES (2, 1)"));
        assertEquals("40001", e.getSQLState());
        late.rollback();
        Connection committed = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(committed, "INSERT INTO u VALUES (3, 3)");
        run(connect(), "INSERT INTO u VALUES (4, 4)");
        e = assertThrows(SQLException.class, () -> run(committed, "INSERT INTO u VALUES (5, 4)"));
        assertEquals("23505", e.getSQLState());
        assertEquals(0, run(committed, "INSERT INTO u VALUES (5, 4) ON CONFLICT DO NOTHING"));
        assertEquals(
                1,
                run(
                        committed,
                        "INSERT INTO u VALUES (5, 4) ON CONFLICT (code) DO UPDATE SET id = 9"));
        committed.commit();
        assertEquals(9, ask(connect(), "SELECT id FROM u WHERE code = 4"));
    }

    @Test
    void childrenAndDeletionsRace() throws Exception {
        AtomicInteger inserted = new AtomicInteger();
        AtomicInteger deleted = new AtomicInteger();
        List<Callable<Void>> work = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            int thread = t;
            work.add(() -> {
                race(thread, inserted, deleted);
                return null;
            });
        }
        for (Future<Void> future : others.invokeAll(work)) {
            future.get();
        }
        assertTrue(inserted.get() > 0 && deleted.get() > 0, inserted + " and " + deleted);
    }

    private void race(int thread, AtomicInteger inserted, AtomicInteger deleted)
            throws SQLException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Connection connection = connect();
        for (int i = 0;
                i < 150 || (i < 20_000 && (inserted.get() == 0 || deleted.get() == 0));
                i++) {
            int parent = random.nextInt(5);
            try {
                switch (thread % 3) {
                    case 0 -> {
                        String table = i % 2 == 0 ? "child (id, p)" : "loose (p)";
                        String values =
                                i % 2 == 0 ? (thread * 100_000 + i) + ", " + parent : "" + parent;
                        run(connection, "INSERT INTO " + table + " VALUES (" + values + ")");
                        inserted.incrementAndGet();
                    }
                    case 1 ->
                            deleted.addAndGet(
                                    run(connection, "DELETE FROM parent WHERE id = " + parent));
                    default -> {
                        run(
                                connection,
                                "INSERT INTO parent (id) VALUES ("
                                        + parent
                                        + ")"
                                        + " ON CONFLICT DO NOTHING");
                        run(connection, "DELETE FROM child WHERE p = " + parent);
                    }
                }
            } catch (SQLException e) {
                assertEquals("23503", e.getSQLState(), e.getMessage());
            }
        }
    }

    @Test
    void skipLockedHandsOutEachJobOnce() throws Exception {
        int jobs = 200;
        Connection setup = connect();
        run(setup, "CREATE TABLE job (id INTEGER PRIMARY KEY, state INTEGER DEFAULT 0)");
        try (PreparedStatement insert = setup.prepareStatement("INSERT INTO job (id) VALUES (?)")) {
            for (int i = 0; i < jobs; i++) {
                insert.setInt(1, i);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        List<Callable<List<Integer>>> workers = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            workers.add(this::work);
        }
        Set<Integer> done = new HashSet<>();
        for (Future<List<Integer>> worker : others.invokeAll(workers)) {
            for (int job : worker.get()) {
                assertTrue(done.add(job), "handed out twice: " + job);
            }
        }
        assertEquals(jobs, done.size());
        assertEquals(jobs, ask(setup, "SELECT SUM(state) FROM job"));
    }

    private List<Integer> work() throws SQLException {
        List<Integer> mine = new ArrayList<>();
        Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED);
        try (PreparedStatement take =
                        connection.prepareStatement(
                                "SELECT id FROM job WHERE state = 0 ORDER BY id LIMIT 1"
                                        + " FOR UPDATE SKIP LOCKED");
                PreparedStatement finish =
                        connection.prepareStatement(
                                "UPDATE job SET state = state + 1 WHERE id = ?")) {
            while (true) {
                int job;
                try (ResultSet found = take.executeQuery()) {
                    if (!found.next()) {
                        connection.commit();
                        if (ask(connection, "SELECT COUNT(*) FROM job WHERE state = 0") == 0) {
                            connection.commit();
                            return mine;
                        }
                        connection.commit();
                        continue;
                    }
                    job = found.getInt(1);
                }
                finish.setInt(1, job);
                assertEquals(1, finish.executeUpdate());
                mine.add(job);
                connection.commit();
            }
        }
    }

    /// The same in one statement, some by a transaction that it is one of, some by itself.
    @Test
    void skipLockedWithinADeleteHandsOutEachJobOnce() throws Exception {
        int jobs = 200;
        Connection setup = connect();
        run(setup, "CREATE TABLE job (id INTEGER PRIMARY KEY)");
        run(setup, "INSERT INTO job SELECT i FROM generate_series(1, " + jobs + ") AS s(i)");
        List<Callable<List<Integer>>> workers = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            boolean alone = t % 2 == 0;
            workers.add(() -> takeJobs(alone));
        }
        Set<Integer> done = new HashSet<>();
        for (Future<List<Integer>> worker : others.invokeAll(workers)) {
            for (int job : worker.get()) {
                assertTrue(done.add(job), "handed out twice: " + job);
            }
        }
        assertEquals(jobs, done.size());
    }

    private List<Integer> takeJobs(boolean alone) throws SQLException {
        List<Integer> mine = new ArrayList<>();
        Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(alone);
        try (PreparedStatement take =
                connection.prepareStatement(
                        "DELETE FROM job WHERE id = (SELECT id FROM job ORDER BY id LIMIT 1"
                                + " FOR UPDATE SKIP LOCKED) RETURNING id")) {
            do {
                try (ResultSet found = take.executeQuery()) {
                    while (found.next()) {
                        mine.add(found.getInt(1));
                    }
                }
                if (!alone) {
                    connection.commit();
                }
            } while (ask(connection, "SELECT COUNT(*) FROM job") > 0);
        }
        return mine;
    }

    @Test
    void aRowThatIsLockedWithinAnUpdateStaysLocked() throws Exception {
        Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection second = begin(Connection.TRANSACTION_READ_COMMITTED);
        String update =
                "UPDATE parent SET n = 6 WHERE id > 100 + (SELECT id FROM parent ORDER BY id LIMIT"
                        + " 1 FOR UPDATE SKIP LOCKED)";
        run(first, update);
        assertEquals(2, ask(second, "SELECT id FROM parent FOR UPDATE SKIP LOCKED"));
        first.rollback();
        second.rollback();
    }

    @Test
    void rowsAreLockedForUpdateAndForShare() throws Exception {
        Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection second = begin(Connection.TRANSACTION_READ_COMMITTED);
        assertEquals(1, ask(first, "SELECT id FROM parent WHERE id = 1 FOR SHARE"));
        assertEquals(1, ask(second, "SELECT id FROM parent WHERE id = 1 FOR SHARE"));
        SQLException e =
                assertThrows(
                        SQLException.class,
                        () -> ask(second, "SELECT id FROM parent FOR UPDATE NOWAIT"));
        assertEquals("55P03", e.getSQLState());
        assertEquals(2, ask(second, "SELECT id FROM parent FOR UPDATE SKIP LOCKED"));
        Future<Integer> update =
                others.submit(() -> run(second, "UPDATE parent SET n = 5 WHERE id = 1"));
        assertWaits(update);
        first.commit();
        assertEquals(1, update.get(60, TimeUnit.SECONDS));
        second.commit();
    }

    /// A unique key in an array shows rows that others have committed since. ON CONFLICT then runs again.
    @Test
    void rowsOfAnArrayThatOthersInsertAndDeleteAreUpdatedOrInserted() throws Exception {
        run(
                connect(),
                "CREATE TABLE listed (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a INTEGER, n INTEGER)",
                "CREATE UNIQUE ARRAY INDEX listed_a ON listed (a)");
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String change =
                    i % 2 == 0
                            ? "INSERT INTO listed (a, n) VALUES (1, 1) ON CONFLICT (a) DO UPDATE SET n = listed.n + 1"
                            : "DELETE FROM listed WHERE a = 1";
            all.add(
                    others.submit(() -> {
                        int done = 0;
                        try (Connection connection = database.connect();
                                Statement statement = connection.createStatement()) {
                            for (int round = 0; round < 2_000; round++) {
                                try {
                                    statement.execute(change);
                                    done++;
                                } catch (SQLTransactionRollbackException e) {
                                    // It gives up after 100 attempts; nothing else may fail.
                                    assertTrue(e.getSQLState().startsWith("40"), e.toString());
                                }
                            }
                        }
                        return done;
                    }));
        }
        int done = 0;
        for (Future<Integer> one : all) {
            done += one.get();
        }
        assertTrue(done > 0);
        try (Statement statement = connect().createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM listed")) {
            assertTrue(rows.next());
            assertTrue(rows.getInt(1) <= 1);
        }
    }
}
