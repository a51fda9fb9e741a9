package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Partitions through JDBC: metadata, SQLStates, recovery after a kill.
final class PartitionsTest {
    private static Database open(SimDirectory directory) {
        Store store = Store.open(directory, StoreOptions.defaults());
        return Database.over(store, Tables.open(store), DatabaseOptions.defaults());
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String state(Connection connection, String sql) {
        return assertThrows(SQLException.class, () -> execute(connection, sql), sql).getSQLState();
    }

    private static List<String> rows(Connection connection, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    @Test
    void partitionsSurviveACrash() throws SQLException {
        SimDirectory directory = new SimDirectory();
        try (Database db = open(directory);
                Connection connection = db.connect()) {
            execute(
                    connection,
                    "CREATE TABLE t (a INT, b TEXT) PARTITION BY RANGE (a)",
                    "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10)",
                    "CREATE TABLE t_d PARTITION OF t DEFAULT PARTITION BY LIST (b)",
                    "CREATE TABLE t_dx PARTITION OF t_d FOR VALUES IN ('x', NULL)",
                    "INSERT INTO t VALUES (1, 'one'), (100, 'x')",
                    "BEGIN",
                    "ALTER TABLE t DETACH PARTITION t_1");
            SimDirectory after =
                    directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
            try (Database again = open(after);
                    Connection other = again.connect()) {
                assertEquals(List.of("1"), rows(other, "SELECT a FROM t_1"));
                assertEquals(List.of("100"), rows(other, "SELECT a FROM t_dx"));
                assertEquals("23514", state(other, "INSERT INTO t VALUES (100, 'y')"));
                assertEquals("23514", state(other, "INSERT INTO t_1 VALUES (100, 'y')"));
                execute(other, "CREATE TABLE t_2 PARTITION OF t FOR VALUES FROM (10) TO (20)");
                assertEquals(List.of(), again.check());
            }
        }
    }

    @Test
    void metadataCallsPartitionsTables() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect()) {
            execute(
                    connection,
                    "CREATE TABLE t (a INT, b TEXT) PARTITION BY HASH (a)",
                    "CREATE TABLE t_0 PARTITION OF t FOR VALUES WITH (MODULUS 1, REMAINDER 0)");
            List<String> found = new ArrayList<>();
            try (ResultSet tables =
                    connection.getMetaData().getTables(null, null, "t%", new String[] {"TABLE"})) {
                while (tables.next()) {
                    found.add(
                            tables.getString("TABLE_NAME") + " " + tables.getString("TABLE_TYPE"));
                }
            }
            assertEquals(List.of("t TABLE", "t_0 TABLE"), found);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT x.a FROM t_0 AS x")) {
                assertEquals("t_0", rows.getMetaData().getTableName(1));
            }
        }
    }

    @Test
    void statesAreThoseOfPostgresql() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect()) {
            execute(
                    connection,
                    "CREATE TABLE t (a INT, b TEXT) PARTITION BY RANGE (a)",
                    "CREATE TABLE plain (a INT, b TEXT)",
                    "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10)");
            assertEquals("42P17", state(connection, "CREATE TABLE x PARTITION OF plain DEFAULT"));
            assertEquals(
                    "42P17",
                    state(connection, "CREATE TABLE x PARTITION OF t FOR VALUES FROM (5) TO (6)"));
            assertEquals(
                    "42P16", state(connection, "CREATE TABLE x PARTITION OF t FOR VALUES IN (5)"));
            assertEquals("42809", state(connection, "TRUNCATE ONLY t"));
            assertEquals("42809", state(connection, "ALTER TABLE t_1 ADD COLUMN c INT"));
            assertEquals("42809", state(connection, "DROP VIEW t_1"));
            assertEquals("42P16", state(connection, "ALTER TABLE t DROP COLUMN a"));
            assertEquals("0A000", state(connection, "ALTER TABLE t ADD PRIMARY KEY (b)"));
            assertEquals("42P01", state(connection, "ALTER TABLE t DETACH PARTITION plain"));
            execute(
                    connection,
                    "CREATE MATERIALIZED VIEW kept AS SELECT a, b FROM plain",
                    "CREATE TABLE t_2 PARTITION OF t FOR VALUES FROM (50) TO (60) PARTITION BY LIST"
                            + " (b)",
                    "CREATE TABLE t_2x PARTITION OF t_2 (CHECK (a <> 55)) FOR VALUES IN ('x')");
            assertEquals(
                    "42809",
                    state(
                            connection,
                            "ALTER TABLE t ATTACH PARTITION kept FOR VALUES FROM (90) TO (99)"));
            assertEquals("0A000", state(connection, "ALTER TABLE t DETACH PARTITION t_2"));
            execute(
                    connection,
                    "CREATE TABLE t_d PARTITION OF t DEFAULT",
                    "INSERT INTO t VALUES (20, 'x')");
            assertEquals(
                    "23514",
                    state(
                            connection,
                            "CREATE TABLE x PARTITION OF t FOR VALUES FROM (20) TO (30)"));
        }
    }
}
