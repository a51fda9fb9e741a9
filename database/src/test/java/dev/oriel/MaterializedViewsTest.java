package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaterializedViewsTest {
    @TempDir private Path folder;

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void queriesAndRowsOutliveTheProcess() throws SQLException {
        try (Database db = Database.open(folder);
                Connection connection = db.connect()) {
            run(
                    connection,
                    "CREATE TABLE t (id INT PRIMARY KEY)",
                    "INSERT INTO t VALUES (1), (2)",
                    "CREATE MATERIALIZED VIEW m AS SELECT COUNT(*) AS n FROM t",
                    "CREATE MATERIALIZED VIEW unfilled AS SELECT id FROM t WITH NO DATA",
                    "INSERT INTO t VALUES (3)");
        }
        try (Database db = Database.open(folder);
                Connection connection = db.connect()) {
            assertEquals(2, number(connection, "SELECT n FROM m"));
            Expect.error(
                    "55000",
                    "has not been filled",
                    () -> number(connection, "SELECT id FROM unfilled"));
            run(connection, "REFRESH MATERIALIZED VIEW m", "REFRESH MATERIALIZED VIEW unfilled");
            assertEquals(3, number(connection, "SELECT n FROM m"));
            assertEquals(3, number(connection, "SELECT COUNT(*) FROM unfilled"));
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void readersSeeTheOldRowsUntilTheCommit() throws SQLException {
        try (Database db = Database.inMemory();
                Connection writer = db.connect();
                Connection reader = db.connect()) {
            run(
                    writer,
                    "CREATE TABLE t (id INT PRIMARY KEY)",
                    "CREATE MATERIALIZED VIEW m AS SELECT id FROM t",
                    "CREATE UNIQUE INDEX m_id ON m (id)",
                    "INSERT INTO t VALUES (1), (2)");
            for (String option : new String[] {"", "CONCURRENTLY "}) {
                long before = number(reader, "SELECT COUNT(*) FROM m");
                writer.setAutoCommit(false);
                run(
                        writer,
                        "INSERT INTO t SELECT MAX(id) + 1 FROM t",
                        "REFRESH MATERIALIZED VIEW " + option + "m");
                long rows = number(writer, "SELECT COUNT(*) FROM t");
                assertEquals(rows, number(writer, "SELECT COUNT(*) FROM m"));
                assertEquals(before, number(reader, "SELECT COUNT(*) FROM m"));
                writer.commit();
                assertEquals(rows, number(reader, "SELECT COUNT(*) FROM m"));
                writer.setAutoCommit(true);
            }
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void aConcurrentRefreshDoesNotWaitForOtherWriters() throws SQLException {
        try (Database db = Database.inMemory();
                Connection one = db.connect();
                Connection other = db.connect()) {
            run(
                    one,
                    "CREATE TABLE t (id INT PRIMARY KEY)",
                    "CREATE MATERIALIZED VIEW m AS SELECT id FROM t",
                    "CREATE UNIQUE INDEX m_id ON m (id)",
                    "INSERT INTO t VALUES (1)");
            other.setAutoCommit(false);
            run(other, "INSERT INTO t VALUES (2)");
            run(one, "REFRESH MATERIALIZED VIEW CONCURRENTLY m");
            assertEquals(1, number(one, "SELECT COUNT(*) FROM m"));
            other.commit();
        }
    }
}
