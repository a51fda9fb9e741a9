package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Schemas through JDBC, and what is left of them when the process dies.
final class SchemasTest {
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

    private static List<String> rows(ResultSet result, String... columns) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (result) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (String column : columns) {
                    row.add(result.getString(column));
                }
                rows.add(String.join(".", row));
            }
        }
        return rows;
    }

    @Test
    void aSavepointTakesSettingsBack() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            execute(
                    connection,
                    "CREATE SCHEMA a",
                    "CREATE TABLE a.t AS SELECT 'a' AS v",
                    "CREATE TABLE t AS SELECT 'public' AS v",
                    "BEGIN",
                    "SET LOCAL search_path TO a",
                    "SET application_name TO 'one'",
                    "SAVEPOINT s",
                    "SET LOCAL search_path TO public",
                    "SET application_name TO 'two'",
                    "ROLLBACK TO s");
            assertEquals(List.of("a"), rows(statement.executeQuery("SELECT v FROM t"), "v"));
            assertEquals(
                    List.of("one"),
                    rows(statement.executeQuery("SHOW application_name"), "application_name"));
            execute(connection, "SET search_path TO public", "ROLLBACK TO s", "COMMIT");
            assertEquals(List.of("public"), rows(statement.executeQuery("SELECT v FROM t"), "v"));
            assertEquals(
                    List.of("one"),
                    rows(statement.executeQuery("SHOW application_name"), "application_name"));
        }
    }

    @Test
    void metaDataTellsSchemasApart() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect()) {
            execute(
                    connection,
                    "CREATE SCHEMA shop",
                    "CREATE TABLE item (id INTEGER PRIMARY KEY, old TEXT)",
                    "CREATE TABLE shop.item (id INTEGER PRIMARY KEY, name TEXT)",
                    "CREATE TABLE shop.sale (item INTEGER REFERENCES shop.item)",
                    "CREATE VIEW shop.names AS SELECT name FROM shop.item");
            var data = connection.getMetaData();
            assertEquals(
                    List.of("information_schema", "pg_catalog", "public", "shop", "sys"),
                    rows(data.getSchemas(), "TABLE_SCHEM"));
            assertEquals(
                    List.of("public.item", "shop.item", "shop.sale", "shop.names"),
                    rows(data.getTables(null, null, "%", null), "TABLE_SCHEM", "TABLE_NAME"));
            assertEquals(
                    List.of("shop.item", "shop.sale"),
                    rows(
                            data.getTables(null, "sh%", "%", new String[] {"TABLE"}),
                            "TABLE_SCHEM",
                            "TABLE_NAME"));
            assertEquals(
                    List.of("public.item.id", "public.item.old", "shop.item.id", "shop.item.name"),
                    rows(
                            data.getColumns(null, null, "item", "%"),
                            "TABLE_SCHEM",
                            "TABLE_NAME",
                            "COLUMN_NAME"));
            assertEquals(
                    List.of("shop.names.name"),
                    rows(
                            data.getColumns(null, "shop", "names", "%"),
                            "TABLE_SCHEM",
                            "TABLE_NAME",
                            "COLUMN_NAME"));
            assertEquals(
                    List.of("shop.item"),
                    rows(
                            data.getImportedKeys(null, "shop", "sale"),
                            "PKTABLE_SCHEM",
                            "PKTABLE_NAME"));
            assertEquals(
                    List.of("shop.item_pkey"),
                    rows(data.getPrimaryKeys(null, "shop", "item"), "TABLE_SCHEM", "PK_NAME"));
        }
    }

    @Test
    void setSchemaDecidesTheMeaningOfNames() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Connection other = db.connect()) {
            execute(
                    connection,
                    "CREATE SCHEMA shop",
                    "CREATE TABLE item (a TEXT)",
                    "INSERT INTO item VALUES ('public')",
                    "CREATE TABLE shop.item (a TEXT)",
                    "INSERT INTO shop.item VALUES ('shop')");
            String query = "SELECT a FROM item";
            try (var prepared = connection.prepareStatement(query)) {
                assertEquals(List.of("public"), rows(prepared.executeQuery(), "a"));
                assertEquals("public", connection.getSchema());
                connection.setSchema("SHOP");
                assertEquals("shop", connection.getSchema());
                assertEquals(List.of("shop"), rows(prepared.executeQuery(), "a"));
                try (ResultSet result = prepared.executeQuery()) {
                    assertEquals("shop", result.getMetaData().getSchemaName(1));
                    assertEquals("item", result.getMetaData().getTableName(1));
                }
                try (Statement elsewhere = other.createStatement()) {
                    assertEquals(List.of("public"), rows(elsewhere.executeQuery(query), "a"));
                }
                connection.setAutoCommit(false);
                execute(connection, "SET search_path TO public");
                assertEquals(List.of("public"), rows(prepared.executeQuery(), "a"));
                connection.rollback();
                assertEquals(List.of("shop"), rows(prepared.executeQuery(), "a"));
            }
            SQLException unknown =
                    assertThrows(SQLException.class, () -> connection.setSchema("nowhere"));
            assertEquals("3F000", unknown.getSQLState());
        }
    }

    @Test
    void bucketsStayInPublicWhateverTheSearchPath() throws SQLException {
        try (Database db = Database.inMemory()) {
            try (Connection connection = db.connect()) {
                execute(connection, "CREATE SCHEMA shop");
            }
            try (Transaction transaction = db.begin()) {
                execute(transaction.connection(), "SET search_path TO shop");
                byte[] value = {7};
                transaction.bucket("kept").upsert("a", value);
                assertArrayEquals(value, transaction.bucket("kept").get("a"));
                transaction.commit();
            }
            assertArrayEquals(new byte[] {7}, db.bucket("kept").get("a"));
            assertEquals(List.of("kept"), db.buckets().names());
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void schemasSurviveTheEndOfTheProcess() throws SQLException {
        SimDirectory directory = new SimDirectory();
        SimDirectory killed;
        try (Database db = open(directory);
                Connection connection = db.connect()) {
            execute(
                    connection,
                    "CREATE SCHEMA shop CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER)",
                    "INSERT INTO shop.item VALUES (1, 10)",
                    "CREATE INDEX item_n ON shop.item (n)",
                    "CREATE VIEW seen AS SELECT * FROM shop.item",
                    "CREATE SCHEMA gone CREATE TABLE item (a INTEGER)",
                    "DROP SCHEMA gone CASCADE",
                    "CREATE SCHEMA plain",
                    "ALTER SCHEMA plain RENAME TO empty");
            connection.setAutoCommit(false);
            execute(connection, "CREATE SCHEMA lost", "CREATE TABLE lost.t (a INTEGER)");
            killed = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
            connection.rollback();
        }
        for (SimDirectory left : List.of(directory, killed)) {
            try (Database db = open(left);
                    Connection connection = db.connect()) {
                assertEquals(
                        List.of(
                                "empty",
                                "information_schema",
                                "pg_catalog",
                                "public",
                                "shop",
                                "sys"),
                        rows(connection.getMetaData().getSchemas(), "TABLE_SCHEM"));
                try (Statement statement = connection.createStatement()) {
                    assertEquals(
                            List.of("10"),
                            rows(statement.executeQuery("SELECT n FROM seen WHERE n = 10"), "n"));
                }
                execute(connection, "DROP SCHEMA shop CASCADE");
                assertEquals(List.of(), db.check());
            }
        }
    }

    @Test
    void tellsTablesOfOneNameApartBySchema() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            execute(
                    connection,
                    "CREATE SCHEMA a",
                    "CREATE SCHEMA b",
                    "CREATE TABLE a.t AS SELECT 1 AS x",
                    "CREATE TABLE b.t AS SELECT 1 AS x, 2 AS y");
            String query = "SELECT a.t.x, b.t.y FROM a.t, b.t WHERE a.t.x = b.t.x";
            assertEquals(List.of("1.2"), rows(statement.executeQuery(query), "x", "y"));
            SQLException either =
                    assertThrows(
                            SQLException.class,
                            () -> statement.executeQuery("SELECT t.y FROM a.t, b.t"));
            assertEquals("42P09", either.getSQLState());
            SQLException twice =
                    assertThrows(
                            SQLException.class,
                            () -> statement.executeQuery("SELECT 1 FROM a.t, a.t"));
            assertEquals("42712", twice.getSQLState());
            SQLException type =
                    assertThrows(
                            SQLException.class,
                            () -> statement.execute("CREATE TYPE c.m AS ENUM ('x')"));
            assertEquals("3F000", type.getSQLState());
        }
    }

    @Test
    void arraysOfEnumerationsAreMadeByTheirNames() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            execute(
                    connection,
                    "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                    "CREATE TABLE m (m mood[])");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO m VALUES (?)")) {
                insert.setArray(1, connection.createArrayOf("mood", new String[] {"ok", "sad"}));
                assertEquals(1, insert.executeUpdate());
            }
            assertEquals(
                    List.of("{ok,sad}"),
                    rows(statement.executeQuery("SELECT m FROM m WHERE m[1] > m[2]"), "m"));
            SQLException none =
                    assertThrows(
                            SQLException.class,
                            () -> connection.createArrayOf("mood", new String[] {"none"}));
            assertEquals("22P02", none.getSQLState());
        }
    }

    @Test
    void fillingAnArrayObeysTheTimeout() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException late =
                    assertThrows(
                            SQLException.class,
                            () ->
                                    rows(
                                            statement.executeQuery(
                                                    "SELECT SUM(ARRAY_LENGTH(ARRAY_FILL(i,"
                                                            + " ARRAY[100000]), 1)) AS n FROM"
                                                            + " GENERATE_SERIES(1, 1000000) AS s(i)"),
                                            "n"));
            assertEquals("57014", late.getSQLState());
        }
    }
}
