package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Bucket;
import dev.oriel.store.UsageException;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Triggers and procedures through JDBC.
class TriggersTest {
    private static void run(Statement statement, String... texts) throws SQLException {
        for (String text : texts) {
            statement.execute(text);
        }
    }

    private static String rows(Statement statement, String query) throws SQLException {
        StringBuilder rows = new StringBuilder();
        try (ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                rows.append(rows.isEmpty() ? "" : ";");
                for (int i = 1; i <= columns; i++) {
                    rows.append(i == 1 ? "" : "|").append(result.getString(i));
                }
            }
        }
        return rows.toString();
    }

    @Test
    void triggersSurviveReopeningAndKeepTheMeaningOfTheirNames(@TempDir Path folder)
            throws SQLException {
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE SCHEMA a",
                    "CREATE SCHEMA b",
                    "CREATE TABLE a.log (n INT)",
                    "CREATE TABLE b.log (n INT)",
                    "CREATE TABLE a.t (id INT PRIMARY KEY)",
                    "SET search_path = a",
                    "CREATE TRIGGER keep AFTER INSERT ON t FOR EACH ROW INSERT INTO log VALUES"
                            + " (NEW.id)",
                    "CREATE PROCEDURE p(n INT) LANGUAGE SQL AS 'INSERT INTO log VALUES (n)'");
        }
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(statement, "SET search_path = b", "INSERT INTO a.t VALUES (1), (2)", "CALL a.p(3)");
            assertEquals("1;2;3", rows(statement, "SELECT n FROM a.log ORDER BY n"));
            assertEquals("", rows(statement, "SELECT n FROM b.log"));
        }
    }

    @Test
    void batchesAndPreparedStatementsFireThem() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n INT)",
                    "CREATE TABLE log (kind VARCHAR(10), n INT)",
                    "CREATE TRIGGER big BEFORE INSERT OR UPDATE ON t FOR EACH ROW WHEN (NEW.n > 9)"
                            + " SIGNAL SQLSTATE '77001' SET MESSAGE_TEXT = 'too big'",
                    "CREATE TRIGGER twice BEFORE INSERT ON t FOR EACH ROW SET NEW.n = NEW.n * 2",
                    "CREATE TRIGGER rows AFTER INSERT OR UPDATE ON t FOR EACH ROW INSERT INTO log"
                            + " VALUES ('row', NEW.n)",
                    "CREATE TRIGGER whole AFTER INSERT ON t INSERT INTO log VALUES ('whole', 0)");
            try (PreparedStatement insert =
                    connection.prepareStatement(
                            "INSERT INTO t (n) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                for (int i = 1; i <= 3; i++) {
                    insert.setInt(1, i);
                    insert.addBatch();
                }
                assertArrayEquals(new int[] {1, 1, 1}, insert.executeBatch());
                try (ResultSet keys = insert.getGeneratedKeys()) {
                    assertTrue(keys.next());
                    assertEquals(1, keys.getInt(1));
                }
                insert.setInt(1, 4);
                assertEquals(1, insert.executeUpdate());
                insert.setInt(1, 10);
                Expect.error("77001", "too big", insert::executeUpdate);
            }
            assertEquals(
                    "row|2;row|4;row|6;row|8;whole|0;whole|0;whole|0;whole|0",
                    rows(statement, "SELECT kind, n FROM log ORDER BY kind, n"));
            connection.setAutoCommit(false);
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE t SET n = ? WHERE id = ?")) {
                update.setInt(1, 9);
                update.setInt(2, 1);
                assertEquals(1, update.executeUpdate());
                statement.execute("ALTER TABLE t DISABLE TRIGGER rows");
                update.setInt(1, 8);
                assertEquals(1, update.executeUpdate());
            }
            assertEquals("1", rows(statement, "SELECT COUNT(*) FROM log WHERE n = 9"));
            assertEquals("1", rows(statement, "SELECT COUNT(*) FROM log WHERE n = 8"));
            connection.rollback();
            assertEquals("0", rows(statement, "SELECT COUNT(*) FROM log WHERE n = 9"));
        }
    }

    @Test
    void functionsInJavaAreCalled() throws SQLException {
        List<Object> heard = new ArrayList<>();
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            db.functions()
                    .add(
                            "hear",
                            List.of(int.class),
                            int.class,
                            arguments -> {
                                heard.add((Integer) arguments[0]);
                                return arguments[0];
                            });
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
                    "CREATE TRIGGER told AFTER INSERT OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION"
                            + " hear(COALESCE(NEW.id, -OLD.id))",
                    "INSERT INTO t VALUES (1, 1), (2, 2)",
                    "ALTER TABLE t ADD COLUMN m INT",
                    "DELETE FROM t WHERE id = 2");
            assertEquals(List.of(1, 2, -2), heard);
        }
    }

    @Test
    void openResultsOfTheTransactionDoNotSeeThem() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement reading = connection.createStatement();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY)",
                    "CREATE TABLE log (id INT PRIMARY KEY)",
                    "CREATE TRIGGER keep AFTER INSERT ON t FOR EACH ROW INSERT INTO log VALUES"
                            + " (NEW.id)",
                    "INSERT INTO t VALUES (1), (2), (3)");
            connection.setAutoCommit(false);
            try (ResultSet result = reading.executeQuery("SELECT id FROM log ORDER BY id")) {
                int seen = 0;
                while (result.next()) {
                    seen++;
                    statement.execute("INSERT INTO t VALUES (" + (10 + seen) + ")");
                }
                assertEquals(3, seen);
            }
        }
    }

    @Test
    void openResultsDoNotSeeTheChangesOfFunctions() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement reading = connection.createStatement();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
                    "CREATE TABLE log (n INT)",
                    "CREATE FUNCTION emptied() RETURNS INT LANGUAGE SQL AS 'DELETE FROM t; SELECT 1'",
                    "INSERT INTO t SELECT x, x FROM GENERATE_SERIES(1, 2000) AS g(x)");
            connection.setAutoCommit(false);
            // Now the result reads the changes of its own transaction.
            run(statement, "INSERT INTO log VALUES (0)");
            reading.setFetchSize(1);
            try (ResultSet result = reading.executeQuery("SELECT * FROM t")) {
                assertTrue(result.next());
                statement.execute("INSERT INTO log VALUES (emptied())");
                int seen = 1;
                while (result.next()) {
                    seen++;
                }
                assertEquals(2000, seen);
            }
            assertEquals("0", rows(statement, "SELECT COUNT(*) FROM t"));
        }
    }

    @Test
    void transitionTablesAreCopiedOnceForAllRows() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY)",
                    "CREATE TABLE log (id INT PRIMARY KEY)",
                    "CREATE TRIGGER told AFTER INSERT ON t REFERENCING NEW TABLE AS fresh FOR EACH"
                            + " ROW INSERT INTO log SELECT NEW.id FROM fresh LIMIT 1");
            statement.setQueryTimeout(60);
            run(statement, "INSERT INTO t SELECT x FROM GENERATE_SERIES(1, 40000) AS g(x)");
            assertEquals("40000", rows(statement, "SELECT COUNT(*) FROM log"));
        }
    }

    @Test
    void parameterThatAProcedureReadsNeedsAValue() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE PROCEDURE p(INOUT a INT, OUT b INT) LANGUAGE SQL AS 'SELECT a, a'");
            try (CallableStatement call = connection.prepareCall("{call p(?, ?)}")) {
                call.registerOutParameter(1, Types.INTEGER);
                call.registerOutParameter(2, Types.INTEGER);
                Expect.error("07001", "1", call::execute);
                call.setInt(1, 4);
                assertFalse(call.execute());
                assertEquals(4, call.getInt(2));
                ParameterMetaData parameters = call.getParameterMetaData();
                assertEquals(ParameterMetaData.parameterModeInOut, parameters.getParameterMode(1));
                assertEquals(ParameterMetaData.parameterModeOut, parameters.getParameterMode(2));
            }
        }
    }

    @Test
    void otherWritersOfTheTableFireNewTriggers() throws SQLException {
        try (Database db = Database.inMemory();
                Connection one = db.connect();
                Connection other = db.connect();
                Statement first = one.createStatement();
                Statement second = other.createStatement();
                PreparedStatement insert = preparedInsert(first, other)) {
            insert.setInt(1, 1);
            insert.executeUpdate();
            run(
                    first,
                    "CREATE TRIGGER keep AFTER INSERT ON t FOR EACH ROW INSERT INTO log VALUES"
                            + " (NEW.id)");
            insert.setInt(1, 2);
            insert.executeUpdate();
            run(first, "DROP TRIGGER keep ON t");
            insert.setInt(1, 3);
            insert.executeUpdate();
            assertEquals("2", rows(second, "SELECT id FROM log"));
        }
    }

    private static PreparedStatement preparedInsert(Statement first, Connection other)
            throws SQLException {
        run(first, "CREATE TABLE t (id INT PRIMARY KEY)", "CREATE TABLE log (id INT)");
        return other.prepareStatement("INSERT INTO t VALUES (?)");
    }

    @Test
    void procedureReturnsItsOutParameters() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
                    "INSERT INTO t VALUES (1, 10)",
                    "CREATE PROCEDURE add_to(IN key INT, INOUT plus INT, OUT was INT) LANGUAGE SQL"
                            + " BEGIN ATOMIC SET was = (SELECT n FROM t WHERE id = key); UPDATE t SET"
                            + " n = n + plus WHERE id = key; SET plus = was + plus; END");
            try (CallableStatement call = connection.prepareCall("{call add_to(?, ?, ?)}")) {
                call.setInt(1, 1);
                call.setInt(2, 5);
                call.registerOutParameter(2, Types.INTEGER);
                call.registerOutParameter(3, Types.INTEGER);
                assertFalse(call.execute());
                assertEquals(15, call.getInt(2));
                assertEquals(10, call.getInt(3));
                assertFalse(call.wasNull());
                assertEquals(
                        ParameterMetaData.parameterModeInOut,
                        call.getParameterMetaData().getParameterMode(2));
                call.setInt(2, 1);
                var _ = call.executeUpdate();
                assertEquals(16, call.getInt(2));
                call.setInt(1, 99);
                call.execute();
                assertEquals(0, call.getInt(3));
                assertTrue(call.wasNull());
                Expect.error("22023", "Parameter 1", () -> call.registerOutParameter(1, 0));
            }
            try (CallableStatement call = connection.prepareCall("call add_to(1, ?, NULL)")) {
                call.setInt(1, 1);
                try (ResultSet row = call.executeQuery()) {
                    assertTrue(row.next());
                    assertEquals(17, row.getInt("plus"));
                    assertEquals(16, row.getInt("was"));
                }
            }
            DatabaseMetaData metaData = connection.getMetaData();
            try (ResultSet found = metaData.getProcedures(null, "public", "add_to")) {
                assertTrue(found.next());
                assertEquals("add_to", found.getString("PROCEDURE_NAME"));
                assertFalse(found.next());
            }
            List<String> columns = new ArrayList<>();
            try (ResultSet found = metaData.getProcedureColumns(null, "public", "add_to", null)) {
                while (found.next()) {
                    columns.add(found.getString("COLUMN_NAME") + " " + found.getInt("COLUMN_TYPE"));
                }
            }
            assertEquals(
                    List.of(
                            "key " + DatabaseMetaData.procedureColumnIn,
                            "plus " + DatabaseMetaData.procedureColumnInOut,
                            "was " + DatabaseMetaData.procedureColumnOut),
                    columns);
        }
    }

    @Test
    void bucketsDoNotPassThem() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            Bucket<byte[]> bucket = db.bucket("kept");
            bucket.upsert("a", new byte[] {1});
            run(
                    statement,
                    "CREATE TABLE log (n INT)",
                    "CREATE TRIGGER told AFTER INSERT OR UPDATE OR DELETE ON bucket_kept FOR EACH ROW"
                            + " INSERT INTO log VALUES (1)");
            UsageException refused =
                    assertThrows(UsageException.class, () -> bucket.upsert("a", new byte[] {2}));
            assertTrue(String.valueOf(refused.getMessage()).contains("by SQL only"));
            assertArrayEquals(new byte[] {1}, bucket.get("a"));
            run(statement, "DELETE FROM bucket_kept", "DROP TRIGGER told ON bucket_kept");
            bucket.upsert("a", new byte[] {3});
            assertEquals("1", rows(statement, "SELECT COUNT(*) FROM log"));
        }
    }

    @Test
    void longStatementsKeepTheirRowsInFiles(@TempDir Path folder) throws SQLException {
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY, text VARCHAR)",
                    "CREATE TABLE log (id INT PRIMARY KEY, chars INT)",
                    "CREATE TRIGGER each_row AFTER INSERT ON t FOR EACH ROW INSERT INTO log VALUES"
                            + " (NEW.id, LENGTH(NEW.text))",
                    "CREATE TRIGGER whole AFTER INSERT ON t REFERENCING NEW TABLE AS fresh UPDATE"
                            + " log SET chars = chars + 1 WHERE id IN (SELECT id FROM fresh)",
                    "SET query_bytes_max = 1000000",
                    "INSERT INTO t SELECT x, REPEAT('x', 1000) FROM GENERATE_SERIES(1, 5000) AS g(x)");
            assertEquals("5000|5005000", rows(statement, "SELECT COUNT(*), SUM(chars) FROM log"));
        }
    }

    @Test
    void bulkLoadsFireThem() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
                    "CREATE TABLE log (id INT PRIMARY KEY, n INT)",
                    "CREATE TRIGGER early BEFORE INSERT ON t FOR EACH ROW BEGIN ATOMIC INSERT INTO"
                            + " log VALUES (NEW.id, 0); SET NEW.n = NEW.id * 2; END",
                    "CREATE TRIGGER late AFTER INSERT ON t FOR EACH ROW UPDATE log SET n = NEW.n"
                            + " WHERE id = NEW.id",
                    "BEGIN BULK",
                    "INSERT INTO log VALUES (-1, -2)",
                    "INSERT INTO t SELECT x, 0 FROM GENERATE_SERIES(1, 3000) AS g(x)",
                    "INSERT INTO log VALUES (-2, -4)",
                    "COMMIT");
            assertEquals("3002|9002994", rows(statement, "SELECT COUNT(*), SUM(n) FROM log"));
            assertEquals("3000", rows(statement, "SELECT COUNT(*) FROM t WHERE n = id * 2"));
        }
    }

    @Test
    void callsAreOneStatement() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            run(
                    statement,
                    "CREATE TABLE t (id INT PRIMARY KEY)",
                    "CREATE PROCEDURE two() LANGUAGE SQL AS 'INSERT INTO t VALUES (1); INSERT INTO t"
                            + " VALUES (2)'",
                    "INSERT INTO t VALUES (2)");
            Expect.error("23505", "key", () -> statement.execute("CALL two()"));
            assertEquals("2", rows(statement, "SELECT id FROM t"));
            connection.setReadOnly(true);
            Expect.error("25006", "", () -> statement.execute("CALL two()"));
        }
    }
}
