package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JdbcCallTest {
    private Database db;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        db = Database.inMemory();
        db.functions()
                .add(
                        "joined",
                        List.of(String.class, int.class),
                        String.class,
                        arguments -> arguments[0] + "/" + arguments[1]);
        db.functions()
                .addTable(
                        "words",
                        List.of(String.class),
                        Map.of("word", String.class),
                        arguments -> {
                            List<Object[]> rows = new ArrayList<>();
                            for (String word : String.valueOf(arguments[0]).split(" ", -1)) {
                                rows.add(new Object[] {word});
                            }
                            return rows;
                        });
        connection = db.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        db.close();
    }

    @Test
    void aFunctionReturnsItsValueAsTheFirstParameter() throws SQLException {
        try (CallableStatement call = connection.prepareCall("{? = call joined(?, ?)}")) {
            call.registerOutParameter(1, Types.VARCHAR);
            call.setString(2, "a");
            Expect.error("22003", "parameter 3", () -> call.setLong(3, 1L << 40));
            call.setInt(3, 7);
            assertFalse(call.execute());
            assertNull(call.getResultSet());
            assertEquals("a/7", call.getString(1));
            assertEquals("a/7", call.getObject(1));
            assertFalse(call.wasNull());
            call.setNull(2, Types.VARCHAR);
            assertEquals(0, call.executeUpdate());
            assertNull(call.getString(1));
            assertTrue(call.wasNull());
        }
    }

    @Test
    void functionsOfSqlAreCalledAsWell() throws SQLException {
        try (CallableStatement call = connection.prepareCall(" { ?= CALL mod ( ? , 5 ) } ; ")) {
            call.registerOutParameter(1, JDBCType.INTEGER);
            call.setInt(2, 17);
            assertFalse(call.execute());
            assertEquals(2, call.getInt(1));
            assertEquals(2L, call.getLong(1));
            assertEquals(new BigDecimal("2"), call.getBigDecimal(1));
            assertEquals(Integer.class, call.getObject(1, Integer.class).getClass());
            ParameterMetaData parameters = call.getParameterMetaData();
            assertEquals(2, parameters.getParameterCount());
            assertEquals(ParameterMetaData.parameterModeOut, parameters.getParameterMode(1));
            assertEquals(ParameterMetaData.parameterModeIn, parameters.getParameterMode(2));
        }
        try (CallableStatement call = connection.prepareCall("{? = call make_date(2024, ?, 29)}")) {
            call.registerOutParameter(1, Types.DATE);
            call.setInt(2, 2);
            assertFalse(call.execute());
            assertEquals(LocalDate.of(2024, 2, 29), call.getObject(1, LocalDate.class));
            assertEquals("2024-02-29", call.getDate(1).toString());
        }
        try (CallableStatement call = connection.prepareCall("{? = call pi}")) {
            call.registerOutParameter(1, Types.DOUBLE);
            assertFalse(call.execute());
            assertEquals(Math.PI, call.getDouble(1));
        }
    }

    @Test
    void theValueOutlivesItsTransaction() throws SQLException {
        connection.setAutoCommit(false);
        try (CallableStatement call = connection.prepareCall("{? = call repeat(?, 3)}")) {
            call.registerOutParameter(1, Types.VARCHAR);
            call.setString(2, "ab");
            assertFalse(call.execute());
            connection.commit();
            assertEquals("ababab", call.getString(1));
            connection.rollback();
            assertEquals("ababab", call.getNString(1));
        }
    }

    @Test
    void rowsOfATableFunctionAreTheResult() throws SQLException {
        try (CallableStatement call = connection.prepareCall("{call words(?)}")) {
            call.setString(1, "to be");
            assertTrue(call.execute());
            List<String> words = new ArrayList<>();
            try (ResultSet rows = call.getResultSet()) {
                while (rows.next()) {
                    words.add(rows.getString("word"));
                }
            }
            assertEquals(List.of("to", "be"), words);
        }
    }

    @Test
    void proceduresAreCalled() throws SQLException {
        try (CallableStatement call = connection.prepareCall("{call sys.reset_statements()}");
                ResultSet rows = call.executeQuery()) {
            assertTrue(rows.getMetaData().getColumnCount() > 0);
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("{call sys.reset_statements()}")) {
            assertTrue(rows.getMetaData().getColumnCount() > 0);
        }
    }

    @Test
    void whatIsWrongIsSaid() throws SQLException {
        Expect.error("42601", "{call name(...)}", () -> connection.prepareCall("SELECT 1"));
        Expect.error("42601", "{call name(...)}", () -> connection.prepareCall("{call pi()"));
        Expect.error("42883", "nothing", () -> connection.prepareCall("{? = call nothing()}"));
        Expect.error("42883", "nothing", () -> connection.prepareCall("{call nothing()}"));
        try (CallableStatement call = connection.prepareCall("{? = call joined('a', ?)}")) {
            Expect.error("07001", "Parameter 1 is the function's result", call::execute);
            Expect.error("22023", "Parameter 2", () -> call.registerOutParameter(2, Types.INTEGER));
            Expect.error("22023", "the parameters 2 to 2", () -> call.setInt(1, 5));
            Expect.error("0A000", "numbers", () -> call.setInt("n", 5));
            Expect.error("0A000", "numbers", () -> call.getInt("n"));
            call.registerOutParameter(1, Types.VARCHAR);
            Expect.error("07001", "Parameter 2 has no value", call::execute);
            Expect.error("24000", "not been executed", () -> call.getString(1));
            call.setInt(2, 5);
            assertFalse(call.execute());
            Expect.error("22023", "Parameter 2", () -> call.getString(2));
            assertArrayEquals(new String[] {"a", "5"}, call.getString(1).split("/", -1));
        }
    }
}
