package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Types;
import java.time.LocalTime;
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

    @Test
    void partsKeepTheirDigitsAndTheirRange() throws SQLException {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TYPE part AS (t TIME, r REAL, d DOUBLE PRECISION, l TIME[])");
            statement.execute("CREATE TABLE parts (one part, list TIME[], at TIMESTAMPTZ[])");
            LocalTime time = LocalTime.parse("10:00:00.123456");
            Struct one =
                    connection.createStruct("part", new Object[] {time, 1.5, 2.5, List.of(time)});
            Array list = connection.createArrayOf("time", new Object[] {time, null});
            Array moments =
                    connection.createArrayOf("timestamp", new Object[] {"2024-07-01 12:00"});
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO parts VALUES (?, ?, ?)")) {
                insert.setObject(1, one);
                insert.setArray(2, list);
                insert.setNull(3, Types.ARRAY);
                insert.executeUpdate();
            }
            try (ResultSet rows = statement.executeQuery("SELECT one, list FROM parts")) {
                assertTrue(rows.next());
                assertEquals("(10:00:00.123456,1.5,2.5,{10:00:00.123456})", rows.getString(1));
                assertEquals("{10:00:00.123456,NULL}", rows.getString(2));
                try (ResultSet elements = list.getResultSet(1, 1)) {
                    assertTrue(elements.next());
                    assertEquals(time, elements.getObject(2, LocalTime.class));
                }
            }
            assertEquals("{\"2024-07-01 12:00:00\"}", moments.toString());
            for (Object[] wrong :
                    new Object[][] {
                        {null, 1e300, null, null},
                        {null, new BigDecimal("1e300"), null, null},
                        {null, new BigDecimal("1e400"), null, null},
                        {null, null, new BigDecimal("1e400"), null}
                    }) {
                Expect.error("22003", "out of range", () -> connection.createStruct("part", wrong));
            }
            Expect.error(
                    "22003",
                    "out of range",
                    () -> connection.createArrayOf("real", new Object[] {1e300}));
            Struct infinite =
                    connection.createStruct(
                            "part", new Object[] {null, Float.POSITIVE_INFINITY, null, null});
            assertEquals("(,Infinity,,)", infinite.toString());
            Expect.error(
                    "22023",
                    "give one for each, null for NULL",
                    () -> connection.createStruct("part", new Object[] {null}));
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT CAST(? AS BIT(3))")) {
                Expect.error("22P02", "write only 0 and 1", () -> query.setString(1, "102"));
            }
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT CAST(? AS DOUBLE PRECISION)")) {
                BigDecimal great = new BigDecimal("1e400");
                Expect.error(
                        "22003", "out of range", () -> query.setObject(1, great, Types.DOUBLE));
                Expect.error("22003", "out of range", () -> query.setObject(1, great, Types.REAL));
                Expect.error("22003", "out of range", () -> query.setObject(1, 1e300, Types.REAL));
            }
        }
    }
}
