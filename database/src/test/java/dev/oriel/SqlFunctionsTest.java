package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlFunctionsTest {
    private static final String TWICE =
            "CREATE FUNCTION twice(n INT, plus INT DEFAULT 1) RETURNS INT LANGUAGE SQL STRICT AS"
                    + " 'SELECT n * 2 + plus'";
    private static final String IDS =
            "CREATE FUNCTION s.ids(least INT) RETURNS TABLE (number INT, word TEXT) LANGUAGE SQL"
                    + " BEGIN ATOMIC SELECT a, 'w' || a FROM s.t WHERE a >= least; END";

    @Test
    void functionsSurviveReopening(@TempDir Path folder) throws SQLException {
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE SCHEMA s; CREATE TABLE s.t (a INT); INSERT INTO s.t VALUES (5)");
            statement.execute(TWICE);
            statement.execute(IDS + "; SET search_path = s");
            statement.execute(
                    "CREATE FUNCTION own() RETURNS INT LANGUAGE SQL AS 'SELECT a FROM t'");
        }
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            assertEquals("9|7", row(statement, "SELECT twice(4), twice(2, 3)"));
            assertEquals("5|w5", row(statement, "SELECT * FROM s.ids(1)"));
            assertEquals("5", row(statement, "SELECT s.own()"));
            Expect.error("2BP01", "ids", () -> statement.execute("DROP TABLE s.t"));
            statement.execute("DROP FUNCTION s.ids, s.own; DROP TABLE s.t");
        }
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            Expect.error("42883", "s.own", () -> statement.execute("SELECT s.own()"));
            assertEquals("9", row(statement, "SELECT twice(4)"));
        }
    }

    @Test
    void definitionsAreOfTheirTransaction() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement();
                Connection other = db.connect();
                Statement outside = other.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(TWICE);
            assertEquals("9", row(statement, "SELECT twice(4)"));
            Expect.error("42883", "twice", () -> outside.execute("SELECT twice(4)"));
            connection.rollback();
            Expect.error("42883", "twice", () -> statement.execute("SELECT twice(4)"));
            connection.rollback();
        }
    }

    @Test
    void preparedStatementsFollowAReplacedFunction() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(TWICE);
            try (PreparedStatement prepared = connection.prepareStatement("SELECT twice(?)")) {
                prepared.setInt(1, 4);
                assertEquals(9, number(prepared));
                statement.execute(
                        TWICE.replace("CREATE", "CREATE OR REPLACE").replace("* 2", "* 3"));
                assertEquals(13, number(prepared));
                prepared.setNull(1, Types.INTEGER);
                assertEquals(0, number(prepared));
            }
            try (CallableStatement call = connection.prepareCall("{? = call twice(?)}")) {
                call.registerOutParameter(1, Types.INTEGER);
                call.setInt(2, 2);
                call.execute();
                assertEquals(7, call.getInt(1));
            }
        }
    }

    private static int number(PreparedStatement prepared) throws SQLException {
        try (ResultSet rows = prepared.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void metadataListsFunctions() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA s; CREATE TABLE s.t (a INT)");
            statement.execute(TWICE);
            statement.execute(IDS);
            DatabaseMetaData about = connection.getMetaData();
            assertEquals(
                    List.of("public|twice|1"),
                    listed(
                            about.getFunctions(null, null, "twice"),
                            "FUNCTION_SCHEM",
                            "FUNCTION_NAME",
                            "FUNCTION_TYPE"));
            assertEquals(
                    List.of("s|ids|2"),
                    listed(
                            about.getFunctions(null, "s", "%"),
                            "FUNCTION_SCHEM",
                            "FUNCTION_NAME",
                            "FUNCTION_TYPE"));
            assertEquals(
                    List.of("least|INTEGER|1", "number|INTEGER|5", "word|VARCHAR|5"),
                    listed(
                            about.getFunctionColumns(null, "s", "ids", "%"),
                            "COLUMN_NAME",
                            "TYPE_NAME",
                            "COLUMN_TYPE"));
        }
    }

    @Test
    void errorsHaveTheStatesOfPostgreSql() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(TWICE);
            Expect.error("42723", "already", () -> statement.execute(TWICE));
            Expect.error(
                    "42P13",
                    "something else",
                    () ->
                            statement.execute(
                                    "CREATE OR REPLACE FUNCTION twice(n INT, plus INT DEFAULT 1)"
                                            + " RETURNS TEXT LANGUAGE SQL AS 'SELECT 1'"));
            Expect.error(
                    "0A000",
                    "docs/jdbc.md",
                    () ->
                            statement.execute(
                                    "CREATE FUNCTION f() RETURNS INT LANGUAGE plpgsql AS 'x'"));
            statement.execute(
                    "CREATE FUNCTION twice(n INT) RETURNS INT LANGUAGE SQL AS 'SELECT n'");
            Expect.error("42725", "ambiguous", () -> statement.execute("SELECT twice(1)"));
            Expect.error("42725", "several", () -> statement.execute("DROP FUNCTION twice"));
        }
    }

    private static String row(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                values.add(rows.getString(i));
            }
            return String.join("|", values);
        }
    }

    private static List<String> listed(ResultSet rows, String... columns) throws SQLException {
        List<String> listed = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (String column : columns) {
                    values.add(String.valueOf(rows.getString(column)));
                }
                listed.add(String.join("|", values));
            }
        }
        return listed;
    }
}
