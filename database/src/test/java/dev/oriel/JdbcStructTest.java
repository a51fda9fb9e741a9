package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdbcStructTest {
    @TempDir private Path folder;

    private static void define(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TYPE pair AS (a INT, b TEXT, c INT[])");
            statement.execute("CREATE TABLE t (id INT PRIMARY KEY, p pair)");
        }
    }

    @Test
    void compositeValuesAreStructs() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect()) {
            define(connection);
            Struct made = connection.createStruct("pair", new Object[] {1, "x", new Integer[] {5}});
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
                insert.setInt(1, 1);
                insert.setObject(2, made);
                insert.executeUpdate();
                insert.setInt(1, 2);
                insert.setObject(2, "(2,\"y, z\",)");
                insert.executeUpdate();
                insert.setInt(1, 3);
                insert.setNull(2, Types.STRUCT);
                insert.executeUpdate();
            }
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT p FROM t ORDER BY id")) {
                assertEquals(Types.STRUCT, rows.getMetaData().getColumnType(1));
                assertEquals("pair", rows.getMetaData().getColumnTypeName(1));
                assertEquals(Struct.class.getName(), rows.getMetaData().getColumnClassName(1));
                assertTrue(rows.next());
                Struct first = (Struct) rows.getObject(1);
                assertEquals("pair", first.getSQLTypeName());
                assertEquals(1, first.getAttributes()[0]);
                assertEquals("x", first.getAttributes(Map.of())[1]);
                assertArrayEquals(new Integer[] {5}, (Object[]) first.getAttributes()[2]);
                assertEquals("(1,x,{5})", rows.getString(1));
                assertEquals("(1,x,{5})", first.toString());
                assertTrue(rows.next());
                Struct second = rows.getObject(1, Struct.class);
                assertEquals("y, z", second.getAttributes()[1]);
                assertNull(second.getAttributes()[2]);
                assertTrue(rows.next());
                assertNull(rows.getObject(1));
            }
            Expect.error(
                    "22023",
                    "has 3 attributes",
                    () -> connection.createStruct("pair", new Object[] {1}));
            Expect.error(
                    "22023",
                    "CREATE TYPE",
                    () -> connection.createStruct("none", new Object[] {1}));
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void recordsAreStructsToo() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT ROW(1, ROW('x', NULL))")) {
            assertTrue(rows.next());
            Struct outer = (Struct) rows.getObject(1);
            assertEquals("record", outer.getSQLTypeName());
            assertEquals("(x,)", outer.getAttributes()[1].toString());
        }
    }

    @Test
    void typesAndValuesOutliveTheProcess() throws SQLException {
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            define(connection);
            statement.execute("INSERT INTO t VALUES (1, ROW(1, 'x', NULL))");
            statement.execute("CREATE INDEX t_p ON t (p)");
        }
        try (Database db = Database.open(folder);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO t VALUES (2, ROW(1, 'y', ARRAY[2]))");
            try (ResultSet rows =
                    statement.executeQuery("SELECT (p).b FROM t WHERE p > ROW(1, 'x', NULL)")) {
                assertTrue(rows.next());
                assertEquals("y", rows.getString(1));
            }
            assertEquals(List.of(), db.check());
        }
    }
}
