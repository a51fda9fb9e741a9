package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The driver on the engine itself.
class JdbcSqlTest {
    private Database db;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        connection = db.connect();
        statement = connection.createStatement();
        statement.executeUpdate(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(10), n BIGINT NOT NULL)");
    }

    @AfterEach
    void close() throws SQLException {
        assertEquals(List.of(), db.check());
        connection.close();
        db.close();
    }

    private List<String> rows(Connection from, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement s = from.createStatement();
                ResultSet rs = s.executeQuery(sql)) {
            int columns = rs.getMetaData().getColumnCount();
            while (rs.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(i == 1 ? "" : " ").append(rs.getString(i));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    private void insert(int... ids) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
            for (int id : ids) {
                insert.setInt(1, id);
                insert.setString(2, "n" + id);
                insert.setLong(3, id * 10L);
                insert.addBatch();
            }
            int[] expected = new int[ids.length];
            Arrays.fill(expected, 1);
            assertArrayEquals(expected, insert.executeBatch());
        }
    }

    @Test
    void aParameterIsNotTakenForAValueOfAnotherType() throws SQLException {
        statement.executeUpdate("CREATE TABLE moments (d DATE, n INTEGER)");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO moments VALUES (?, ?)")) {
            insert.setObject(1, LocalDate.of(2024, 2, 29));
            insert.setInt(2, 1);
            insert.executeUpdate();
            statement.executeUpdate("ALTER TABLE moments ALTER n TYPE BIGINT");
            insert.executeUpdate(); // every INTEGER is a BIGINT
            statement.executeUpdate("ALTER TABLE moments ALTER d TYPE TIMESTAMP");
            for (int i = 0; i < 2; i++) {
                Expect.error("42804", "prepare the statement again", insert::executeUpdate);
            }
            assertEquals(
                    List.of("2024-02-29 00:00:00 1", "2024-02-29 00:00:00 1"),
                    rows(connection, "SELECT * FROM moments"));
            for (String columns : List.of("n INTEGER, d DATE", "d DATE, n SMALLINT")) {
                statement.executeUpdate("DROP TABLE moments");
                statement.executeUpdate("CREATE TABLE moments (" + columns + ")");
                Expect.error("42804", "prepare the statement again", insert::executeUpdate);
            }
            statement.executeUpdate("DROP TABLE moments");
            statement.executeUpdate("CREATE TABLE moments (d DATE, n INTEGER)");
            assertEquals(1, insert.executeUpdate());
        }
    }

    @Test
    void insertSelectUpdateDelete() throws SQLException {
        insert(3, 1, 2);
        assertEquals(List.of("1 n1 10", "2 n2 20", "3 n3 30"), rows(connection, "SELECT * FROM t"));
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE t SET n = n + ? WHERE id >= ?")) {
            update.setInt(1, 5);
            update.setInt(2, 2);
            assertEquals(2, update.executeUpdate());
        }
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM t WHERE id = ?")) {
            delete.setInt(1, 3);
            assertEquals(1, delete.executeUpdate());
            assertEquals(0, delete.executeUpdate());
        }
        assertEquals(List.of("10", "25"), rows(connection, "SELECT n FROM t ORDER BY id"));
    }

    @Test
    void everyTypeComesBackAsItWent() throws SQLException {
        statement.executeUpdate(
                "CREATE TABLE v (b BOOLEAN, i SMALLINT, d DECIMAL(12, 3), r REAL, f DOUBLE, c"
                        + " VARCHAR, x VARBINARY, dt DATE, tm TIME, ts TIMESTAMP, tz TIMESTAMP WITH"
                        + " TIME ZONE, u UUID)");
        Object[] values = {
            true,
            -7,
            new BigDecimal("123.456"),
            0.1f,
            1e300,
            "naïve 😀",
            new byte[] {1, 0, -1},
            LocalDate.of(1900, 2, 28),
            LocalTime.of(23, 59, 59, 999_999_000),
            LocalDateTime.of(2024, 2, 29, 1, 2, 3, 4_000),
            OffsetDateTime.parse("2024-02-29T12:00:00Z"),
            UUID.randomUUID()
        };
        String marks = "?, ".repeat(values.length - 1) + "?";
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO v VALUES (" + marks + ")")) {
            for (int i = 0; i < values.length; i++) {
                insert.setObject(i + 1, values[i]);
            }
            assertEquals(1, insert.executeUpdate());
            for (int i = 0; i < values.length; i++) {
                insert.setObject(i + 1, null);
            }
            assertEquals(1, insert.executeUpdate());
        }
        try (ResultSet rs = statement.executeQuery("SELECT * FROM v WHERE b")) {
            assertTrue(rs.next());
            for (int i = 0; i < values.length; i++) {
                if (values[i] instanceof byte[] bytes) {
                    assertArrayEquals(bytes, rs.getBytes(i + 1));
                } else {
                    assertEquals(values[i], rs.getObject(i + 1, values[i].getClass()));
                }
            }
            assertFalse(rs.next());
        }
        try (ResultSet rs = statement.executeQuery("SELECT * FROM v WHERE b IS NULL")) {
            assertTrue(rs.next());
            for (int i = 0; i < values.length; i++) {
                assertNull(rs.getObject(i + 1));
            }
        }
    }

    @Test
    void preparedQueryRunsAgainWithOtherParameters() throws SQLException {
        insert(1, 2, 3, 4, 5);
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT name, n FROM t WHERE id > ? ORDER BY id LIMIT 2")) {
            for (int from = 0; from < 4; from++) {
                query.setInt(1, from);
                try (ResultSet rs = query.executeQuery()) {
                    assertTrue(rs.next());
                    assertEquals("n" + (from + 1), rs.getString(1));
                    assertTrue(rs.next());
                    assertEquals((from + 2) * 10, rs.getInt("n"));
                    assertFalse(rs.next());
                }
            }
        }
    }

    @Test
    void transactionsAreSeenByOthersOnlyWhenCommitted() throws SQLException {
        try (Connection other = db.connect()) {
            connection.setAutoCommit(false);
            insert(1);
            assertEquals(List.of(), rows(other, "SELECT * FROM t"));
            connection.commit();
            assertEquals(List.of("1"), rows(other, "SELECT id FROM t"));
            insert(2);
            connection.rollback();
            assertEquals(List.of("1"), rows(connection, "SELECT id FROM t"));
            insert(3);
            connection.setAutoCommit(true);
            assertEquals(List.of("1", "3"), rows(other, "SELECT id FROM t"));
        }
    }

    @Test
    void connectionThatIsClosedRollsBack() throws SQLException {
        try (Connection other = db.connect()) {
            other.setAutoCommit(false);
            try (Statement s = other.createStatement()) {
                s.executeUpdate("INSERT INTO t VALUES (1, 'x', 1)");
            }
        }
        assertEquals(List.of(), rows(connection, "SELECT * FROM t"));
        insert(1);
    }

    @Test
    void savepointsUndoWhatCameAfterThem() throws SQLException {
        connection.setAutoCommit(false);
        Savepoint nothing = connection.setSavepoint();
        insert(1);
        Savepoint one = connection.setSavepoint("one");
        insert(2);
        Savepoint two = connection.setSavepoint("two");
        insert(3);
        connection.rollback(two);
        assertEquals(List.of("1", "2"), rows(connection, "SELECT id FROM t"));
        connection.rollback(one);
        insert(4);
        assertThrows(SQLException.class, () -> connection.rollback(two));
        assertEquals(List.of("1", "4"), rows(connection, "SELECT id FROM t"));
        connection.releaseSavepoint(one);
        assertThrows(SQLException.class, () -> connection.rollback(one));
        connection.rollback(nothing);
        assertEquals(List.of(), rows(connection, "SELECT id FROM t"));
        connection.commit();
    }

    @Test
    void failedStatementLeavesTheTransactionUsable() throws SQLException {
        connection.setAutoCommit(false);
        insert(1);
        Expect.error(
                "23505",
                "",
                () -> statement.executeUpdate("INSERT INTO t VALUES (2, 'x', 2), (1, 'y', 3)"));
        insert(5);
        connection.commit();
        assertEquals(List.of("1", "5"), rows(connection, "SELECT id FROM t"));
    }

    @Test
    void rowsMayBeChangedWhileTheyAreRead() throws SQLException {
        insert(1, 2, 3);
        connection.setAutoCommit(false);
        try (ResultSet rs = statement.executeQuery("SELECT id, name FROM t ORDER BY id");
                PreparedStatement update =
                        connection.prepareStatement("UPDATE t SET name = ? WHERE id = ?")) {
            int rows = 0;
            while (rs.next()) {
                update.setString(1, "new" + rs.getInt(1));
                update.setInt(2, rs.getInt(1));
                assertEquals(1, update.executeUpdate());
                assertEquals("n" + rs.getInt(1), rs.getString(2), "the row as it was read");
                rows++;
            }
            assertEquals(3, rows);
        }
        connection.commit();
        assertEquals(List.of("new1", "new2", "new3"), rows(connection, "SELECT name FROM t"));
    }

    @Test
    void rowReadBeforeASqlCommitStaysReadable() throws SQLException {
        insert(1, 2);
        connection.setAutoCommit(false);
        insert(3);
        try (ResultSet rs = statement.executeQuery("SELECT id FROM t");
                Statement other = connection.createStatement()) {
            assertTrue(rs.next());
            other.executeUpdate("COMMIT");
            assertEquals(1, rs.getInt(1));
            Expect.error("24000", "", rs::next);
            assertTrue(rs.isClosed());
        }
    }

    @Test
    void secondWriterOfARowWaitsAndThenGivesUp() throws SQLException {
        String url = "jdbc:oriel:mem:writers?writeTimeoutMillis=50";
        try (Connection a = DriverManager.getConnection(url);
                Connection b = DriverManager.getConnection(url);
                Statement first = a.createStatement();
                Statement second = b.createStatement()) {
            first.executeUpdate("CREATE TABLE w (id INTEGER PRIMARY KEY)");
            a.setAutoCommit(false);
            first.executeUpdate("INSERT INTO w VALUES (1)");
            SQLException e =
                    Expect.error(
                            "55P03",
                            "waitedMillis=",
                            () -> second.executeUpdate("INSERT INTO w VALUES (1)"));
            assertEquals(SQLTransientException.class, e.getClass());
            assertEquals(List.of(), rows(b, "SELECT * FROM w"));
            assertEquals(1, second.executeUpdate("INSERT INTO w VALUES (2)"));
            a.commit();
            assertEquals(List.of("1", "2"), rows(b, "SELECT * FROM w"));
        }
    }

    @Test
    void secondsAreRoundedToTheDigitsOfTheirColumn() throws SQLException {
        statement.executeUpdate(
                "CREATE TABLE seconds (s TIMESTAMP(2), t TIME(0), z TIMESTAMP WITH TIME ZONE)");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO seconds VALUES (?, ?, ?)")) {
            insert.setObject(1, LocalDateTime.of(2024, 1, 1, 12, 0, 0, 125_000_000));
            insert.setString(2, "10:00:00.5");
            insert.setObject(3, OffsetDateTime.parse("2024-01-01T00:00:00.123456Z"));
            assertEquals(1, insert.executeUpdate());
        }
        assertEquals(
                List.of("2024-01-01 12:00:00.13|10:00:01|2024-01-01 00:00:00.123456+00"),
                rows(connection, "SELECT s || '|' || t || '|' || z FROM seconds"));
        try (PreparedStatement cast =
                connection.prepareStatement("SELECT CAST(? AS TIMESTAMP(0))")) {
            cast.setObject(1, LocalDateTime.of(2024, 1, 1, 12, 0, 0, 750_000_000));
            try (ResultSet rs = cast.executeQuery()) {
                assertTrue(rs.next());
                assertEquals("2024-01-01 12:00:01", rs.getString(1));
                assertEquals(0, rs.getMetaData().getScale(1));
                assertEquals(19, rs.getMetaData().getPrecision(1));
            }
        }
        List<String> digits = new ArrayList<>();
        try (ResultSet rs = connection.getMetaData().getColumns(null, null, "seconds", null)) {
            while (rs.next()) {
                digits.add(rs.getInt("COLUMN_SIZE") + " " + rs.getInt("DECIMAL_DIGITS"));
            }
        }
        assertEquals(List.of("22 2", "8 0", "29 6"), digits);
    }

    @Test
    void badStatementsHaveTheirStates() {
        check("42601", "SELEC * FROM t");
        check("42601", "SELECT * FROM t WHERE");
        check("42601", "SELECT 'open");
        check("42P01", "SELECT * FROM missing");
        check("42P01", "INSERT INTO missing VALUES (1)");
        check("42703", "SELECT nam FROM t");
        check("42883", "SELECT nofunction(1)");
        check("42P07", "CREATE TABLE t (id INTEGER)");
        check("22012", "SELECT 1 / 0");
        check("22P02", "SELECT CAST('x' AS INTEGER)");
        check("23502", "INSERT INTO t VALUES (1, 'x', NULL)");
        check("22001", "INSERT INTO t VALUES (1, '12345678901', 1)");
        check("22003", "INSERT INTO t VALUES (3000000000, 'x', 1)");
        check("42804", "INSERT INTO t VALUES (1, 'x', TRUE)");
        check("0A000", "SELECT COUNT(*) FROM t FOR UPDATE");
        check("42702", "SELECT id FROM t a, t b");
        check("42712", "SELECT 1 FROM t, t");
        check("42P19", "WITH RECURSIVE x AS (SELECT * FROM x) SELECT * FROM x");
        check("21000", "SELECT (SELECT column1 FROM (VALUES (1), (2)) v)");
    }

    private void check(String state, String sql) {
        SQLException e =
                assertThrows(
                        SQLException.class,
                        () -> {
                            if (statement.execute(sql)) {
                                drain(statement.getResultSet());
                            }
                        },
                        sql);
        assertEquals(state, e.getSQLState(), sql + ": " + e);
    }

    @Test
    void unknownColumnPointsAtItsPlace() {
        SQLException e =
                Expect.error("42703", "nam", () -> statement.executeQuery("SELECT nam FROM t"));
        assertEquals(SQLSyntaxErrorException.class, e.getClass());
        assertTrue(e.toString().contains("name"), "the nearest: " + e);
        assertTrue(e.toString().contains("^"), e.toString());
    }

    @Test
    void duplicateKeyIsAnIntegrityViolation() throws SQLException {
        insert(1);
        SQLException e =
                Expect.error(
                        "23505",
                        "",
                        () -> statement.executeUpdate("INSERT INTO t VALUES (1, 'x', 1)"));
        assertEquals(SQLIntegrityConstraintViolationException.class, e.getClass());
        assertTrue(e.getCause() != null);
    }

    @Test
    void batchWithADuplicateDoesNothing() throws SQLException {
        insert(1);
        BatchUpdateException e = assertThrows(BatchUpdateException.class, () -> insert(7, 8, 1, 9));
        assertEquals("23505", e.getSQLState());
        assertEquals(0, e.getUpdateCounts().length);
        assertEquals(List.of("1"), rows(connection, "SELECT id FROM t"));
    }

    @Test
    void wrongParametersAreErrorsBeforeTheStatementRuns() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
            Expect.error("22023", "no parameter 4", () -> insert.setInt(4, 1));
            Expect.error("22P02", "'x' is not a number", () -> insert.setString(1, "x"));
            Expect.error(
                    "07006", "Parameter 1 is INTEGER", () -> insert.setObject(1, LocalDate.EPOCH));
            Expect.error("07001", "Parameter 1 has no value", insert::executeUpdate);
            Expect.error("22003", "INTEGER", () -> insert.setLong(1, 1L << 31));
        }
        Expect.error("07001", "prepareStatement", () -> statement.executeQuery("SELECT ? + 1"));
    }

    @Test
    void statementFollowsAChangedDefinition() throws SQLException {
        try (PreparedStatement all = connection.prepareStatement("SELECT * FROM t")) {
            assertEquals(3, all.executeQuery().getMetaData().getColumnCount());
            statement.executeUpdate("DROP TABLE t");
            Expect.error("42P01", "t", all::executeQuery);
            statement.executeUpdate("CREATE TABLE t (only_one INTEGER)");
            statement.executeUpdate("INSERT INTO t VALUES (5)");
            try (ResultSet rs = all.executeQuery()) {
                assertEquals("only_one", rs.getMetaData().getColumnName(1));
                assertEquals(1, rs.getMetaData().getColumnCount());
                assertTrue(rs.next());
                assertEquals(5, rs.getInt(1));
            }
        }
    }

    @Test
    void cancelEndsTheQueryThatIsBeingRead() throws SQLException {
        insert(IntStream.range(0, 5000).toArray());
        try (PreparedStatement query = connection.prepareStatement("SELECT id FROM t")) {
            ResultSet rs = query.executeQuery();
            assertTrue(rs.next());
            query.cancel();
            Expect.error("57014", "", () -> drain(rs));
            assertTrue(rs.isClosed());
            assertEquals(5000, drain(query.executeQuery()), "a cancel is for one run");
        }
    }

    private static int drain(ResultSet rs) throws SQLException {
        int rows = 0;
        while (rs.next()) {
            rows++;
        }
        return rows;
    }

    @Test
    void interruptedThreadWorksOn() throws SQLException {
        Thread.currentThread().interrupt();
        try {
            insert(1);
            assertEquals(List.of("1"), rows(connection, "SELECT id FROM t"));
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    /// A time limit holds for the wait for another transaction's lock too, and the session goes on.
    @Test
    void aTimeLimitEndsAWaitForALock() throws SQLException {
        statement.executeUpdate("INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2)");
        try (Connection holder = db.connect();
                Statement holding = holder.createStatement()) {
            holder.setAutoCommit(false);
            holding.executeUpdate("UPDATE t SET n = 5 WHERE id = 1");
            connection.setAutoCommit(false);
            statement.executeUpdate("UPDATE t SET n = 6 WHERE id = 2");
            statement.setQueryTimeout(1);
            long begun = System.nanoTime();
            Expect.error(
                    "57014", "", () -> statement.executeUpdate("UPDATE t SET n = 7 WHERE id = 1"));
            Expect.error("57014", "", () -> statement.executeQuery("SELECT * FROM t FOR UPDATE"));
            assertTrue(System.nanoTime() - begun < 20_000_000_000L);
            holder.commit();
            assertEquals(1, statement.executeUpdate("UPDATE t SET n = n + 2 WHERE id = 1"));
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertEquals(List.of("7", "6"), rows(connection, "SELECT n FROM t ORDER BY id"));
    }

    @Test
    void severalStatementsInOneTextRunOneAfterTheOther() throws SQLException {
        assertFalse(
                statement.execute(
                        "INSERT INTO t VALUES (1, 'a;b', 1), (2, 'b', 2); -- ;\n"
                                + " SELECT name FROM t ORDER BY id; ; UPDATE t SET n = 9 WHERE id = 2;"
                                + " SELECT n FROM t ORDER BY id; /* ; */ DROP TABLE t;"));
        assertEquals(2, statement.getUpdateCount());
        assertTrue(statement.getMoreResults());
        assertEquals(List.of("a;b", "b"), column(statement.getResultSet()));
        assertFalse(statement.getMoreResults());
        assertEquals(1, statement.getUpdateCount());
        assertTrue(statement.getMoreResults());
        assertEquals(-1, statement.getUpdateCount());
        assertEquals(List.of("1", "9"), column(statement.getResultSet()));
        assertFalse(statement.getMoreResults());
        assertEquals(0, statement.getUpdateCount());
        assertFalse(statement.getMoreResults());
        assertEquals(-1, statement.getUpdateCount());
        assertTrue(connection.getMetaData().supportsMultipleResultSets());
    }

    @Test
    void theFirstOfSeveralStatementsThatFailsEndsThem() throws SQLException {
        Expect.error(
                "23505",
                "",
                () ->
                        statement.execute(
                                "INSERT INTO t VALUES (1, 'a', 1); SELECT * FROM t;"
                                        + " INSERT INTO t VALUES (1, 'b', 2); DROP TABLE t"));
        assertEquals(List.of("a"), rows(connection, "SELECT name FROM t"));
        assertEquals(
                1, statement.executeUpdate("UPDATE t SET n = 5; INSERT INTO t VALUES (2, 'b', 2)"));
        Expect.error("07005", "execute", () -> statement.executeUpdate("SELECT 1; SELECT 2"));
        Expect.error("42601", "", () -> statement.execute("SELECT 1; SELECT 'a"));
        assertTrue(statement.execute("SELECT 1; SELECT 2"));
        statement.close();
        assertEquals(List.of("5", "2"), rows(connection, "SELECT n FROM t ORDER BY id"));
    }

    private static List<String> column(ResultSet rows) throws SQLException {
        List<String> values = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    /// A number is that of an element, a text either.
    @Test
    void aParameterFindsAMemberOrAnElementOfJson() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT CAST(? AS JSON) ->> ?, CAST(? AS JSON) -> ?")) {
            String[][] cases = {
                {"[7, 8]", "0", "7"},
                {"[7, 8]", "-1", "8"},
                {"[7, 8]", "2", null},
                {"[7, 8]", "x", null},
                {"{\"0\": 5}", "0", null},
                {"{\"k\": 6}", "k", "6"},
                {"1", "0", null}
            };
            for (String[] one : cases) {
                for (int i = 0; i < 2; i++) {
                    query.setString(2 * i + 1, one[0]);
                    if (one[1].matches("-?[0-9]")) {
                        query.setInt(2 * i + 2, Integer.parseInt(one[1]));
                    } else {
                        query.setString(2 * i + 2, one[1]);
                    }
                }
                try (ResultSet found = query.executeQuery()) {
                    assertTrue(found.next());
                    assertEquals(one[2], found.getString(1), one[0] + one[1]);
                    assertEquals(one[2], found.getString(2), one[0] + one[1]);
                }
            }
        }
    }

    @Test
    void theTargetOfOnConflictTakesParameters() throws SQLException {
        insert(1);
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO t VALUES (?, 'b', 2) ON CONFLICT (id) WHERE n > ?"
                                + " DO UPDATE SET name = ?")) {
            insert.setInt(1, 1);
            insert.setInt(2, 0);
            insert.setString(3, "again");
            assertEquals(1, insert.executeUpdate());
        }
        assertEquals(List.of("again"), rows(connection, "SELECT name FROM t"));
    }

    @Test
    void definitionsTakeNoParameters() throws SQLException {
        for (String definition :
                new String[] {
                    "CREATE INDEX i ON t ((n + ?))",
                    "CREATE INDEX i ON t (n) WHERE n > ?",
                    "ALTER TABLE t ALTER COLUMN n TYPE INTEGER USING n + ?"
                }) {
            try (PreparedStatement statement = connection.prepareStatement(definition)) {
                statement.setInt(1, 1);
                SQLException refused = assertThrows(SQLException.class, statement::execute);
                assertEquals("42601", refused.getSQLState(), definition);
            }
        }
    }

    @Test
    void theDefinitionOfAViewIsFoundByItsNumberAsAParameter() throws SQLException {
        statement.executeUpdate("CREATE VIEW v AS SELECT id FROM t");
        long number;
        try (ResultSet found = statement.executeQuery("SELECT 'v'::regclass::oid")) {
            assertTrue(found.next());
            number = found.getLong(1);
        }
        try (PreparedStatement query =
                connection.prepareStatement("SELECT PG_GET_VIEWDEF(?), PG_GET_VIEWDEF('v')")) {
            query.setLong(1, number);
            try (ResultSet found = query.executeQuery()) {
                assertTrue(found.next());
                assertEquals("SELECT id FROM t;", found.getString(1));
                assertEquals("SELECT id FROM t;", found.getString(2));
            }
        }
    }

    /// As pools do that set their own level again for each user.
    @Test
    void levelOfIsolationIsSetAgainInsideATransaction() throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        assertEquals(List.of("0"), rows(connection, "SELECT COUNT(*) FROM t"));
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setReadOnly(false);
        Expect.error(
                "25001",
                "The level of isolation cannot change inside a transaction: end it first",
                () -> connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED));
        connection.rollback();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.rollback();
    }

    /// Tools split scripts at their semicolons, and send the comments that are left.
    @ParameterizedTest
    @ValueSource(strings = {"", " \n", ";", "-- none", "/* none */ ;", "// none\n"})
    void statementOfCommentsAloneHasNoEffect(String text) throws SQLException {
        assertFalse(statement.execute(text));
        assertEquals(0, statement.getUpdateCount());
        assertEquals(0, statement.executeUpdate(text));
        try (PreparedStatement prepared = connection.prepareStatement(text)) {
            assertEquals(0, prepared.executeUpdate());
        }
        assertThrows(SQLException.class, () -> statement.executeQuery(text));
        assertThrows(SQLException.class, () -> statement.execute("EXPLAIN " + text));
    }
}
