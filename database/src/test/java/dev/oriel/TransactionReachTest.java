package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.OrderedMap;
import dev.oriel.store.ClosedException;
import dev.oriel.store.UsageException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Transactions over several faces as they are reached from JDBC, from functions and from outside.
@SuppressWarnings("NullAway") // what is missing fails the test
final class TransactionReachTest {
    private Database db;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        db.map("m", MapKey.longs(), MapValue.longs()).put(1L, 10L);
        try (Connection connection = db.connect()) {
            run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, n BIGINT)");
            run(connection, "INSERT INTO t VALUES (1, 0)");
        }
    }

    @AfterEach
    void checkAndClose() {
        assertEquals(List.of(), db.check());
        db.close();
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
        List<List<Object>> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(rows.getObject(i));
                }
                all.add(row);
            }
        }
        return all;
    }

    private static OrderedMap<Long, Long> map(Transaction tx) {
        return tx.map("m", MapKey.longs(), MapValue.longs());
    }

    private @Nullable Long outside(long key) {
        return db.map("m", MapKey.longs(), MapValue.longs()).get(key);
    }

    @Test
    void aConnectionSharesItsTransaction() throws SQLException {
        try (Connection connection = db.connect()) {
            SQLException none = assertThrows(SQLException.class, () -> Transaction.of(connection));
            assertEquals("25P01", none.getSQLState());
            connection.setAutoCommit(false);
            List<String> told = new ArrayList<>();
            Transaction tx = Transaction.of(connection);
            assertSame(tx, Transaction.of(connection));
            assertSame(connection, tx.connection());
            tx.onCommit(() -> told.add("committed"));
            map(tx).put(2L, 20L);
            run(connection, "UPDATE map_m SET v = v + 1");
            assertEquals(21L, map(tx).get(2L));
            assertNull(outside(2L));
            for (Runnable wrong : List.<Runnable>of(tx::commit, tx::rollback)) {
                assertTrue(
                        String.valueOf(assertThrows(UsageException.class, wrong::run).getMessage())
                                .contains("that of a JDBC connection"));
            }
            tx.close();
            connection.commit();
            assertEquals(List.of("committed"), told);
            assertEquals(21L, outside(2L));
            assertThrows(ClosedException.class, () -> map(tx));
            Transaction second = Transaction.of(connection);
            map(second).put(3L, 30L);
            connection.rollback();
            assertNull(outside(3L));
            assertThrows(ClosedException.class, second::savepoint);
            connection.setAutoCommit(true);
            run(connection, "BEGIN");
            Transaction.Savepoint moment = Transaction.of(connection).savepoint();
            map(Transaction.of(connection)).put(4L, 40L);
            Transaction.of(connection).rollbackTo(moment);
            map(Transaction.of(connection)).put(5L, 50L);
            run(connection, "COMMIT");
            assertNull(outside(4L));
            assertEquals(50L, outside(5L));
            assertEquals(List.of("committed"), told);
        }
        try (Transaction tx = db.begin()) {
            assertSame(tx, Transaction.of(tx.connection()));
        }
    }

    @Test
    void aConnectionThatIsClosedRollsBackWhatFacesHaveWritten() throws SQLException {
        Transaction tx;
        try (Connection connection = db.connect()) {
            connection.setAutoCommit(false);
            tx = Transaction.of(connection);
            map(tx).put(2L, 20L);
        }
        assertNull(outside(2L));
        assertThrows(ClosedException.class, () -> map(tx));
    }

    @Test
    void aFunctionReachesTheTransactionOfItsStatement() throws SQLException {
        db.functions()
                .add(
                        "looked_up",
                        List.of(Long.class),
                        Long.class,
                        arguments -> {
                            Transaction tx = Transaction.current();
                            return tx == null ? -1 : map(tx).get((Long) arguments[0]);
                        });
        db.functions()
                .add(
                        "written",
                        List.of(Long.class),
                        Long.class,
                        arguments -> {
                            Transaction tx = Transaction.current();
                            assertNotNull(tx);
                            map(tx).put((Long) arguments[0], 1L);
                            return 1L;
                        });
        db.functions()
                .add(
                        "ended",
                        List.of(Long.class),
                        Long.class,
                        _ -> {
                            Transaction tx = Transaction.current();
                            assertNotNull(tx);
                            tx.commit();
                            return 1L;
                        });
        try (Transaction tx = db.begin()) {
            map(tx).put(1L, 11L);
            Connection inside = tx.connection();
            assertEquals(List.of(List.of(11L)), rows(inside, "SELECT looked_up(id) FROM t"));
            for (String function : List.of("written", "ended")) {
                SQLException refused =
                        assertThrows(
                                SQLException.class,
                                () -> rows(inside, "SELECT " + function + "(id) FROM t"));
                assertTrue(
                        String.valueOf(refused.getMessage()).contains("cannot write"),
                        refused.getMessage());
            }
            map(tx).put(1L, 12L);
            run(inside, "UPDATE t SET n = looked_up(id)");
            tx.commit();
        }
        try (Connection connection = db.connect()) {
            assertEquals(List.of(List.of(12L)), rows(connection, "SELECT n FROM t"));
            assertEquals(List.of(List.of(-1L)), rows(connection, "SELECT looked_up(id) FROM t"));
            run(connection, "UPDATE t SET n = looked_up(id) + 1");
            assertEquals(List.of(List.of(13L)), rows(connection, "SELECT n FROM t"));
            connection.setAutoCommit(false);
            run(connection, "UPDATE map_m SET v = 99");
            assertEquals(List.of(List.of(99L)), rows(connection, "SELECT looked_up(id) FROM t"));
            connection.rollback();
        }
        assertNull(Transaction.current());
        String same = db.transact(tx -> tx == Transaction.current() ? "same" : "other");
        assertEquals("same", same);
    }

    @Test
    void openTransactionsAreShown() throws SQLException {
        TransactionOptions named =
                TransactionOptions.defaults().withName("transfer").withTraced(true);
        try (Transaction tx = db.begin(named);
                Transaction reads = db.begin(TransactionOptions.defaults().withReadOnly(true));
                Connection own = db.connect();
                Connection outside = db.connect()) {
            assertNotNull(reads);
            map(tx).put(7L, 7L);
            run(tx.connection(), "UPDATE t SET n = 5");
            own.setAutoCommit(false);
            run(own, "INSERT INTO t VALUES (8, 8)");
            List<List<Object>> seen =
                    rows(
                            outside,
                            "SELECT name, faces, isolation, read_only, locks > 0, writes, age_ms >= 0,"
                                    + " begun_at LIKE '%openTransactionsAreShown%' FROM sys.transactions"
                                    + " ORDER BY \"transaction\" NULLS LAST");
            assertEquals(3, seen.size(), seen::toString);
            assertEquals(
                    List.of(
                            "transfer",
                            "map m, sql",
                            "read committed",
                            false,
                            true,
                            2L,
                            true,
                            true),
                    seen.get(0));
            assertEquals("snapshot", seen.get(1).get(2));
            assertEquals(true, seen.get(1).get(3));
            assertEquals("sql", seen.get(2).get(1));
            assertEquals(1L, seen.get(2).get(5));
            Transaction.of(own).bucket("b");
            assertEquals(
                    List.of(List.of("sql, bucket b")),
                    rows(
                            outside,
                            "SELECT faces FROM sys.transactions WHERE faces LIKE '%bucket%'"));
            own.rollback();
            tx.commit();
            assertEquals(
                    List.of(List.of(1L)), rows(outside, "SELECT COUNT(*) FROM sys.transactions"));
        }
    }

    @Test
    void aForgottenTransactionIsNamedAndRolledBack() throws Exception {
        List<String> told = new ArrayList<>();
        CountDownLatch named = new CountDownLatch(1);
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord line) {
                        told.add(
                                java.text.MessageFormat.format(
                                        line.getMessage(), line.getParameters()));
                        named.countDown();
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        Logger logger = Logger.getLogger("dev.oriel");
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            forget();
            try (Connection connection = db.connect()) {
                for (int i = 0; i < 600 && !named.await(100, TimeUnit.MILLISECONDS); i++) {
                    System.gc();
                    rows(connection, "SELECT * FROM sys.transactions");
                }
            }
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
        assertFalse(told.isEmpty());
        assertTrue(told.getFirst().contains("(forgotten one)"), told::toString);
        assertTrue(told.getFirst().contains("TransactionReachTest.forget"), told::toString);
        db.transact(tx -> map(tx).put(1L, 3L)); // no lock is left
    }

    private void forget() {
        Transaction tx =
                db.begin(TransactionOptions.defaults().withName("forgotten one").withTraced(true));
        map(tx).put(1L, 2L);
    }
}
