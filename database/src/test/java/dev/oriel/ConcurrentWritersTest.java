package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several connections that write at once, at each level of isolation.
@Timeout(120)
class ConcurrentWritersTest {
    private final Database database = Database.inMemory();
    private final ExecutorService others = Executors.newCachedThreadPool();
    private final List<Future<?>> waiters = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();

    @FunctionalInterface
    private interface Action {
        void run() throws SQLException;
    }

    @BeforeEach
    void create() throws SQLException {
        run(
                connect(),
                "CREATE TABLE item (id INTEGER PRIMARY KEY, code VARCHAR(20), n INTEGER)",
                "CREATE UNIQUE INDEX item_code ON item (code)",
                "CREATE INDEX item_n ON item (n)",
                "INSERT INTO item VALUES (1, 'one', 0), (2, 'two', 0)");
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
        synchronized (connections) {
            connections.add(connection);
        }
        return connection;
    }

    private Connection begin(int level) throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(level);
        return connection;
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
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    private Future<?> inAnotherThread(Action action) {
        return others.submit(() -> {
            action.run();
            return true;
        });
    }

    /// Until the thread of `task` is seen to wait for a lock, as those of all tasks before it that have not
    /// ended.
    private void letItWait(Future<?> task) {
        waiters.removeIf(Future::isDone);
        waiters.add(task);
        while (database.tables().lockWaits().size() < waiters.size()) {
            assertFalse(task.isDone());
            Thread.onSpinWait();
        }
    }

    private static SQLException failure(Future<?> task) {
        ExecutionException thrown =
                assertThrows(ExecutionException.class, () -> task.get(60, TimeUnit.SECONDS));
        return assertInstanceOf(SQLException.class, thrown.getCause());
    }

    @Test
    void twoTransactionsWriteAtOnce() throws SQLException {
        Connection one = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection two = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(one, "INSERT INTO item VALUES (3, 'three', 0)");
        run(two, "INSERT INTO item VALUES (4, 'four', 0)", "UPDATE item SET n = 2 WHERE id = 2");
        run(one, "UPDATE item SET n = 1 WHERE id = 1");
        assertEquals(3, ask(one, "SELECT count(*) FROM item"));
        two.commit();
        assertEquals(4, ask(one, "SELECT count(*) FROM item"));
        one.commit();
        assertEquals(3, ask(connect(), "SELECT sum(n) FROM item"));
    }

    @Test
    void tablesAreCreatedByManyAtOnce() throws Exception {
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String name = "made" + i;
            tasks.add(
                    inAnotherThread(() -> {
                        Connection connection = connect();
                        run(connection, "CREATE TABLE " + name + " (id INTEGER PRIMARY KEY)");
                        run(connection, "INSERT INTO " + name + " VALUES (1)");
                    }));
        }
        for (Future<?> task : tasks) {
            task.get(60, TimeUnit.SECONDS);
        }
        for (int i = 0; i < 6; i++) {
            assertEquals(1, ask(connect(), "SELECT count(*) FROM made" + i));
        }
    }

    /// A transaction that wants to be the only one must not let another one's definitions pass it by: it
    /// would write rows without the new index, and put its own definitions in place of the newer ones.
    @Test
    void definitionsOfAnotherDoNotComeBetween() throws Exception {
        for (int level :
                new int[] {
                    Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_READ_COMMITTED
                }) {
            Connection first = begin(level);
            ask(first, "SELECT count(*) FROM item");
            run(first, "DELETE FROM item WHERE id = 999");
            Future<?> index =
                    inAnotherThread(
                            () -> run(connect(), "CREATE INDEX came_between ON item (n, code)"));
            letItWait(index);
            run(first, "CREATE TABLE own (id INTEGER PRIMARY KEY)");
            run(first, "INSERT INTO item VALUES (10, 'ten', 10)");
            first.commit();
            index.get(60, TimeUnit.SECONDS);
            assertEquals(List.of(), database.check());
            assertEquals(1, ask(connect(), "SELECT count(*) FROM item WHERE n = 10"));
            run(
                    connect(),
                    "DROP INDEX came_between",
                    "DROP TABLE own",
                    "DELETE FROM item WHERE id = 10");
        }
    }

    @Test
    void rowsWithoutAPrimaryKeyGetNumbersOfTheirOwn() throws SQLException {
        run(connect(), "CREATE TABLE note (text VARCHAR(20))");
        Connection one = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection two = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(one, "INSERT INTO note VALUES ('a')");
        run(two, "INSERT INTO note VALUES ('b')");
        one.commit();
        two.commit();
        assertEquals(2, ask(connect(), "SELECT count(*) FROM note"));
    }

    @Test
    void noIncrementIsLost() throws Exception {
        int each = 300;
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(
                    inAnotherThread(() -> {
                        try (Connection connection = database.connect()) {
                            for (int n = 0; n < each; n++) {
                                run(connection, "UPDATE item SET n = n + 1 WHERE id = 1");
                            }
                        }
                    }));
        }
        for (Future<?> task : tasks) {
            task.get(60, TimeUnit.SECONDS);
        }
        assertEquals(4L * each, ask(connect(), "SELECT n FROM item WHERE id = 1"));
    }

    @Test
    void aStatementInATransactionRunsAgainOnWhatWasCommitted() throws Exception {
        Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(first, "UPDATE item SET n = 10 WHERE id = 1");
        Connection second = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(second, "UPDATE item SET n = 1 WHERE id = 2");
        Future<?> waiting =
                inAnotherThread(() -> run(second, "UPDATE item SET n = n + 1 WHERE id = 1"));
        letItWait(waiting);
        first.commit();
        waiting.get(60, TimeUnit.SECONDS);
        second.commit();
        assertEquals(11, ask(connect(), "SELECT n FROM item WHERE id = 1"));
        assertEquals(1, ask(connect(), "SELECT n FROM item WHERE id = 2"));
    }

    @Test
    void anUpdateAtRepeatableReadIsRefusedWhereTheRowHasChanged() throws SQLException {
        Connection late = begin(Connection.TRANSACTION_REPEATABLE_READ);
        assertEquals(0, ask(late, "SELECT n FROM item WHERE id = 1"));
        run(connect(), "UPDATE item SET n = 5 WHERE id = 1");
        assertEquals(0, ask(late, "SELECT n FROM item WHERE id = 1"));
        Expect.error("40001", "", () -> run(late, "UPDATE item SET n = n + 1 WHERE id = 1"));
        late.rollback();
        assertEquals(5, ask(late, "SELECT n FROM item WHERE id = 1"));
        late.rollback();
    }

    @Test
    void aKeyIsUniqueAlsoWhereTheOtherRowIsYoungerThanTheSnapshot() throws Exception {
        Connection late = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(late, "UPDATE item SET n = 1 WHERE id = 2");
        run(connect(), "INSERT INTO item VALUES (3, 'three', 0)");
        Expect.error(
                "23505", "item_code", () -> run(late, "INSERT INTO item VALUES (9, 'three', 0)"));
        Expect.error(
                "23505", "primary key", () -> run(late, "INSERT INTO item VALUES (3, 'x', 0)"));
        late.commit();
        Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(first, "INSERT INTO item VALUES (4, 'four', 0)");
        Future<?> waiting =
                inAnotherThread(() -> run(connect(), "INSERT INTO item VALUES (5, 'four', 0)"));
        letItWait(waiting);
        first.commit();
        assertEquals("23505", failure(waiting).getSQLState());
    }

    @Test
    void aKeyThatIsGivenFreeGoesToTheOneThatWaits() throws Exception {
        Connection first = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(first, "DELETE FROM item WHERE id = 1");
        Future<?> waiting =
                inAnotherThread(() -> run(connect(), "INSERT INTO item VALUES (7, 'one', 7)"));
        letItWait(waiting);
        first.commit();
        waiting.get(60, TimeUnit.SECONDS);
        assertEquals(7, ask(connect(), "SELECT n FROM item WHERE code = 'one'"));
    }

    @Test
    void anIndexHoldsTheRowsOfWritersThatWereOpen() throws Exception {
        for (String kind : List.of("BTREE", "ARRAY")) {
            Connection writer = begin(Connection.TRANSACTION_READ_COMMITTED);
            run(writer, "UPDATE item SET n = 77 WHERE id = 1");
            Future<?> creation =
                    inAnotherThread(
                            () -> run(connect(), "CREATE " + kind + " INDEX late ON item (n, id)"));
            letItWait(creation);
            run(writer, "UPDATE item SET n = 78 WHERE id = 2");
            writer.commit();
            creation.get(60, TimeUnit.SECONDS);
            assertEquals(2, ask(connect(), "SELECT count(*) FROM item WHERE n > 76"));
            assertEquals(List.of(), database.check());
            run(connect(), "DROP INDEX late", "UPDATE item SET n = 0");
        }
    }

    @Test
    void writersOfAnArrayIndexDoNotUndoEachOther() throws SQLException {
        run(connect(), "CREATE UNIQUE ARRAY INDEX item_array ON item (code, n)");
        Connection one = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection two = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(one, "INSERT INTO item VALUES (3, 'three', 3)");
        run(two, "INSERT INTO item VALUES (4, 'four', 4)", "DELETE FROM item WHERE id = 2");
        one.commit();
        assertEquals(3, ask(two, "SELECT n FROM item WHERE code = 'three'"));
        two.commit();
        assertEquals(7, ask(connect(), "SELECT sum(n) FROM item WHERE code >= 'a'"));
    }

    @Test
    void aDeadlockEndsOneOfTheTwo() throws Exception {
        Connection one = begin(Connection.TRANSACTION_READ_COMMITTED);
        Connection two = begin(Connection.TRANSACTION_READ_COMMITTED);
        run(one, "UPDATE item SET n = 1 WHERE id = 1");
        run(two, "UPDATE item SET n = 2 WHERE id = 2");
        Future<?> waiting = inAnotherThread(() -> run(one, "UPDATE item SET n = 1 WHERE id = 2"));
        letItWait(waiting);
        Expect.error("40P01", "", () -> run(two, "UPDATE item SET n = 2 WHERE id = 1"));
        two.rollback();
        waiting.get(60, TimeUnit.SECONDS);
        one.commit();
        assertEquals(2, ask(connect(), "SELECT count(*) FROM item WHERE n = 1"));
    }

    @Test
    void serializableKeepsTwoThatReadEachOthersRowsApart() throws SQLException {
        Connection one = begin(Connection.TRANSACTION_SERIALIZABLE);
        Connection two = begin(Connection.TRANSACTION_SERIALIZABLE);
        ask(one, "SELECT sum(n) FROM item");
        ask(two, "SELECT sum(n) FROM item");
        run(one, "UPDATE item SET n = 1 WHERE id = 1");
        run(two, "UPDATE item SET n = 1 WHERE id = 2");
        one.commit();
        Expect.error("40001", "", two::commit);
    }

    @Test
    void serializableNoticesWhatAnArrayIndexWouldHaveFound() throws SQLException {
        run(connect(), "CREATE ARRAY INDEX item_array ON item (n)", "DROP INDEX item_n");
        Connection one = begin(Connection.TRANSACTION_SERIALIZABLE);
        assertEquals(0, ask(one, "SELECT count(*) FROM item WHERE n > 100"));
        run(one, "UPDATE item SET code = 'none' WHERE id = 1");
        run(connect(), "INSERT INTO item VALUES (3, 'three', 101)");
        Expect.error("40001", "", one::commit);
    }

    @Test
    void aTransactionThatOnlyReadsKeepsItsSnapshot() throws SQLException {
        for (boolean readOnly : new boolean[] {false, true}) {
            Connection reader = begin(Connection.TRANSACTION_REPEATABLE_READ);
            reader.setReadOnly(readOnly);
            long before = ask(reader, "SELECT sum(n) FROM item");
            run(connect(), "UPDATE item SET n = n + 1");
            assertEquals(before, ask(reader, "SELECT sum(n) FROM item"));
            Expect.error("25001", "end it", () -> reader.setReadOnly(!reader.isReadOnly()));
            assertEquals(before, ask(reader, "SELECT sum(n) FROM item"));
            reader.commit();
            assertEquals(before + 2, ask(reader, "SELECT sum(n) FROM item"));
            reader.rollback();
        }
    }

    @Test
    void moneyIsNeitherMadeNorLost() throws Exception {
        run(connect(), "UPDATE item SET n = 1000");
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int level =
                    i % 2 == 0
                            ? Connection.TRANSACTION_SERIALIZABLE
                            : Connection.TRANSACTION_REPEATABLE_READ;
            int from = 1 + i % 2;
            tasks.add(inAnotherThread(() -> transfer(level, from, 3 - from)));
        }
        for (Future<?> task : tasks) {
            task.get(60, TimeUnit.SECONDS);
        }
        assertEquals(2000, ask(connect(), "SELECT sum(n) FROM item"));
    }

    @Test
    void anExclusiveTransactionKeepsOthersFromWritingAndNotFromReading() throws Exception {
        Connection only = connect();
        run(only, "BEGIN EXCLUSIVE", "UPDATE item SET n = 1");
        Future<?> waiting =
                inAnotherThread(() -> run(connect(), "UPDATE item SET n = n + 1 WHERE id = 2"));
        letItWait(waiting);
        assertEquals(0, ask(connect(), "SELECT sum(n) FROM item"));
        run(only, "COMMIT");
        waiting.get(60, TimeUnit.SECONDS);
        assertEquals(3, ask(connect(), "SELECT sum(n) FROM item"));
    }

    private void transfer(int level, int from, int to) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(level);
            for (int done = 0; done < 50; ) {
                try {
                    long balance = ask(connection, "SELECT n FROM item WHERE id = " + from);
                    run(
                            connection,
                            "UPDATE item SET n = " + (balance - 1) + " WHERE id = " + from,
                            "UPDATE item SET n = n + 1 WHERE id = " + to);
                    connection.commit();
                    done++;
                } catch (SQLException e) {
                    assertTrue(List.of("40001", "40P01").contains(e.getSQLState()), e.toString());
                    connection.rollback();
                }
            }
        }
    }
}
