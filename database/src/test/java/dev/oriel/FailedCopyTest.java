package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A COPY that fails leaves what there was and nothing else, in tables and indexes, however it is run.
class FailedCopyTest {
    private static final int ROWS = 3_000;

    /// The record that is wrong, as the last but one of the file, and the SQLState that says so.
    private static final Map<String, String> FAULTS =
            Map.of(
                    "x5000|1|name|1.50",
                    "22P02",
                    "5000|1|name",
                    "22P04",
                    "5000|1|name|1.50|more",
                    "22P04",
                    "5000|1|" + "long".repeat(20) + "|1.50",
                    "22001",
                    "5000|1|bad|1.50",
                    "23514",
                    "5000|1|name|12345.00",
                    "22003",
                    "7|1|name|1.50",
                    "23505",
                    "5000|1|name 7|1.50",
                    "23505",
                    "-1|1|name|1.50",
                    "23505",
                    "5000|2|name|1.50",
                    "23503");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    enum Way {
        ALONE("", ""),
        TRANSACTION("BEGIN", "COMMIT"),
        BULK("BEGIN BULK", "COMMIT");

        final String begin;
        final String end;

        Way(String begin, String end) {
            this.begin = begin;
            this.end = end;
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void leavesNothing(Way way) throws SQLException, IOException {
        Path file = folder.resolve("rows");
        try (Database database = Database.open(folder.resolve("db"));
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)");
            statement.execute("INSERT INTO parent VALUES (1)");
            statement.execute(
                    "CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent,"
                            + " name VARCHAR(40) UNIQUE, price DECIMAL(6, 2),"
                            + " CHECK (name <> 'bad'))");
            statement.execute("CREATE INDEX child_price ON child (price)");
            statement.execute("INSERT INTO child VALUES (-1, 1, 'there', 7.25)");
            FAULTS.forEach((record, state) -> fails(way, statement, file, record, state));
            assertEquals(1, rows(statement, "SELECT COUNT(*) FROM child"));
            assertEquals(List.of(), database.check());

            write(file, "5000|1|name|1.50");
            run(statement, way.begin);
            assertEquals(ROWS + 2, copy(statement, file));
            run(statement, way.end);
            assertEquals(ROWS + 3, rows(statement, "SELECT COUNT(*) FROM child"));
            assertEquals(ROWS + 2, rows(statement, "SELECT COUNT(*) FROM child WHERE price = 1.5"));
        }
        try (Database database = Database.open(folder.resolve("db"))) {
            assertEquals(List.of(), database.check());
        }
    }

    private static void fails(
            Way way, Statement statement, Path file, String record, String state) {
        try {
            write(file, record);
            SQLException failure =
                    assertThrows(
                            SQLException.class,
                            () -> {
                                run(statement, way.begin);
                                long _ = copy(statement, file);
                                run(statement, way.end);
                            },
                            record);
            assertEquals(state, failure.getSQLState(), failure::toString);
            if (way == Way.TRANSACTION) { // it goes on
                run(statement, "DELETE FROM child WHERE id <> -1");
                assertEquals(1, rows(statement, "SELECT COUNT(*) FROM child"));
                run(statement, way.end);
            } else if (way == Way.BULK) {
                run(statement, "ROLLBACK");
            }
            assertEquals(1, rows(statement, "SELECT COUNT(*) FROM child"));
            assertEquals(1, rows(statement, "SELECT COUNT(*) FROM child WHERE name > ''"));
            assertEquals(1, rows(statement, "SELECT COUNT(*) FROM child WHERE price > 0"));
            assertTrue(rows(statement, "SELECT COUNT(*) FROM child WHERE id = -1") == 1);
        } catch (SQLException e) {
            throw new IllegalStateException(record, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String last) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            text.append(i).append("|1|name ").append(i).append("|1.50\n");
        }
        text.append(last).append('\n').append("6000|1|the last one|1.5\n");
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }

    private static long copy(Statement statement, Path file) throws SQLException {
        return statement.executeUpdate("COPY child FROM '" + file + "' (DELIMITER '|')");
    }

    private static void run(Statement statement, String sql) throws SQLException {
        if (!sql.isEmpty()) {
            statement.execute(sql);
        }
    }

    private static long rows(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }
}
