package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.store.UsageException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a program writes in Java and calls by SQL.
class FunctionsTest {
    private final Database database = Database.inMemory();
    private final Connection connection = connect();

    private Connection connect() {
        try {
            return database.connect();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @BeforeEach
    void create() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INTEGER, b VARCHAR(20))");
            statement.execute(
                    "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, NULL), (NULL, 'none'), (2, 'zwei')");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        assertEquals(List.of(), database.check());
        database.close();
    }

    private List<String> rows(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(result.getString(i));
                }
                rows.add(String.join("|", row));
            }
        }
        return rows;
    }

    private void addTwice() {
        database.functions()
                .add(
                        "twice",
                        List.of(String.class, int.class),
                        String.class,
                        arguments -> ((String) arguments[0]).repeat((Integer) arguments[1]));
    }

    @Test
    void publicStaticMethodIsCalled() throws Exception {
        database.functions()
                .add("floor_mod", Math.class.getMethod("floorMod", int.class, int.class));
        assertEquals(List.of("2"), rows("SELECT floor_mod(-1, 3)"));
        Expect.error("38000", "ArithmeticException", () -> rows("SELECT floor_mod(a, 0) FROM t"));
        assertThrows(
                IllegalArgumentException.class,
                () -> database.functions().add("no", String.class.getMethod("length")));
        assertThrows(
                IllegalArgumentException.class,
                () -> database.functions().add("no", List.class.getMethod("of", Object.class)));
    }

    @Test
    void functionIsCalledByItsNameAndNotForNull() throws Exception {
        addTwice();
        assertEquals(
                List.of("oneone", "twotwo", "null", "nonenone", "zweizwei"),
                rows("SELECT TWICE(b, 2) FROM t"));
        assertEquals(List.of("2"), rows("SELECT a FROM t WHERE twice(b, 2) = 'twotwo'"));
        assertEquals(List.of("xxx"), rows("SELECT twice('x', 3)"));
        assertEquals(
                List.of("1|1", "2|2", "3|1", "null|1"),
                rows("SELECT MIN(a), COUNT(*) FROM t GROUP BY twice(b, 0), a"));
        try (PreparedStatement query = connection.prepareStatement("SELECT twice(?, ?)")) {
            query.setString(1, "ab");
            query.setInt(2, 2);
            try (ResultSet result = query.executeQuery()) {
                result.next();
                assertEquals("abab", result.getString(1));
            }
        }
    }

    private void addTick() {
        AtomicInteger calls = new AtomicInteger();
        database.functions()
                .add("tick", List.of(), Integer.class, arguments -> calls.incrementAndGet());
    }

    @Test
    void conditionTestsTheValueThatIsReturned() throws SQLException {
        addTick();
        assertEquals(
                List.of("1", "2"),
                rows("SELECT n FROM (SELECT a, tick() AS n FROM t) AS s WHERE n <= 2"));
        assertEquals(
                List.of("6|1", "7|2"),
                rows(
                        "SELECT n, a FROM (SELECT a, tick() AS n FROM t UNION ALL SELECT 0, 0) AS s WHERE"
                                + " n BETWEEN 6 AND 7"));
    }

    @Test
    void eachRowIsComparedWithAValueOfItsOwn() throws SQLException {
        addTick();
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE keyed (id INTEGER PRIMARY KEY)");
            statement.execute("INSERT INTO keyed VALUES (1), (2), (3)");
        }
        assertEquals(List.of("1", "2", "3"), rows("SELECT id FROM keyed WHERE id = tick()"));
        assertEquals(
                List.of("6"),
                rows(
                        "SELECT COUNT(*) FROM GENERATE_SERIES(1, 2) a (i)"
                                + " CROSS JOIN GENERATE_SERIES(1, 3) b (j) WHERE tick() >= 0"));
        assertEquals(List.of("10"), rows("SELECT tick()"), "3 times, and once for each joined row");
    }

    @Test
    void valuesOfEachClassGoInAndComeOut() throws SQLException {
        Map<Class<?>, String> literals = new LinkedHashMap<>();
        literals.put(Boolean.class, "TRUE");
        literals.put(Byte.class, "CAST(7 AS TINYINT)");
        literals.put(Short.class, "CAST(-7 AS SMALLINT)");
        literals.put(Integer.class, "70000");
        literals.put(Long.class, "7000000000");
        literals.put(Float.class, "CAST(1.5 AS REAL)");
        literals.put(Double.class, "CAST(2.5 AS DOUBLE)");
        literals.put(BigDecimal.class, "12.50");
        literals.put(String.class, "'text'");
        literals.put(byte[].class, "X'00ff'");
        literals.put(LocalDate.class, "DATE '2024-02-29'");
        literals.put(LocalTime.class, "TIME '12:30:15.5'");
        literals.put(LocalDateTime.class, "TIMESTAMP '1969-12-31 23:59:59.5'");
        literals.put(OffsetDateTime.class, "TIMESTAMP WITH TIME ZONE '2024-02-29 12:30:00+00'");
        literals.put(UUID.class, "CAST('01234567-89ab-cdef-0123-456789abcdef' AS UUID)");
        int number = 0;
        for (Map.Entry<Class<?>, String> literal : literals.entrySet()) {
            String name = "same" + number++;
            Class<?> type = literal.getKey();
            database.functions()
                    .add(name, List.of(type), type, arguments -> type.cast(arguments[0]));
            assertEquals(
                    rows("SELECT " + literal.getValue()),
                    rows("SELECT " + name + "(" + literal.getValue() + ")"),
                    name);
        }
    }

    @Test
    void aggregateHasAStateForEachGroup() throws SQLException {
        database.functions()
                .<List<Integer>>addAggregate(
                        "median_of",
                        List.of(int.class),
                        int.class,
                        ArrayList::new,
                        (state, arguments) -> state.add((Integer) arguments[0]),
                        state -> {
                            Collections.sort(state);
                            return state.isEmpty() ? null : state.get(state.size() / 2);
                        });
        assertEquals(List.of("2"), rows("SELECT median_of(a) FROM t"));
        assertEquals(List.of("null"), rows("SELECT median_of(a) FROM t WHERE a > 9"));
        assertEquals(List.of("2"), rows("SELECT median_of(DISTINCT a) FROM t"));
        assertEquals(
                List.of("3|1", "4|null"),
                rows(
                        "SELECT LENGTH(b), median_of(a) FILTER (WHERE a < 2) FROM t WHERE b IS NOT NULL"
                                + " GROUP BY LENGTH(b) ORDER BY 1"));
        assertEquals(
                List.of("null"),
                rows("SELECT LENGTH(b) FROM t GROUP BY LENGTH(b) HAVING MEDIAN_OF(a) = 3"));
        assertEquals(
                List.of("1", "2", "2", "2"),
                rows("SELECT median_of(a) OVER (ORDER BY a) FROM t WHERE a IS NOT NULL"));
    }

    @Test
    void tableFunctionStandsInFrom() throws SQLException {
        Map<String, Class<?>> columns = new LinkedHashMap<>();
        columns.put("number", int.class);
        columns.put("word", String.class);
        database.functions()
                .addTable(
                        "words",
                        List.of(String.class),
                        columns,
                        arguments -> {
                            List<@Nullable Object[]> rows = new ArrayList<>();
                            for (String word : String.valueOf(arguments[0]).split(" ", -1)) {
                                rows.add(new @Nullable Object[] {rows.size() + 1, word});
                            }
                            return rows;
                        });
        assertEquals(List.of("1|a", "2|b"), rows("SELECT * FROM words('a b')"));
        assertEquals(
                List.of("2"),
                rows(
                        "SELECT DISTINCT a FROM words('one three') w JOIN t ON t.a = w.number WHERE word ="
                                + " 'three'"));
        assertEquals(List.of("1|null"), rows("SELECT * FROM words()"));
    }

    @Test
    void failureNamesTheFunctionAndLeavesTheTransaction() throws Exception {
        database.functions()
                .add(
                        "failing",
                        List.of(long.class),
                        long.class,
                        arguments -> {
                            throw new IllegalStateException("no luck with " + arguments[0]);
                        });
        SQLException failure =
                Expect.error("38000", "failing failed", () -> rows("SELECT failing(7)"));
        assertEquals(IllegalStateException.class, rootOf(failure).getClass());
        Expect.error("42883", "takes 1 arguments", () -> rows("SELECT failing(7, 8)"));
        Expect.error("42883", "BIGINT", () -> rows("SELECT failing(DATE '2024-01-01')"));
        Expect.error("42883", "no function", () -> rows("SELECT faling(1)"));
        assertEquals(List.of("5"), rows("SELECT COUNT(*) FROM t"));
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Test
    void infiniteDatesAreTheLastAndTheFirstOfTheClass() throws Exception {
        database.functions()
                .add("day_text", List.of(LocalDate.class), String.class, given -> "" + given[0]);
        database.functions()
                .add(
                        "moment_text",
                        List.of(OffsetDateTime.class),
                        String.class,
                        given -> "" + given[0]);
        database.functions().add("final_day", List.of(), LocalDate.class, given -> LocalDate.MAX);
        database.functions()
                .add("least_moment", List.of(), LocalDateTime.class, given -> LocalDateTime.MIN);
        assertEquals(
                List.of(LocalDate.MAX + "|" + OffsetDateTime.MIN + "|infinity|-infinity"),
                rows(
                        "SELECT day_text('infinity'), moment_text('-infinity'), final_day(),"
                                + " least_moment()"));
        database.functions()
                .add("far", List.of(), LocalDate.class, given -> LocalDate.MAX.minusDays(1));
        Expect.error("22008", "which is out of range for DATE", () -> rows("SELECT far()"));
    }

    @Test
    void functionsOfBigDecimalsRefuseNan() throws Exception {
        database.functions()
                .add("digits", List.of(BigDecimal.class), String.class, given -> "" + given[0]);
        database.functions()
                .<List<Object>>addAggregate(
                        "listed",
                        List.of(BigDecimal.class),
                        String.class,
                        ArrayList::new,
                        (list, given) -> list.add(given[0]),
                        Object::toString);
        database.functions()
                .addTable(
                        "one_of",
                        List.of(BigDecimal.class),
                        Map.of("n", String.class),
                        given -> List.<@Nullable Object[]>of(new Object[] {"" + given[0]}));
        assertEquals(List.of("1.5"), rows("SELECT digits(1.5)"));
        for (String query :
                List.of(
                        "SELECT digits('NaN'::numeric)",
                        "SELECT listed(n) FROM (VALUES ('NaN'::numeric)) v (n)",
                        "SELECT * FROM one_of('NaN'::numeric)")) {
            Expect.error("22003", "NaN is no BigDecimal; cast it to DOUBLE", () -> rows(query));
        }
    }

    @Test
    void namesAreTakenOnce() {
        database.functions().add("mine", List.of(), int.class, arguments -> 1);
        for (String name : List.of("mine", "MINE", "upper", "Sum", "row_number")) {
            assertThrows(
                    UsageException.class,
                    () -> database.functions().add(name, List.of(), int.class, arguments -> 1),
                    name);
        }
        Map<String, Class<?>> columns = Map.of("n", int.class);
        database.functions().addTable("rows_of", List.of(), columns, arguments -> List.of());
        assertThrows(
                UsageException.class,
                () ->
                        database.functions()
                                .addTable("ROWS_OF", List.of(), columns, arguments -> List.of()));
    }
}
