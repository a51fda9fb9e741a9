package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What JDBC tells of rows that were changed, and what of constraints and sequences outlives a close.
class GeneratedKeysTest {
    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String all(ResultSet rows) throws SQLException {
        List<String> all = new ArrayList<>();
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                row.add(rows.getString(i));
            }
            all.add(String.join(" ", row));
        }
        return String.join(", ", all);
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return all(rows);
        }
    }

    @Test
    void keysOfRowsAreReturned() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            run(
                    connection,
                    "CREATE TABLE t (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v INT)",
                    "CREATE TABLE plain (code VARCHAR(5) PRIMARY KEY, v INT DEFAULT 7)");
            assertEquals("", all(statement.getGeneratedKeys()));
            assertEquals(
                    2,
                    statement.executeUpdate(
                            "INSERT INTO t (v) VALUES (1), (2)", Statement.RETURN_GENERATED_KEYS));
            try (ResultSet keys = statement.getGeneratedKeys()) {
                assertEquals("id", keys.getMetaData().getColumnName(1));
                assertEquals("1, 2", all(keys));
            }
            String[] columns = {"V", "code"};
            assertEquals(
                    1, statement.executeUpdate("INSERT INTO plain VALUES ('a', DEFAULT)", columns));
            assertEquals("7 a", all(statement.getGeneratedKeys()));
            statement.executeUpdate("UPDATE plain SET v = 8", Statement.RETURN_GENERATED_KEYS);
            assertEquals("a", all(statement.getGeneratedKeys()));
            statement.executeUpdate("UPDATE plain SET v = 9");
            assertEquals("", all(statement.getGeneratedKeys()));
            assertFalse(
                    statement.execute("CREATE TABLE u (a INT)", Statement.RETURN_GENERATED_KEYS));
            assertEquals("", all(statement.getGeneratedKeys()));
            SQLException e =
                    assertThrows(
                            SQLException.class,
                            () ->
                                    statement.executeUpdate(
                                            "INSERT INTO t (v) VALUES (1)",
                                            new String[] {"nothing"}));
            assertEquals("42703", e.getSQLState());
            assertTrue(statement.execute("INSERT INTO t (v) VALUES (5) RETURNING v"));
            assertEquals("5", all(statement.getResultSet()));
        }
    }

    /// What is joined with it may have columns of the same names.
    @Test
    void keysAreThoseOfTheTableThatIsChanged() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            run(
                    connection,
                    "CREATE TABLE t (id BIGINT PRIMARY KEY, v INT)",
                    "CREATE TABLE more (id BIGINT, v INT)",
                    "CREATE TABLE keyless (v INT)",
                    "INSERT INTO t VALUES (1, 1), (2, 2)",
                    "INSERT INTO keyless VALUES (7)",
                    "INSERT INTO more VALUES (1, 7)");
            int asked = Statement.RETURN_GENERATED_KEYS;
            statement.executeUpdate(
                    "UPDATE t SET v = more.v FROM more WHERE more.id = t.id", asked);
            assertEquals("1", all(statement.getGeneratedKeys()));
            statement.executeUpdate(
                    "MERGE INTO t x USING more ON more.id = x.id WHEN MATCHED THEN UPDATE SET v ="
                            + " more.v + 1",
                    asked);
            assertEquals("1", all(statement.getGeneratedKeys()));
            statement.executeUpdate(
                    "WITH one AS (SELECT id, v FROM more) DELETE FROM t AS gone USING one WHERE"
                            + " one.id = gone.id",
                    new String[] {"v"});
            assertEquals("8", all(statement.getGeneratedKeys()));
            statement.executeUpdate(
                    "UPDATE keyless k SET v = more.id FROM more WHERE more.v = k.v", asked);
            assertEquals("1", all(statement.getGeneratedKeys()));
        }
    }

    @Test
    void preparedStatementsAndBatchesReturnKeys() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect()) {
            run(connection, "CREATE TABLE t (id SERIAL PRIMARY KEY, v INT)");
            try (PreparedStatement insert =
                    connection.prepareStatement(
                            "INSERT INTO t (v) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                for (int i = 1; i <= 3; i++) {
                    insert.setInt(1, i);
                    assertEquals(1, insert.executeUpdate());
                    assertEquals("" + i, all(insert.getGeneratedKeys()));
                }
                for (int i = 0; i < 3; i++) {
                    insert.setInt(1, i);
                    insert.addBatch();
                }
                assertEquals(3, insert.executeBatch().length);
                assertEquals("4, 5, 6", all(insert.getGeneratedKeys()));
            }
            try (PreparedStatement returning =
                    connection.prepareStatement("DELETE FROM t WHERE id < ? RETURNING id, v")) {
                assertEquals(2, returning.getMetaData().getColumnCount());
                returning.setInt(1, 3);
                try (ResultSet rows = returning.executeQuery()) {
                    assertEquals("1 1, 2 2", all(rows));
                }
            }
        }
    }

    @Test
    void definitionsOutliveAClose(@TempDir Path folder) throws SQLException {
        Path path = folder.resolve("db");
        try (Database database = Database.open(path);
                Connection connection = database.connect()) {
            run(
                    connection,
                    "CREATE TABLE parent (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                            + " code VARCHAR(5) CONSTRAINT codes UNIQUE)",
                    "CREATE TABLE child (id INT, p INT DEFAULT 1 CHECK (p < 10) REFERENCES parent"
                            + " ON DELETE SET DEFAULT ON UPDATE CASCADE,"
                            + " twice INT GENERATED ALWAYS AS (p * 2),"
                            + " CONSTRAINT up FOREIGN KEY (id) REFERENCES parent"
                            + " INITIALLY DEFERRED)",
                    "INSERT INTO parent (code) VALUES ('a'), ('b'), ('c')",
                    "INSERT INTO child (id, p) VALUES (1, 2)",
                    "ALTER TABLE child ADD COLUMN more VARCHAR(9) DEFAULT 'older'",
                    "CREATE VIEW v AS SELECT code, twice FROM parent JOIN child"
                            + " ON parent.id = child.p",
                    "CREATE SEQUENCE s START WITH 5");
            assertEquals("5", ask(connection, "SELECT NEXTVAL('s')"));
        }
        try (Database database = Database.open(path);
                Connection connection = database.connect()) {
            assertEquals("b 4", ask(connection, "SELECT * FROM v"));
            assertEquals("1 2 4 older", ask(connection, "SELECT * FROM child"));
            assertEquals("6", ask(connection, "SELECT NEXTVAL('s')"));
            assertEquals(
                    "4", ask(connection, "INSERT INTO parent (code) VALUES ('d') RETURNING id"));
            state(connection, "INSERT INTO parent (code) VALUES ('d')", "23505");
            state(connection, "INSERT INTO child (p) VALUES (10)", "23514");
            state(connection, "INSERT INTO child (p) VALUES (9)", "23503");
            state(connection, "DROP TABLE parent", "2BP01");
            state(connection, "INSERT INTO child (id) VALUES (77)", "23503");
            state(connection, "ALTER TABLE child DROP CONSTRAINT nothing", "42704");
            state(connection, "ALTER TABLE child ADD more INT", "42701");
            state(connection, "INSERT INTO parent VALUES (9, 'x')", "428C9");
            DatabaseMetaData meta = connection.getMetaData();
            String imported =
                    "null public parent id null public child p 1 0 4 child_p_fkey parent_pkey 7";
            String deferred = "null public parent id null public child id 1 3 3 up parent_pkey 5";
            assertEquals(
                    imported + ", " + deferred, all(meta.getImportedKeys(null, null, "child")));
            assertEquals(
                    imported + ", " + deferred, all(meta.getExportedKeys(null, null, "parent")));
            String keys = imported + ", " + deferred;
            assertEquals(keys, all(meta.getExportedKeys(null, null, null)));
            assertEquals(keys, all(meta.getImportedKeys(null, null, null)));
            assertEquals(keys, all(meta.getCrossReference(null, null, null, null, null, "child")));
            assertEquals(
                    "", all(meta.getCrossReference(null, null, "child", null, null, "parent")));
            try (ResultSet tables = meta.getTables(null, null, "v", null)) {
                assertTrue(tables.next());
                assertEquals("VIEW", tables.getString("TABLE_TYPE"));
            }
            try (ResultSet columns = meta.getColumns(null, null, "child", "p")) {
                assertTrue(columns.next());
                assertEquals("1", columns.getString("COLUMN_DEF"));
            }
            run(connection, "DELETE FROM parent WHERE id = 2");
            assertEquals("1 1 2 older", ask(connection, "SELECT * FROM child"));
            assertEquals(
                    "child_p_check, child_p_fkey, codes, parent_pkey, up",
                    ask(
                            connection,
                            "SELECT constraint_name FROM information_schema.table_constraints"
                                    + " ORDER BY 1"));
            assertEquals(List.of(), database.check());
        }
    }

    private static void state(Connection connection, String sql, String state) {
        SQLException e = assertThrows(SQLException.class, () -> run(connection, sql));
        assertEquals(state, e.getSQLState(), e.getMessage());
    }
}
