package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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

    /// Those of another table go on, before, during and after; those of its own are waited for.
    @Test
    void anIndexWaitsForTheWritersOfItsOwnTableAlone() throws Exception {
        try (Connection elsewhere = database.connect();
                Connection writer = database.connect();
                Connection reader = database.connect()) {
            run(elsewhere, "CREATE TABLE other (id INTEGER PRIMARY KEY, n INTEGER)");
            elsewhere.setAutoCommit(false);
            run(elsewhere, "INSERT INTO other VALUES (1, 1)");
            createIndex().get(); // while that one is open
            run(elsewhere, "INSERT INTO other VALUES (2, 2)");
            writer.setAutoCommit(false);
            run(writer, "INSERT INTO t VALUES (4, 40)");
            Future<?> second =
                    others.submit(() -> {
                        try (Connection connection = database.connect()) {
                            run(connection, "CREATE UNIQUE INDEX t_n2 ON t (n)");
                        }
                        return true;
                    });
            awaitLockWait();
            run(elsewhere, "INSERT INTO other VALUES (3, 3)");
            elsewhere.commit(); // beside the definition that waits
            run(reader, "UPDATE other SET n = 9 WHERE id = 3");
            assertFalse(second.isDone());
            writer.commit();
            second.get();
            assertEquals(4, ask(reader, "SELECT id FROM t WHERE n = 40"));
            assertEquals(3, ask(reader, "SELECT COUNT(*) FROM other"));
        }
    }

    private void awaitLockWait() {
        while (database.tables().lockWaits().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    /// While an index is built, others commit to other tables; writers of the table come after it.
    @Test
    void whileAnIndexIsBuiltOthersCommitToOtherTables() throws Exception {
        try (Connection building = database.connect();
                Connection elsewhere = database.connect();
                Connection reader = database.connect()) {
            run(elsewhere, "CREATE TABLE other (id INTEGER PRIMARY KEY, n INTEGER)");
            building.setAutoCommit(false);
            run(building, "INSERT INTO t VALUES (5, 50)", "CREATE INDEX t_n ON t (n)");
            run(elsewhere, "INSERT INTO other VALUES (1, 1)");
            assertEquals(1, ask(reader, "SELECT COUNT(*) FROM other"));
            assertEquals(3, ask(reader, "SELECT COUNT(*) FROM t"));
            Future<?> late =
                    others.submit(() -> {
                        try (Connection connection = database.connect()) {
                            run(connection, "INSERT INTO t VALUES (6, 60)");
                        }
                        return true;
                    });
            awaitLockWait();
            assertEquals(5, ask(building, "SELECT id FROM t WHERE n = 50"));
            run(building, "UPDATE t SET n = 11 WHERE id = 1");
            building.commit();
            late.get();
            assertEquals(6, ask(reader, "SELECT id FROM t WHERE n = 60"));
            assertEquals(1, ask(reader, "SELECT id FROM t WHERE n = 11"));
            assertEquals(0, ask(reader, "SELECT COUNT(*) FROM t WHERE n = 10"));
        }
    }

    /// What is rolled back leaves no tree behind that stands in the way of the next one, or is lost.
    @Test
    void anIndexThatIsRolledBackLeavesNothing() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < 3; round++) {
                run(
                        connection,
                        "INSERT INTO t VALUES (7, 70)",
                        "SAVEPOINT before",
                        "CREATE INDEX t_n ON t (n)",
                        "INSERT INTO t VALUES (8, 80)",
                        "DELETE FROM t WHERE id = 8",
                        "ROLLBACK TO SAVEPOINT before",
                        "CREATE INDEX t_again ON t (n)");
                assertEquals(7, ask(connection, "SELECT id FROM t WHERE n = 70"));
                connection.rollback();
            }
            run(connection, "INSERT INTO t VALUES (9, 10)");
            SQLException refused =
                    assertThrows(
                            SQLException.class,
                            () -> run(connection, "CREATE UNIQUE INDEX t_u ON t (n)"));
            assertEquals("23505", refused.getSQLState());
            connection.commit();
            run(
                    connection,
                    "SAVEPOINT before",
                    "CREATE INDEX t_n ON t (n)",
                    "ROLLBACK TO SAVEPOINT before",
                    "INSERT INTO t VALUES (10, 100)");
            connection.commit();
        }
    }

    /// Each has written to what the other defines: the one who closes the circle is told.
    @Test
    void definitionsThatWaitForEachOtherAreADeadlock() throws Exception {
        try (Connection first = database.connect();
                Connection second = database.connect()) {
            run(first, "CREATE TABLE other (id INTEGER PRIMARY KEY, n INTEGER)");
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            run(first, "INSERT INTO t VALUES (11, 110)");
            run(second, "INSERT INTO other VALUES (1, 1)");
            Future<?> waits =
                    others.submit(() -> {
                        run(first, "CREATE INDEX o_n ON other (n)");
                        return true;
                    });
            awaitLockWait();
            SQLException refused =
                    assertThrows(
                            SQLException.class, () -> run(second, "CREATE INDEX t_n ON t (n)"));
            assertEquals("40P01", refused.getSQLState());
            second.rollback();
            waits.get();
            first.commit();
        }
    }

    /// Who has written to the table can become exclusive though an index waits for it.
    @Test
    void whoHasWrittenBecomesExclusiveWhileAnIndexWaits() throws Exception {
        try (Connection writer = database.connect();
                Connection reader = database.connect()) {
            writer.setAutoCommit(false);
            run(writer, "UPDATE t SET n = 12 WHERE id = 1");
            Future<?> created = createIndex();
            awaitLockWait();
            run(writer, "CREATE TABLE own (id INTEGER PRIMARY KEY)", "INSERT INTO own VALUES (1)");
            run(writer, "INSERT INTO t VALUES (14, 140)");
            assertFalse(created.isDone());
            writer.commit();
            created.get();
            assertEquals(14, ask(reader, "SELECT id FROM t WHERE n = 140"));
            assertEquals(1, ask(reader, "SELECT id FROM t WHERE n = 12"));
            assertEquals(1, ask(reader, "SELECT COUNT(*) FROM own"));
        }
    }

    /// The wait for writers ends when the statement is cancelled, or has taken too long.
    @Test
    void aDefinitionThatWaitsForAWriterIsCancelled() throws Exception {
        try (Connection writer = database.connect();
                Connection defining = database.connect();
                Statement statement = defining.createStatement()) {
            writer.setAutoCommit(false);
            run(writer, "INSERT INTO t VALUES (12, 120)");
            Future<?> cancelled =
                    others.submit(() -> {
                        awaitLockWait();
                        statement.cancel();
                        return true;
                    });
            SQLException refused =
                    assertThrows(
                            SQLException.class,
                            () -> statement.execute("CREATE INDEX t_n ON t (n)"));
            assertEquals("57014", refused.getSQLState());
            cancelled.get();
            run(writer, "INSERT INTO t VALUES (13, 130)");
            writer.commit();
        }
    }

    /// Columns and constraints are added beside writers of other tables too, and stale writers see them.
    @Test
    void otherDefinitionsWaitForTheirTableAlone() throws Exception {
        try (Connection elsewhere = database.connect();
                Connection defining = database.connect();
                Connection stale = database.connect();
                Connection reader = database.connect()) {
            run(
                    elsewhere,
                    "CREATE TABLE other (id INTEGER PRIMARY KEY, n INTEGER)",
                    "CREATE TABLE child (id INTEGER PRIMARY KEY, t INTEGER)",
                    "INSERT INTO child VALUES (1, 2)");
            elsewhere.setAutoCommit(false);
            stale.setAutoCommit(false);
            run(elsewhere, "INSERT INTO other VALUES (1, 1)");
            run(stale, "INSERT INTO other VALUES (2, 2)");
            run(
                    defining,
                    "ALTER TABLE t ADD COLUMN more INTEGER",
                    "ALTER TABLE t ADD CONSTRAINT positive CHECK (n > 0)",
                    "ALTER TABLE child ADD FOREIGN KEY (t) REFERENCES t (id)",
                    "CREATE VIEW v AS SELECT id FROM t",
                    "COMMENT ON TABLE t IS 'one'");
            SQLException refused =
                    assertThrows(
                            SQLException.class, () -> run(stale, "DELETE FROM t WHERE id = 2"));
            assertEquals("23503", refused.getSQLState());
            run(stale, "UPDATE t SET more = 7 WHERE id = 3");
            stale.commit();
            elsewhere.commit();
            assertEquals(7, ask(reader, "SELECT more FROM t WHERE id = 3"));
            assertEquals(2, ask(reader, "SELECT COUNT(*) FROM other"));
        }
    }

    /// It has written, so its definitions are those of its last statement's snapshot until it moves on.
    @Test
    void aWriterFindsWhatOthersHaveDefinedSince() throws Exception {
        try (Connection writer = database.connect();
                Connection defining = database.connect()) {
            run(defining, "CREATE TABLE beside (id INTEGER PRIMARY KEY)");
            writer.setAutoCommit(false);
            run(writer, "INSERT INTO beside VALUES (1)");
            run(defining, "CREATE VIEW seen AS SELECT id FROM t");
            assertEquals(3, ask(writer, "SELECT COUNT(*) FROM seen"));
            run(defining, "ALTER TABLE t ADD COLUMN late INTEGER");
            assertEquals(3, ask(writer, "SELECT COUNT(*) FROM t WHERE late IS NULL"));
            writer.commit();
        }
    }

    /// A snapshot has the definitions of its moment, for who may not write too.
    @Test
    void aReaderOfOneSnapshotFindsWhatWasDefinedThen() throws Exception {
        try (Connection reader = database.connect();
                Connection defining = database.connect()) {
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertEquals(3, ask(reader, "SELECT COUNT(*) FROM t"));
            run(defining, "ALTER TABLE t RENAME COLUMN n TO m");
            assertEquals(60, ask(reader, "SELECT SUM(n) FROM t"));
            reader.commit();
            assertEquals(60, ask(reader, "SELECT SUM(m) FROM t"));
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
