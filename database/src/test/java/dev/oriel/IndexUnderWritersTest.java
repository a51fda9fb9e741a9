package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An index created under open writers has all rows, also theirs. Every test ends in the database's check, which
/// compares each index with its table.
@Timeout(120)
final class IndexUnderWritersTest {
    private final Database database = Database.inMemory();
    private final ExecutorService others = Executors.newCachedThreadPool();

    @BeforeEach
    void create() throws SQLException {
        try (Connection connection = database.connect()) {
            run(
                    connection,
                    "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)",
                    "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)");
        }
    }

    @AfterEach
    void close() {
        others.shutdownNow();
        assertEquals(List.of(), database.check());
        database.close();
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static long ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertTrue(result.next());
            return result.getLong(1);
        }
    }

    private Future<?> createIndex() {
        return others.submit(() -> {
            try (Connection connection = database.connect()) {
                run(connection, "CREATE INDEX t_n ON t (n)");
            }
            return true;
        });
    }

    /// Whether it is seen to wait for others, and does not end without. Nobody else waits here.
    private boolean waits(Future<?> created) {
        boolean waits = false;
        while (!waits && !created.isDone()) {
            waits = !database.tables().lockWaits().isEmpty();
        }
        return waits;
    }

    @Test
    void anIndexCreatedUnderAnOpenWriterHasItsRows() throws Exception {
        try (Connection writer = database.connect();
                Connection reader = database.connect()) {
            writer.setAutoCommit(false);
            run(writer, "INSERT INTO t VALUES (4, 40)", "UPDATE t SET n = 21 WHERE id = 2");
            Future<?> created = createIndex();
            assertTrue(waits(created));
            run(writer, "DELETE FROM t WHERE id = 3");
            writer.commit();
            created.get();
            assertEquals(4, ask(reader, "SELECT id FROM t WHERE n = 40"));
            assertEquals(2, ask(reader, "SELECT id FROM t WHERE n = 21"));
            assertEquals(0, ask(reader, "SELECT COUNT(*) FROM t WHERE n = 20 OR n = 30"));
        }
    }

    /// It read before there was an index, and writes after.
    @Test
    void aWriterWithAnOlderSnapshotDoesNotPassTheNewIndexBy() throws Exception {
        for (int level :
                List.of(
                        Connection.TRANSACTION_READ_COMMITTED,
                        Connection.TRANSACTION_REPEATABLE_READ,
                        Connection.TRANSACTION_SERIALIZABLE)) {
            try (Connection late = database.connect();
                    Connection reader = database.connect()) {
                late.setAutoCommit(false);
                late.setTransactionIsolation(level);
                assertEquals(3, ask(late, "SELECT COUNT(*) FROM t"));
                Future<?> created = createIndex();
                boolean waits = waits(created);
                boolean written = false;
                try {
                    run(late, "INSERT INTO t VALUES (5, 50)");
                    late.commit();
                    written = true;
                } catch (SQLException e) {
                    assertFalse(waits, "nobody was in its way");
                    assertEquals("40001", e.getSQLState());
                    late.rollback();
                }
                created.get();
                int expected = written ? 1 : 0;
                assertEquals(expected, ask(reader, "SELECT COUNT(*) FROM t WHERE n = 50"));
                run(reader, "DELETE FROM t WHERE id = 5", "DROP INDEX t_n");
            }
        }
    }

    @Test
    void indexesComeAndGoWhileManyWrite() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger ids = new AtomicInteger(100);
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            writers.add(
                    others.submit(() -> {
                        try (Connection connection = database.connect()) {
                            while (!done.get()) {
                                int id = ids.getAndIncrement();
                                run(
                                        connection,
                                        "INSERT INTO t VALUES (" + id + ", " + id % 7 + ")",
                                        "UPDATE t SET n = 99 WHERE id = " + (id - 5));
                            }
                        }
                        return true;
                    }));
        }
        try (Connection connection = database.connect()) {
            for (int round = 0; round < 10; round++) {
                createIndex().get();
                long byIndex = ask(connection, "SELECT COUNT(*) FROM t WHERE n = 3");
                assertTrue(byIndex >= 0);
                assertEquals(List.of(), database.check());
                run(connection, "DROP INDEX t_n");
            }
            done.set(true);
            for (Future<?> writer : writers) {
                writer.get();
            }
            createIndex().get();
            long counted = ask(connection, "SELECT COUNT(*) FROM t WHERE n = 3");
            assertEquals(counted, ask(connection, "SELECT COUNT(*) FROM t WHERE n + 0 = 3"));
        }
    }
}
