package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A prepared statement whose parameters get values of other types from one execution to the next.
final class RetypedStatementTest {
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:oriel:mem:");
        statement = connection.createStatement();
        statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BIGINT, s VARCHAR(20))");
        statement.execute("INSERT INTO t VALUES (1, 10, 'one'), (2, 9, 'two')");
        statement.execute(
                "CREATE TABLE log (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, s VARCHAR)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private static @Nullable Object value(PreparedStatement prepared, @Nullable Object... values)
            throws SQLException {
        for (int i = 0; i < values.length; i++) {
            prepared.setObject(i + 1, values[i]);
        }
        try (ResultSet rows = prepared.executeQuery()) {
            assertTrue(rows.next());
            return rows.getObject(1);
        }
    }

    private List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    @Test
    void aNullOfTextForgetsTheTypeBefore() throws SQLException {
        LocalDate day = LocalDate.of(2026, 3, 1);
        try (PreparedStatement prepared = connection.prepareStatement("SELECT COALESCE(?, ?)")) {
            assertEquals(1, value(prepared, 1, 2));
            prepared.setNull(1, Types.VARCHAR);
            prepared.setObject(2, day);
            assertEquals(Date.valueOf(day), only(prepared));
            assertEquals(1, value(prepared, 1, 2));
            prepared.setString(1, null);
            prepared.setObject(2, day);
            assertEquals(Date.valueOf(day), only(prepared));
            assertEquals(1, value(prepared, 1, 2));
            prepared.clearParameters();
            prepared.setObject(1, null);
            prepared.setObject(2, day);
            assertEquals(Date.valueOf(day), only(prepared));
        }
    }

    @Test
    void bytesThatAreNoTextAreRefusedForText() throws SQLException {
        byte[] bytes = {(byte) 0xff, (byte) 0xfe};
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (3, 1, ?)")) {
            SQLException refused =
                    assertThrows(SQLException.class, () -> insert.setBytes(1, bytes));
            assertEquals("22021", refused.getSQLState());
            insert.setBytes(1, new byte[] {'o', 'k'});
            assertEquals(1, insert.executeUpdate());
            assertEquals(List.of("ok"), texts("SELECT s FROM t WHERE id = 3"));
        }
    }

    private static @Nullable Object only(PreparedStatement prepared) throws SQLException {
        try (ResultSet rows = prepared.executeQuery()) {
            assertTrue(rows.next());
            return rows.getObject(1);
        }
    }

    @Test
    void valueComesBackAsItWasGiven() throws SQLException {
        UUID id = UUID.fromString("00000000-0000-0000-0000-00000000002a");
        LocalDate day = LocalDate.of(2026, 3, 1);
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ?")) {
            for (Object same :
                    List.of(5, 5L, "x", 1.5, 1.5f, true, new BigDecimal("1.50"), id, 6, "y")) {
                assertEquals(same, value(prepared, same));
            }
            assertEquals(3, value(prepared, (short) 3));
            assertEquals(Date.valueOf(day), value(prepared, day));
            assertEquals(Date.valueOf(day), value(prepared, Date.valueOf(day)));
            Timestamp noon = Timestamp.valueOf(day.atTime(12, 0));
            assertEquals(noon, value(prepared, noon));
            assertEquals(noon, value(prepared, day.atTime(12, 0)));
            assertEquals(Time.valueOf("12:00:00"), value(prepared, Time.valueOf("12:00:00")));
            OffsetDateTime moment = OffsetDateTime.parse("2026-03-01T12:00Z");
            assertEquals(moment, value(prepared, moment));
            assertEquals(moment, value(prepared, moment.toInstant()));
            assertArrayEquals(
                    new byte[] {0, (byte) 0xff},
                    (byte[]) value(prepared, (Object) new byte[] {0, (byte) 0xff}));
        }
    }

    @Test
    void metadataIsThatOfTheLastExecution() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT GREATEST(?, ?)")) {
            assertEquals(Types.VARCHAR, prepared.getMetaData().getColumnType(1));
            assertEquals(Types.VARCHAR, prepared.getParameterMetaData().getParameterType(2));
            assertEquals(10, value(prepared, 10, 9));
            assertEquals(Types.INTEGER, prepared.getMetaData().getColumnType(1));
            assertEquals("greatest", prepared.getMetaData().getColumnLabel(1));
            assertEquals(Types.INTEGER, prepared.getParameterMetaData().getParameterType(2));
            assertEquals(10L, value(prepared, 10L, 9));
            assertEquals("9", value(prepared, "10", "9"));
            assertEquals(Types.VARCHAR, prepared.getMetaData().getColumnType(1));
        }
    }

    @Test
    void columnKeepsItsNameWithTheType() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ?")) {
            assertEquals("?column?", prepared.getMetaData().getColumnLabel(1));
            assertEquals(1, value(prepared, 1));
            assertEquals("?column?", prepared.getMetaData().getColumnLabel(1));
        }
    }

    @Test
    void textTakesTheTypeOfItsTypedNeighbour() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ? < ?")) {
            assertEquals(true, value(prepared, "9", 10));
            assertEquals(false, value(prepared, 10, "9"));
            assertEquals(true, value(prepared, "10", "9"));
            SQLException failure = assertThrows(SQLException.class, () -> value(prepared, "x", 10));
            assertEquals("22P02", failure.getSQLState());
            assertEquals(true, value(prepared, "2026-03-01", LocalDate.of(10_000, 1, 1)));
            assertEquals(true, value(prepared, 9, 10L));
        }
    }

    @Test
    void nullKeepsTheTypeOfTheLastValue() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ?")) {
            assertEquals(null, value(prepared, (Object) null));
            assertEquals(Types.VARCHAR, prepared.getMetaData().getColumnType(1));
            assertEquals(1, value(prepared, 1));
            assertEquals(null, value(prepared, (Object) null));
            assertEquals(Types.INTEGER, prepared.getMetaData().getColumnType(1));
        }
    }

    @Test
    void nullOfATypeHasThatType() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ?")) {
            prepared.setNull(1, Types.DATE);
            try (ResultSet rows = prepared.executeQuery()) {
                assertEquals(Types.DATE, rows.getMetaData().getColumnType(1));
            }
            prepared.setNull(1, Types.REF_CURSOR); // of a type that there is not
            prepared.executeQuery().close();
        }
        try (PreparedStatement prepared = connection.prepareStatement("SELECT COALESCE(?, ?)")) {
            prepared.setNull(1, Types.NULL);
            prepared.setInt(2, 7);
            try (ResultSet rows = prepared.executeQuery()) {
                rows.next();
                assertEquals(7, rows.getObject(1));
            }
        }
    }

    @Test
    void namedTypeOfSetObjectIsTheType() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ?")) {
            prepared.setObject(1, "5", Types.INTEGER);
            try (ResultSet rows = prepared.executeQuery()) {
                rows.next();
                assertEquals(5, rows.getObject(1));
            }
            prepared.setObject(1, 5, Types.VARCHAR);
            try (ResultSet rows = prepared.executeQuery()) {
                rows.next();
                assertEquals("5", rows.getObject(1));
            }
        }
    }

    @Test
    void typesWithoutAnOperatorFailAtExecutionAndTheNextOneWorks() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ? < ?")) {
            SQLException failure = assertThrows(SQLException.class, () -> value(prepared, 1, true));
            assertEquals("42883", failure.getSQLState());
            assertEquals(true, value(prepared, 1, 2));
            failure = assertThrows(SQLException.class, () -> value(prepared, 1, true));
            assertEquals("42883", failure.getSQLState());
            assertEquals(true, value(prepared, false, true));
        }
    }

    @Test
    void typesOfTheContextStay() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT s FROM t WHERE id = ? AND ? < ?")) {
            assertEquals("one", value(prepared, "1", 9, 10));
            assertEquals("one", value(prepared, 1L, "9", 10));
            assertEquals("one", value(prepared, new BigDecimal("1"), 9.5, 10.5));
            assertEquals(Types.INTEGER, prepared.getParameterMetaData().getParameterType(1));
        }
    }

    /// As with a number that is written into the statement.
    @Test
    void anIntegerIsComparedWithAnyNumber() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT COUNT(*) FROM t WHERE id = ?")) {
            assertEquals(1L, value(prepared, 1));
            assertEquals(0L, value(prepared, Long.MAX_VALUE));
            assertEquals(0L, value(prepared, new BigDecimal("1.5")));
            assertEquals(1L, value(prepared, 1.0));
        }
    }

    @Test
    void openResultEndsWithTheNextExecution() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT x, ? FROM GENERATE_SERIES(1, 3) AS s (x)")) {
            prepared.setInt(1, 5);
            ResultSet first = prepared.executeQuery();
            assertTrue(first.next());
            prepared.setString(1, "x");
            assertTrue(first.next());
            assertEquals(5, first.getObject(2));
            ResultSet second = prepared.executeQuery();
            assertTrue(first.isClosed());
            assertTrue(second.next());
            assertEquals("x", second.getObject(2));
            second.close();
        }
    }

    @Test
    void statementIsPlannedAgainAfterADefinition() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT MAX(v) FROM t WHERE ? < ?")) {
            assertEquals(10L, value(prepared, 9, 10));
            statement.execute("CREATE INDEX tv ON t (v)");
            assertEquals(10L, value(prepared, 9, 10));
            assertEquals(null, value(prepared, 10, 9));
            statement.execute("ALTER TABLE t ADD COLUMN w INTEGER");
            assertEquals(10L, value(prepared, 9L, 10L));
        }
    }

    @Test
    void definitionOfTheOwnTransactionIsSeen() throws SQLException {
        connection.setAutoCommit(false);
        statement.execute("CREATE TABLE n (x INTEGER)");
        statement.execute("INSERT INTO n VALUES (4)");
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT x FROM n WHERE ? < ?")) {
            assertEquals(4, value(prepared, 9, 10));
            assertEquals(4, value(prepared, 9L, 10L));
        }
        connection.rollback();
    }

    @Test
    void mergeOfValuesComparesAndAssignsInTheirTypes() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "MERGE INTO t USING (VALUES (?, ?, ?)) AS n (id, v, s) ON t.id = n.id"
                                + " WHEN MATCHED THEN UPDATE SET v = t.v + n.v"
                                + " WHEN NOT MATCHED THEN INSERT VALUES (n.id, n.v, n.s)")) {
            prepared.setInt(1, 2);
            prepared.setLong(2, 100);
            prepared.setString(3, "TWO");
            assertEquals(1, prepared.executeUpdate());
            prepared.setInt(1, 3);
            assertEquals(1, prepared.executeUpdate());
        }
        assertEquals(List.of("1 10 one", "2 109 two", "3 100 TWO"), all());
    }

    private List<String> all() throws SQLException {
        return texts("SELECT id || ' '::TEXT || v || ' '::TEXT || s FROM t ORDER BY id");
    }

    @Test
    void rowsOfValuesAreInsertedInTheirTypes() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "INSERT INTO t SELECT x, y, z FROM (VALUES (?, ?, ?), (?, ?, ?))"
                                + " AS n (x, y, z) WHERE x > 2")) {
            @Nullable Object[] values = {10, 5L, "ten", 2, 6, "no"};
            for (int i = 0; i < values.length; i++) {
                prepared.setObject(i + 1, values[i]);
            }
            assertEquals(1, prepared.executeUpdate());
        }
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "INSERT INTO t (id, v, s) SELECT x, y, z FROM (VALUES (?, ?, ?))"
                                + " AS n (x, y, z)")) {
            for (int i = 1; i <= 3; i++) {
                prepared.setString(i, "1" + i);
            }
            assertEquals(1, prepared.executeUpdate());
        }
        assertEquals(List.of("1 10 one", "2 9 two", "10 5 ten", "11 12 13"), all());
    }

    @Test
    void deleteAndUpdateJoinValues() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "UPDATE t SET v = n.v FROM (VALUES (?, ?)) AS n (id, v)"
                                + " WHERE n.id = t.id RETURNING t.v + ?")) {
            prepared.setInt(1, 2);
            prepared.setInt(2, 77);
            prepared.setInt(3, 1);
            try (ResultSet rows = prepared.executeQuery()) {
                rows.next();
                assertEquals(78L, rows.getObject(1));
            }
        }
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "DELETE FROM t USING (VALUES (?), (?)) AS n (id) WHERE n.id = t.id")) {
            prepared.setInt(1, 1);
            prepared.setInt(2, 5);
            assertEquals(1, prepared.executeUpdate());
        }
        assertEquals(List.of("2 77 two"), all());
    }

    private static final String LOG = "INSERT INTO log (s) SELECT TO_JSONB(?)::TEXT";

    @Test
    void eachRowOfABatchHasItsTypes() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(LOG, Statement.RETURN_GENERATED_KEYS)) {
            for (int round = 0; round < 2; round++) {
                for (Object value : List.of(1, "1", 2, true, new BigDecimal("1.5"), "x")) {
                    prepared.setObject(1, value);
                    prepared.addBatch();
                }
                assertArrayEquals(new int[] {1, 1, 1, 1, 1, 1}, prepared.executeBatch());
                List<Integer> keys = new ArrayList<>();
                try (ResultSet rows = prepared.getGeneratedKeys()) {
                    while (rows.next()) {
                        keys.add(rows.getInt(1));
                    }
                }
                assertEquals(6, keys.size());
                assertEquals(round * 6 + 1, keys.getFirst());
            }
        }
        List<String> once = List.of("1", "\"1\"", "2", "true", "1.5", "\"x\"");
        List<String> twice = new ArrayList<>(once);
        twice.addAll(once);
        assertEquals(twice, texts("SELECT s FROM log ORDER BY id"));
    }

    @Test
    void batchOfSeveralTypesIsDoneWholeOrNotAtAll() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "INSERT INTO t (id, s) SELECT x, TO_JSONB(?)::TEXT"
                                + " FROM (VALUES (?)) AS n (x)")) {
            for (Object value : List.of(7, "x", true)) {
                prepared.setObject(1, value);
                prepared.setInt(2, value.equals(true) ? 1 : value.equals(7) ? 7 : 8);
                prepared.addBatch();
            }
            assertThrows(BatchUpdateException.class, prepared::executeBatch);
            assertEquals(List.of("1 10 one", "2 9 two"), all());
            prepared.setObject(1, 3);
            prepared.setInt(2, 9);
            prepared.addBatch();
            prepared.executeBatch();
        }
        assertEquals(List.of("3"), texts("SELECT s FROM t WHERE id = 9"));
    }

    @Test
    void batchOfOneTypeAfterAnotherExecution() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(LOG)) {
            prepared.setString(1, "x");
            prepared.executeUpdate();
            prepared.setInt(1, 1);
            prepared.addBatch();
            prepared.setInt(1, 2);
            prepared.addBatch();
            prepared.setString(1, "y");
            prepared.executeUpdate();
            prepared.executeBatch();
            prepared.executeUpdate();
        }
        assertEquals(
                List.of("\"x\"", "\"y\"", "1", "2", "\"y\""),
                texts("SELECT s FROM log ORDER BY id"));
    }

    @Test
    void batchOutlivesADefinition() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(LOG)) {
            for (Object value : List.of(1, "1", 2L)) {
                prepared.setObject(1, value);
                prepared.addBatch();
            }
            statement.execute("CREATE TABLE other (x INTEGER)");
            prepared.executeBatch();
        }
        assertEquals(List.of("1", "\"1\"", "2"), texts("SELECT s FROM log ORDER BY id"));
    }

    @Test
    void explainsThePlanOfTheTypes() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("EXPLAIN SELECT s FROM t WHERE id = ? AND ? < ?")) {
            prepared.setInt(1, 1);
            prepared.setInt(2, 9);
            prepared.setInt(3, 10);
            try (ResultSet rows = prepared.executeQuery()) {
                assertTrue(rows.next());
            }
        }
        try (PreparedStatement prepared =
                connection.prepareStatement("EXPLAIN ANALYZE SELECT s FROM t WHERE ? < ?")) {
            prepared.setInt(1, 9);
            prepared.setInt(2, 10);
            StringBuilder plan = new StringBuilder();
            try (ResultSet rows = prepared.executeQuery()) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            assertTrue(plan.toString().contains("Rows: 2"), plan::toString);
        }
    }

    @Test
    void lockedRowsAreReadWithTheTypes() throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT ?, s FROM t WHERE id = ? FOR UPDATE")) {
            assertEquals(7, value(prepared, 7, 1));
            assertEquals("7", value(prepared, "7", 1));
            assertEquals(7L, value(prepared, 7L, 1));
        }
        connection.rollback();
    }

    @Test
    void scrollingResultHasTheTypes() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "SELECT ?",
                        ResultSet.TYPE_SCROLL_INSENSITIVE,
                        ResultSet.CONCUR_READ_ONLY)) {
            for (Object same : List.of("a", 5, 1.5, 6)) {
                prepared.setObject(1, same);
                try (ResultSet rows = prepared.executeQuery()) {
                    assertTrue(rows.last());
                    assertEquals(same, rows.getObject(1));
                }
            }
        }
    }

    @Test
    void executionsOfAllTypesAreOneStatementOfTheStatistics() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ? AS counted")) {
            for (Object same : List.of("a", 5, 1.5, 6)) {
                assertEquals(same, value(prepared, same));
            }
        }
        assertEquals(
                List.of("4"),
                texts("SELECT calls FROM sys.statements WHERE statement LIKE 'SELECT ? AS c%'"));
    }

    @Test
    void generatedKeysOfRowsThatAreComputed() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement(
                        "INSERT INTO log (s) SELECT PG_TYPEOF(?)", new String[] {"id", "s"})) {
            for (Object one : List.of("a", 5, 1.5)) {
                prepared.setObject(1, one);
                assertEquals(1, prepared.executeUpdate());
                try (ResultSet keys = prepared.getGeneratedKeys()) {
                    assertTrue(keys.next());
                    assertEquals(
                            one instanceof String
                                    ? "unknown"
                                    : one instanceof Integer ? "integer" : "double precision",
                            keys.getString(2));
                }
            }
        }
    }

    @Test
    void calledFunctionTakesTheTypeOfItsArgument() throws SQLException {
        try (CallableStatement call = connection.prepareCall("{? = call abs(?)}")) {
            call.registerOutParameter(1, Types.DECIMAL);
            call.setBigDecimal(2, new BigDecimal("-1.5"));
            call.execute();
            assertEquals(new BigDecimal("1.5"), call.getBigDecimal(1));
        }
    }

    @Test
    void parameterOfExecuteTakesTheTypeOfItsValue() throws SQLException {
        statement.execute("PREPARE p AS SELECT GREATEST($1, $2)");
        try (PreparedStatement prepared = connection.prepareStatement("EXECUTE p(?, ?)")) {
            assertEquals(10, value(prepared, 10, 9));
        }
    }

    @Test
    void arraysOfAllKindsAreTaken() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT PG_TYPEOF(x) FROM UNNEST(?) AS u (x)")) {
            assertEquals("integer", value(prepared, (Object) new int[] {1}));
            assertEquals("text", value(prepared, List.of("a")));
            assertEquals("bigint", value(prepared, List.of(1L)));
            assertEquals("date", value(prepared, (Object) new LocalDate[] {LocalDate.EPOCH}));
            assertEquals(
                    "timestamp without time zone",
                    value(prepared, (Object) new LocalDateTime[] {LocalDateTime.MIN.withYear(1)}));
            assertEquals(
                    "numeric",
                    value(prepared, connection.createArrayOf("NUMERIC", new Object[] {1})));
            assertEquals("integer", value(prepared, Collections.singletonList(3)));
        }
    }
}
