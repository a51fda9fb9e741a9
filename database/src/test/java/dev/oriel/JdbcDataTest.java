package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Period;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// JSON, files and comments through JDBC, with their SQLStates.
class JdbcDataTest {
    @TempDir Path folder;
    private Database db;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        connection = db.connect();
        statement = connection.createStatement();
    }

    @AfterEach
    void close() throws SQLException {
        assertEquals(List.of(), db.check());
        connection.close();
        db.close();
    }

    private void refused(String state, String sql) {
        SQLException refused =
                assertThrows(SQLException.class, () -> statement.executeUpdate(sql), sql);
        assertEquals(state, refused.getSQLState(), refused.getMessage());
    }

    @Test
    void jsonIsSetAndReadAsText() throws SQLException {
        statement.executeUpdate("CREATE TABLE doc (id INTEGER PRIMARY KEY, body JSON)");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO doc VALUES (?, ?)")) {
            insert.setInt(1, 1);
            insert.setString(2, "{\"b\":1, \"a\":[true]}");
            insert.executeUpdate();
            insert.setInt(1, 2);
            insert.setObject(2, "[1.50]", Types.OTHER);
            insert.executeUpdate();
            insert.setInt(1, 3);
            insert.setBytes(2, "\"text\"".getBytes(StandardCharsets.UTF_8));
            insert.executeUpdate();
            insert.setInt(1, 4);
            insert.setNull(2, Types.OTHER);
            insert.executeUpdate();
            SQLException wrong =
                    assertThrows(SQLException.class, () -> insert.setString(2, "{\"b\":"));
            assertEquals("22P02", wrong.getSQLState());
            assertTrue(
                    String.valueOf(wrong.getMessage()).endsWith("found the end (line 1, column 6)"),
                    wrong.getMessage());
            assertEquals(
                    "07006",
                    assertThrows(SQLException.class, () -> insert.setInt(2, 1)).getSQLState());
        }
        try (ResultSet rs = statement.executeQuery("SELECT body FROM doc ORDER BY id")) {
            assertEquals(Types.OTHER, rs.getMetaData().getColumnType(1));
            assertEquals("JSON", rs.getMetaData().getColumnTypeName(1));
            assertEquals("java.lang.String", rs.getMetaData().getColumnClassName(1));
            assertTrue(rs.next());
            assertEquals("{\"a\": [true], \"b\": 1}", rs.getString(1));
            assertTrue(rs.next());
            assertEquals("[1.5]", rs.getObject(1));
            assertTrue(rs.next());
            assertEquals("\"text\"", rs.getObject(1, String.class));
            assertEquals("\"text\"", new String(rs.getBytes(1), StandardCharsets.UTF_8));
            assertTrue(rs.next());
            assertNull(rs.getString(1));
        }
        try (PreparedStatement find =
                connection.prepareStatement(
                        "SELECT body ->> ? FROM doc WHERE JSON_EXISTS(body, ?)")) {
            find.setString(1, "b");
            find.setString(2, "$.a[*] ? (@ == true)");
            try (ResultSet rs = find.executeQuery()) {
                assertTrue(rs.next());
                assertEquals("1", rs.getString(1));
            }
        }
    }

    @Test
    void errorsOfJsonHaveTheStatesOfPostgres() {
        refused("22P02", "CREATE TABLE x AS SELECT JSON '{' AS j");
        refused("42601", "CREATE TABLE x AS SELECT JSON_EXISTS('1', '$.') AS j");
        refused("22035", "CREATE TABLE x AS SELECT JSON_VALUE('{}', '$.a' ERROR ON EMPTY) AS j");
        refused(
                "22034",
                "CREATE TABLE x AS SELECT JSON_VALUE('[1,2]', '$[*]' ERROR ON ERROR) AS j");
        refused("2203F", "CREATE TABLE x AS SELECT JSON_VALUE('{}', '$' ERROR ON ERROR) AS j");
        refused(
                "2203A",
                "CREATE TABLE x AS SELECT JSON_VALUE('{}', 'strict $.a' ERROR ON ERROR) AS j");
    }

    @Test
    void filesAreCopiedAsAWholeOrNotAtAll() throws SQLException, IOException {
        statement.executeUpdate("CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(5))");
        Path file = folder.resolve("t.csv");
        Files.writeString(file, "1,a\n2,\"b\nc\"\n3,\n");
        assertEquals(3, statement.executeUpdate("COPY t FROM '" + file + "' CSV"));
        Path out = folder.resolve("out.csv");
        assertEquals(
                3,
                statement.executeUpdate("COPY t (name, id) TO '" + out + "' (FORMAT CSV, HEADER)"));
        assertEquals("name,id\na,1\n\"b\nc\",2\n,3\n", Files.readString(out));
        Files.writeString(file, "4,d\n3,again\n");
        SQLException duplicate =
                assertThrows(
                        SQLException.class,
                        () -> statement.executeUpdate("COPY t FROM '" + file + "' CSV"));
        assertEquals("23505", duplicate.getSQLState());
        assertTrue(
                String.valueOf(duplicate.getMessage()).endsWith("file=" + file + " line=2"),
                duplicate.getMessage());
        Files.writeString(file, "4,d\nx,e\n");
        SQLException number =
                assertThrows(
                        SQLException.class,
                        () -> statement.executeUpdate("COPY t FROM '" + file + "' CSV"));
        assertEquals("22P02", number.getSQLState());
        assertTrue(
                String.valueOf(number.getMessage())
                        .startsWith(
                                "'x' is not a value of type INTEGER: file="
                                        + file
                                        + " line=2 column=id"),
                number.getMessage());
        Files.write(file, new byte[] {'4', ',', (byte) 0xff, '\n'});
        refused("22021", "COPY t FROM '" + file + "' CSV");
        Files.writeString(file, "4,\"d\n");
        refused("22P04", "COPY t FROM '" + file + "' CSV");
        refused("58P01", "COPY t FROM '" + folder.resolve("nope") + "' CSV");
        refused("58030", "COPY t FROM '" + folder + "' CSV");
        refused("58P01", "COPY t TO '" + folder.resolve("no").resolve("folder") + "'");
        try (ResultSet rs = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            assertTrue(rs.next());
            assertEquals(3, rs.getInt(1));
        }
        assertEquals(
                List.of("out.csv", "t.csv"),
                Arrays.stream(folder.toFile().list()).sorted().toList());
    }

    @Test
    void copyingInATransactionGoesWithIt() throws SQLException, IOException {
        statement.executeUpdate("CREATE TABLE t (id INTEGER PRIMARY KEY)");
        Path file = folder.resolve("t.csv");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            lines.append(i).append('\n');
        }
        Files.writeString(file, lines.append("x\n"));
        connection.setAutoCommit(false);
        statement.executeUpdate("INSERT INTO t VALUES (-1)");
        refused("22P02", "COPY t FROM '" + file + "' CSV");
        Files.writeString(file, lines.substring(0, lines.length() - 2));
        assertEquals(20_000, statement.executeUpdate("COPY t FROM '" + file + "' CSV"));
        connection.rollback();
        try (ResultSet rs = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            assertTrue(rs.next());
            assertEquals(0, rs.getInt(1));
        }
        connection.rollback();
        connection.setAutoCommit(true);
    }

    @Test
    void commentsAreRemarks() throws SQLException {
        statement.executeUpdate("CREATE TABLE pen (id INTEGER, colour VARCHAR(5))");
        statement.executeUpdate("CREATE VIEW red AS SELECT id FROM pen");
        statement.executeUpdate("COMMENT ON TABLE pen IS 'to write with'");
        statement.executeUpdate("COMMENT ON COLUMN pen.colour IS 'as printed'");
        statement.executeUpdate("COMMENT ON VIEW red IS 'the red ones'");
        DatabaseMetaData meta = connection.getMetaData();
        try (ResultSet rs = meta.getTables(null, null, "%", null)) {
            assertTrue(rs.next());
            assertEquals("to write with", rs.getString("REMARKS"));
            assertTrue(rs.next());
            assertEquals("the red ones", rs.getString("REMARKS"));
        }
        try (ResultSet rs = meta.getColumns(null, null, "pen", "%")) {
            assertTrue(rs.next());
            assertNull(rs.getString("REMARKS"));
            assertTrue(rs.next());
            assertEquals("as printed", rs.getString("REMARKS"));
        }
    }

    /// One writes the file, and waits for a row; another waits to write it.
    @Test
    void whoWaitsToWriteAFileCanBeTimedOut() throws Exception {
        statement.executeUpdate("CREATE TABLE t (id INTEGER PRIMARY KEY)");
        statement.executeUpdate("INSERT INTO t VALUES (1)");
        statement.executeUpdate(
                "CREATE EXTERNAL TABLE e (n INTEGER) ORGANIZATION (LOADTYPE='delimited' FILENAME='"
                        + folder.resolve("written.csv")
                        + "')");
        connection.setAutoCommit(false);
        assertTrue(statement.executeQuery("SELECT id FROM t FOR UPDATE").next());
        try (ExecutorService others = Executors.newSingleThreadExecutor();
                Connection second = db.connect();
                Statement waiting = second.createStatement()) {
            Future<Integer> writing =
                    others.submit(() -> {
                        try (Connection first = db.connect();
                                Statement insert = first.createStatement()) {
                            return insert.executeUpdate("INSERT INTO e SELECT id FROM t FOR SHARE");
                        }
                    });
            while (db.tables().lockWaits().isEmpty()) {
                assertFalse(writing.isDone(), "it does not wait");
                Thread.onSpinWait();
            }
            waiting.setQueryTimeout(1);
            Expect.error(
                    "57014", "timeout", () -> waiting.executeUpdate("INSERT INTO e VALUES (2)"));
            connection.rollback();
            assertEquals(1, writing.get());
            assertEquals(1, waiting.executeUpdate("INSERT INTO e VALUES (2)"));
        }
    }

    @Test
    void commentsAndExternalTablesAreThereAfterOpeningAgain() throws SQLException {
        Path place = folder.resolve("db");
        Path file = folder.resolve("outside.csv");
        try (Database stored = Database.open(place);
                Connection first = stored.connect();
                Statement run = first.createStatement()) {
            run.executeUpdate("CREATE TABLE t (id INTEGER, j JSON)");
            run.executeUpdate("COMMENT ON COLUMN t.j IS 'a document'");
            run.executeUpdate("INSERT INTO t VALUES (1, '{\"a\": [1, null]}')");
            run.executeUpdate(
                    "CREATE EXTERNAL TABLE e (n INTEGER, name VARCHAR(5)) ORGANIZATION"
                            + " (LOADTYPE='delimited' FILENAME='"
                            + file
                            + "')");
            run.executeUpdate("INSERT INTO e VALUES (7, 'x')");
        }
        try (Database stored = Database.open(place);
                Connection second = stored.connect();
                Statement run = second.createStatement()) {
            assertEquals(List.of(), stored.check());
            try (ResultSet rs =
                    run.executeQuery(
                            "SELECT j, n, remarks FROM t, e, information_schema.columns WHERE"
                                    + " column_name = 'j'")) {
                assertTrue(rs.next());
                assertEquals("{\"a\": [1, null]}", rs.getString(1));
                assertEquals(7, rs.getInt(2));
                assertEquals("a document", rs.getString(3));
            }
            try (ResultSet rs = second.getMetaData().getColumns(null, null, "e", "%")) {
                assertTrue(rs.next());
                assertEquals("n", rs.getString("COLUMN_NAME"));
            }
        }
    }

    @Test
    void arraysAreSetAndRead() throws SQLException {
        statement.executeUpdate(
                "CREATE TABLE box (id INTEGER PRIMARY KEY, tags VARCHAR(5)[], counts BIGINT[],"
                        + " prices DECIMAL(6, 2)[])");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO box VALUES (?, ?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setArray(2, connection.createArrayOf("VARCHAR", new Object[] {"a", null, "b"}));
            insert.setObject(3, new long[] {1, 2});
            insert.setObject(4, List.of(new BigDecimal("1.5"), 2));
            insert.executeUpdate();
            insert.setInt(1, 2);
            insert.setString(2, "{x,\"y z\"}");
            insert.setNull(3, Types.ARRAY);
            insert.setObject(4, new BigDecimal[0]);
            insert.executeUpdate();
            SQLException wrong =
                    assertThrows(SQLException.class, () -> insert.setObject(3, new String[] {"x"}));
            assertEquals("22P02", wrong.getSQLState());
            assertEquals(
                    "07006",
                    assertThrows(SQLException.class, () -> insert.setObject(1, new int[] {1}))
                            .getSQLState());
            assertEquals(
                    "22P02",
                    assertThrows(SQLException.class, () -> insert.setString(3, "{1"))
                            .getSQLState());
        }
        assertThrows(SQLException.class, () -> connection.createArrayOf("NOPE", new Object[] {1}));
        checkBoxes();
        try (PreparedStatement find =
                connection.prepareStatement("SELECT id FROM box WHERE id = ANY (?) ORDER BY id")) {
            find.setObject(1, new int[] {2, 7});
            try (ResultSet rs = find.executeQuery()) {
                assertTrue(rs.next());
                assertEquals(2, rs.getInt(1));
                assertFalse(rs.next());
            }
        }
    }

    private void checkBoxes() throws SQLException {
        try (ResultSet rs = statement.executeQuery("SELECT * FROM box ORDER BY id")) {
            assertEquals(Types.ARRAY, rs.getMetaData().getColumnType(2));
            assertEquals("VARCHAR[]", rs.getMetaData().getColumnTypeName(2));
            assertEquals("java.sql.Array", rs.getMetaData().getColumnClassName(2));
            assertTrue(rs.next());
            Array tags = rs.getArray("tags");
            assertEquals("VARCHAR", tags.getBaseTypeName());
            assertEquals(Types.VARCHAR, tags.getBaseType());
            assertArrayEquals(new String[] {"a", null, "b"}, (String[]) tags.getArray());
            assertArrayEquals(new Object[] {"b"}, (Object[]) tags.getArray(3, 1));
            assertThrows(SQLException.class, () -> tags.getArray(3, 2));
            assertEquals("{a,NULL,b}", tags.toString());
            try (ResultSet elements = tags.getResultSet(2, 2)) {
                assertTrue(elements.next());
                assertEquals(2, elements.getInt(1));
                assertNull(elements.getString(2));
                assertTrue(elements.next());
                assertEquals("b", elements.getString("VALUE"));
            }
            assertArrayEquals(new long[] {1, 2}, rs.getObject(3, long[].class));
            assertArrayEquals(new Integer[] {1, 2}, rs.getObject(3, Integer[].class));
            assertArrayEquals(
                    new Object[] {new BigDecimal("1.50"), new BigDecimal("2.00")},
                    (Object[]) ((Array) rs.getObject(4)).getArray());
            assertEquals("{1.50,2.00}", rs.getString(4));
            assertTrue(rs.next());
            assertNull(rs.getArray(3));
            assertTrue(rs.wasNull());
            assertEquals("{x,\"y z\"}", rs.getString(2));
            assertThrows(SQLException.class, () -> rs.getArray(1));
            tags.free();
            assertThrows(SQLException.class, tags::getArray);
        }
    }

    @Test
    void intervalsArePeriodsAndDurations() throws SQLException {
        statement.executeUpdate("CREATE TABLE span (id INTEGER PRIMARY KEY, i INTERVAL)");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO span VALUES (?, ?)")) {
            insert.setInt(1, 1);
            insert.setObject(2, Period.of(1, 2, -3));
            insert.executeUpdate();
            insert.setInt(1, 2);
            insert.setObject(2, Duration.ofMillis(-90_061_500));
            insert.executeUpdate();
            insert.setInt(1, 3);
            insert.setString(2, "1 mon 00:00:01");
            insert.executeUpdate();
            assertEquals(
                    "22P02",
                    assertThrows(SQLException.class, () -> insert.setString(2, "soon"))
                            .getSQLState());
        }
        try (ResultSet rs = statement.executeQuery("SELECT i FROM span ORDER BY id")) {
            assertEquals("INTERVAL", rs.getMetaData().getColumnTypeName(1));
            assertTrue(rs.next());
            assertEquals(Period.of(1, 2, -3), rs.getObject(1, Period.class));
            assertEquals("1 year 2 mons -3 days", rs.getObject(1));
            assertThrows(SQLException.class, () -> rs.getObject(1, Duration.class));
            assertTrue(rs.next());
            assertEquals(Duration.ofMillis(-90_061_500), rs.getObject(1, Duration.class));
            assertEquals("-25:01:01.5", rs.getString(1));
            assertThrows(SQLException.class, () -> rs.getObject(1, Period.class));
            assertTrue(rs.next());
            assertThrows(SQLException.class, () -> rs.getObject(1, Duration.class));
            assertThrows(SQLException.class, () -> rs.getObject(1, Period.class));
        }
    }
}
