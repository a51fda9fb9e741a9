package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Blobs and clobs, escapes, the network timeout, keys by position, and the builder of connections.
class JdbcRestTest {
    private final Database database = Database.inMemory();

    @AfterEach
    void close() {
        assertEquals(List.of(), database.check());
        database.close();
    }

    @Test
    void blobsAndClobsAreWrittenAndRead() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a BLOB, b CLOB)");
            Blob blob = connection.createBlob();
            try (OutputStream out = blob.setBinaryStream(1)) {
                out.write(new byte[] {1, 2, 3, 4});
            }
            assertEquals(2, blob.setBytes(4, new byte[] {9, 8}));
            Clob clob = connection.createClob();
            try (Writer out = clob.setCharacterStream(1)) {
                out.write("some long text");
            }
            clob.setString(6, "LONG");
            Expect.error(
                    "22023", "Offset 1 and length 2", () -> blob.setBytes(1, new byte[2], 1, 2));
            Expect.error("22023", "Offset 0 and length 5", () -> clob.setString(1, "a", 0, 5));
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
                insert.setBlob(1, blob);
                insert.setClob(2, clob);
                insert.executeUpdate();
                insert.setObject(1, blob);
                insert.setObject(2, clob);
                insert.executeUpdate();
                insert.setObject(1, blob.getBinaryStream());
                insert.setObject(2, clob.getCharacterStream());
                insert.executeUpdate();
                insert.setNull(1, java.sql.Types.BLOB);
                insert.setNull(2, java.sql.Types.CLOB);
                insert.executeUpdate();
            }
            try (ResultSet rows = statement.executeQuery("SELECT a, b FROM t")) {
                assertTrue(rows.next());
                Blob read = rows.getBlob("a");
                assertEquals(5, read.length());
                assertArrayEquals(new byte[] {1, 2, 3, 9, 8}, read.getBytes(1, 9));
                assertArrayEquals(new byte[] {2, 3}, read.getBinaryStream(2, 2).readAllBytes());
                assertArrayEquals(new byte[] {2, 3, 9, 8}, read.getBytes(2, Integer.MAX_VALUE));
                assertArrayEquals(new byte[0], read.getBytes(6, Integer.MAX_VALUE));
                Expect.error("22023", "Position 2", () -> read.getBinaryStream(2, Long.MAX_VALUE));
                assertEquals(4, read.position(new byte[] {9}, 1));
                read.truncate(1);
                assertEquals(1, read.length());
                Clob text = rows.getClob(2);
                assertEquals("some LONG text", text.getSubString(1, 100));
                assertEquals(6, text.position("LONG", 1));
                assertEquals(
                        "some",
                        new String(text.getAsciiStream().readNBytes(4), StandardCharsets.US_ASCII));
                assertEquals("ONG", rows.getNClob("b").getSubString(7, 3));
                Expect.error("22023", "Position 99", () -> text.getSubString(99, 1));
                text.free();
                Expect.error("24000", "freed", text::length);
                assertTrue(rows.next());
                assertEquals(5, rows.getObject(1, Blob.class).length());
                assertEquals("some LONG text", rows.getObject(2, Clob.class).getSubString(1, 100));
                assertTrue(rows.next());
                assertEquals(5, rows.getObject(1, InputStream.class).readAllBytes().length);
                assertEquals('s', rows.getObject(2, Reader.class).read());
                assertTrue(rows.next());
                assertNull(rows.getObject(1, Blob.class));
                assertNull(rows.getBlob(1));
                assertNull(rows.getClob("b"));
            }
        }
    }

    @Test
    void escapesAreWrittenAsSql() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT {d '2024-02-29'}, {t '12:30:00'}, {ts '2024-02-29"
                                        + " 12:30:00'}, {fn UCASE({fn CONCAT('a', '{d}')})}, '{x}' --"
                                        + " {y\n"
                                        + " FROM {oj (VALUES (1)) a LEFT OUTER JOIN (VALUES (2)) b ON"
                                        + " TRUE} /* {z */ WHERE 'a%' LIKE 'a!%' {escape '!'}"
                                        + " {limit 1}")) {
            assertTrue(rows.next());
            assertEquals("2024-02-29", rows.getString(1));
            assertEquals("12:30:00", rows.getString(2));
            assertEquals("2024-02-29 12:30:00", rows.getString(3));
            assertEquals("A{D}", rows.getString(4));
            assertEquals("{x}", rows.getString(5));
            assertEquals(
                    "SELECT DATE '2024-02-29'", connection.nativeSQL("SELECT {d '2024-02-29'}"));
            assertEquals("CALL x()", connection.nativeSQL("{call x()}"));
            assertEquals(
                    "SELECT E'\\'{d', $$'{d$$, DATE '2024-02-29'",
                    connection.nativeSQL("SELECT E'\\'{d', $$'{d$$, {d '2024-02-29'}"));
            assertEquals(
                    "SELECT E'a''\\'{d', DATE '2024-02-29'",
                    connection.nativeSQL("SELECT E'a''\\'{d', {d '2024-02-29'}"));
            assertEquals(
                    "SELECT /* {a /* {b */ {c '*/ DATE '2024-02-29'",
                    connection.nativeSQL("SELECT /* {a /* {b */ {c '*/ {d '2024-02-29'}"));
            assertEquals(
                    "SELECT 6 / 2, // {c '\n DATE '2024-02-29'",
                    connection.nativeSQL("SELECT 6 / 2, // {c '\n {d '2024-02-29'}"));
            assertEquals(
                    "SELECT -- {a\rDATE '2024-02-29'",
                    connection.nativeSQL("SELECT -- {a\r{d '2024-02-29'}"));
            Expect.error("42601", "{what", () -> connection.nativeSQL("{what x()}"));
            Expect.error("42601", "close it", () -> connection.nativeSQL("SELECT {d '2024-01-01'"));
        }
    }

    @Test
    @Timeout(30)
    void networkTimeoutEndsTheStatementAndTheConnection() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setNetworkTimeout(Runnable::run, 100);
            assertEquals(100, connection.getNetworkTimeout());
            Expect.error(
                    "08006",
                    "network timeout of 100 ms",
                    () -> {
                        try (ResultSet rows =
                                statement.executeQuery(
                                        "SELECT COUNT(*) FROM GENERATE_SERIES(1, 1000000000) a")) {
                            rows.next();
                        }
                    });
            assertTrue(connection.isClosed());
        }
    }

    @Test
    void keysAreAskedForByPosition() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (a VARCHAR(5), b BIGINT GENERATED ALWAYS AS IDENTITY, c INTEGER"
                            + " DEFAULT 7)");
            assertEquals(
                    1, statement.executeUpdate("INSERT INTO t (a) VALUES ('x')", new int[] {2, 3}));
            try (ResultSet keys = statement.getGeneratedKeys()) {
                assertTrue(keys.next());
                assertEquals(1, keys.getLong(1));
                assertEquals(7, keys.getLong("c"));
            }
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO t (a) VALUES (?)", new int[] {2})) {
                insert.setString(1, "y");
                insert.executeUpdate();
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    assertTrue(keys.next());
                    assertEquals(2, keys.getLong("b"));
                }
            }
            Expect.error(
                    "42703",
                    "#4",
                    () -> connection.prepareStatement("DELETE FROM t", new int[] {4}));
        }
    }

    @Test
    void connectionsAreBuilt() throws SQLException {
        OrielDataSource source = new OrielDataSource("jdbc:oriel:mem:");
        try (Connection connection =
                source.createConnectionBuilder().user("anyone").password("").build()) {
            assertTrue(connection.isValid(1));
        }
    }

    /// Spring, Agroal and others set a user and a password by property, empty ones too.
    @Test
    void dataSourceHasTheUsualProperties() throws SQLException {
        OrielDataSource source = new OrielDataSource();
        source.setUrl("jdbc:oriel:mem:");
        source.setUser("sa");
        source.setPassword("");
        assertEquals("sa", source.getUser());
        assertEquals("", source.getPassword());
        try (Connection connection = source.getConnection()) {
            assertTrue(connection.isValid(1));
        }
        source.setPassword("secret");
        SQLException refused = assertThrows(SQLException.class, source::getConnection);
        assertEquals("28000", refused.getSQLState());
        try (Connection connection = source.getConnection("sa", "")) {
            assertTrue(connection.isValid(1));
        }
    }
}
