package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `\copy` of the shell.
class ShellCopyTest {
    private static final String COUNT = "SELECT COUNT(*) FROM t;\n";

    @TempDir private Path folder;

    @Test
    void copyInATransactionOfSqlIsPartOfIt() throws IOException {
        Path file = file("f.csv", "id\n10\n11\n");
        String begun =
                "CREATE TABLE t (id INTEGER PRIMARY KEY);\n"
                        + "BEGIN;\nINSERT INTO t VALUES (1);\n\\copy t FROM '"
                        + file
                        + "'\n";
        Run undone = sql(begun + COUNT + "ROLLBACK;\n" + COUNT);
        assertEquals("", undone.err());
        assertEquals("3 0", counts(undone), undone.out());
        Run kept = sql(begun + "COMMIT;\n" + COUNT);
        assertEquals("3", counts(kept), kept.err());
    }

    @Test
    void copyThatFailsInATransactionLeavesWhatWasThereBefore() throws Exception {
        String ids =
                IntStream.rangeClosed(2, 2_500)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining("\n"));
        Path file = file("long.csv", "id\n" + ids + "\nx\n");
        for (String begin : new String[] {"BEGIN", "auto-commit off"}) {
            try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:");
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
                if (begin.equals("BEGIN")) {
                    statement.execute(begin);
                } else {
                    connection.setAutoCommit(false);
                }
                statement.execute("INSERT INTO t VALUES (1)");
                Exception failure = failure(connection, "t FROM '" + file + "'");
                assertTrue(
                        failure instanceof SQLException sql && "22P02".equals(sql.getSQLState()),
                        failure.toString());
                assertEquals(1, count(statement), begin);
                statement.execute("COMMIT");
                assertEquals(1, count(statement), begin);
            }
        }
    }

    @Test
    void copyInABulkLoadIsPartOfIt() throws IOException {
        Path file = file("f.csv", "id\n10\n11\n");
        String begun =
                "CREATE TABLE t (id INTEGER PRIMARY KEY);\nBEGIN BULK;\n\\copy t FROM '"
                        + file
                        + "'\n";
        Run undone = sql(begun + "ROLLBACK;\n" + COUNT);
        assertEquals("0", counts(undone), undone.err());
        Run kept = sql(begun + "COMMIT;\n" + COUNT);
        assertEquals("2", counts(kept), kept.err());
    }

    @Test
    void copyThatFailsAloneLeavesNothing() throws Exception {
        Path file = file("twice.csv", "id\n1\n2\n1\n");
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            failure(connection, "t FROM '" + file + "'");
            assertEquals(0, count(statement));
            assertTrue(connection.getAutoCommit());
        }
    }

    @Test
    void byteOrderMarkIsNoPartOfTheFirstName() throws IOException {
        Path file = file("mark.csv", "\ufeffid\n1\n");
        Run run = sql("CREATE TABLE t (id INTEGER);\n\\copy t FROM '" + file + "'\n" + COUNT);
        assertEquals("1", counts(run), run.err());
    }

    @Test
    void aSemicolonBehindTheFilesNameIsNoPartOfIt() throws IOException {
        Path file = folder.resolve("a;b.csv");
        Run run =
                sql(
                        "CREATE TABLE t (id INTEGER);\nINSERT INTO t VALUES (1);\n\\copy t TO "
                                + file
                                + ";\n\\copy t FROM "
                                + file
                                + " ;\n"
                                + COUNT);
        assertEquals("id\n1\n", Files.readString(file));
        assertEquals("2", counts(run), run.err());
    }

    @Test
    void namesHaveLettersOfAnyLanguage() throws IOException {
        Path file = folder.resolve("f.csv");
        Run run =
                sql(
                        "CREATE TABLE gr\u00f6\u00dfe (h\u00f6he INTEGER);\n"
                                + "INSERT INTO gr\u00f6\u00dfe VALUES (7);\n"
                                + "\\copy gr\u00f6\u00dfe TO "
                                + file
                                + "\n\\copy Gr\u00f6\u00dfe FROM "
                                + file
                                + "\nSELECT COUNT(*) FROM gr\u00f6\u00dfe;\n");
        assertEquals("2", counts(run), run.err());
        assertEquals("h\u00f6he\n7\n", Files.readString(file));
    }

    @Test
    void everyTypeComesBackAsItWas() {
        Path file = folder.resolve("all.csv");
        String columns =
                "id INTEGER PRIMARY KEY, b BOOLEAN, ti TINYINT, s SMALLINT, l BIGINT, r REAL,"
                        + " d DOUBLE PRECISION, n DECIMAL(9, 3), free DECIMAL, c CHAR(3),"
                        + " v VARCHAR(20), t CLOB, bi BINARY(4), vb VARBINARY(9), bl BLOB,"
                        + " day DATE, tm TIME, ts TIMESTAMP, tz TIMESTAMP WITH TIME ZONE, u UUID,"
                        + " j JSON, i INTERVAL, ia INTEGER[], va VARCHAR(9)[]";
        String values =
                "(1, TRUE, -128, 32767, -9223372036854775808, 0.1, 1e-300, -1.005, 1e20, 'abc',"
                        + " 'a, \"b\"', 'two\nlines', X'0aff0001', X'00', X'5c78',"
                        + " DATE '2024-02-29', TIME '23:59:59.123456',"
                        + " TIMESTAMP '2024-02-29 12:30:00.000001',"
                        + " TIMESTAMP WITH TIME ZONE '2024-02-29 12:30:00+02:00',"
                        + " UUID '00112233-4455-6677-8899-aabbccddeeff',"
                        + " '{\"a\": [1, \"x,y\"]}', INTERVAL '1 year 2 days 03:04:05.6',"
                        + " ARRAY[1, NULL, -3], ARRAY['a,b', '\"', NULL])";
        String nulls = "(2" + ", NULL".repeat(23) + ")";
        Run run =
                sql(
                        "CREATE TABLE a ("
                                + columns
                                + ");\n"
                                + "CREATE TABLE t ("
                                + columns
                                + ");\n"
                                + "INSERT INTO a VALUES "
                                + values
                                + ", "
                                + nulls
                                + ";\n"
                                + "\\copy a TO '"
                                + file
                                + "'\n"
                                + "\\copy t FROM '"
                                + file
                                + "'\n"
                                + COUNT
                                + "SELECT COUNT(*) FROM (SELECT * FROM a INTERSECT"
                                + " SELECT * FROM t) both_of_them;\n");
        assertEquals("2 2", counts(run), run.out() + run.err());
    }

    @Test
    void columnsThatTheDatabaseFillsComeBack() {
        Path file = folder.resolve("filled.csv");
        String columns =
                " (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v VARCHAR(9),"
                        + " twice INTEGER GENERATED ALWAYS AS (id * 2) STORED);\n";
        Run run =
                sql(
                        "CREATE TABLE a"
                                + columns
                                + "CREATE TABLE t"
                                + columns
                                + "INSERT INTO a (v) VALUES ('x'), (''), (NULL);\n"
                                + "\\copy a TO '"
                                + file
                                + "'\n"
                                + "\\copy t FROM '"
                                + file
                                + "'\n"
                                + COUNT
                                + "SELECT COUNT(*) FROM (SELECT * FROM a INTERSECT"
                                + " SELECT * FROM t) both_of_them;\n");
        assertEquals("3 3", counts(run), run.out() + run.err());
    }

    @Test
    void copyThatIsStoppedLeavesNothing() throws Exception {
        Path file = file("f.csv", "id\n1\n2\n");
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            Copy stopped = copy(connection, true);
            Failure in = assertThrows(Failure.class, () -> stopped.run("t FROM '" + file + "'"));
            assertEquals("stopped: no row was copied", in.getMessage());
            assertEquals(0, count(statement));
            statement.execute("INSERT INTO t VALUES (1)");
            Failure out = assertThrows(Failure.class, () -> stopped.run("t TO '" + file + "'"));
            assertEquals("stopped: the file has 0 rows", out.getMessage());
        }
    }

    @Test
    void standardOutputIsNoNameOfAFile() {
        for (String command : new String[] {"(SELECT 1) TO STDOUT", "t FROM stdin"}) {
            Run run = sql("\\copy " + command + "\n");
            assertTrue(run.err().contains("reads and writes files"), run.err());
        }
        assertEquals(0, Objects.requireNonNull(folder.toFile().list()).length);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static Exception failure(Connection connection, String argument) {
        try {
            long copied = copy(connection, false).run(argument);
            throw new AssertionError(copied + " rows were copied");
        } catch (SQLException | IOException | Failure failure) {
            return failure;
        }
    }

    private static Copy copy(Connection connection, boolean stopped) {
        return new Copy(connection, new AtomicReference<>(), () -> stopped);
    }

    private static long count(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /// The numbers that stand alone in a line.
    private static String counts(Run run) {
        return Arrays.stream(run.out().split("\n"))
                .map(String::strip)
                .filter(line -> line.matches("\\d+"))
                .collect(Collectors.joining(" "));
    }

    @Test
    void ownFilesOfTheDatabaseAreRefused() {
        Path home = folder.resolve("db");
        for (String name : new String[] {"data", "lock", "new"}) {
            Path file = home.resolve(name);
            for (String command :
                    new String[] {
                        "\\copy t TO '" + file + "'",
                        "\\copy t FROM '" + file + "'",
                        "\\i " + file,
                        "\\explain >" + file + " SELECT 1"
                    }) {
                Run run =
                        Run.oriel(
                                folder,
                                "CREATE TABLE IF NOT EXISTS t (id INTEGER);\n" + command + "\n",
                                "sql",
                                home.toString());
                assertTrue(run.err().contains("belongs to a database"), command + run);
            }
        }
        assertEquals("", Run.oriel(folder, "", "check", home.toString()).err());
    }

    @Test
    void fileAccessIsAnOptionOfTheCommand() throws IOException {
        Path file = folder.resolve("x.csv");
        String sql = "COPY (SELECT 1) TO '" + file + "';\n";
        Run none = Run.oriel(folder, sql, "sql", "--file-access", "none");
        assertTrue(none.err().contains("statements may use no files"), none.err());
        assertEquals("", Run.oriel(folder, sql, "sql").err());
        assertEquals("1\n", Files.readString(file));
        Run other = Run.oriel(folder, sql, "sql", "--file-access", "some");
        assertTrue(other.err().contains("fileAccess is none, folder"), other.err());
    }

    private Run sql(String text) {
        return Run.oriel(folder, text, "sql");
    }
}
