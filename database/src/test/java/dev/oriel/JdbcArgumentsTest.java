package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.Driver;
import java.sql.JDBCType;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Every method of JDBC's interfaces, called with null and odd arguments: it returns, or throws an SQLException with
/// an SQLState that is no internal error.
class JdbcArgumentsTest {
    private static final String TYPES =
            "ti TINYINT, si SMALLINT, i INT, bi BIGINT, de DECIMAL(10, 2), re REAL, dp DOUBLE"
                    + " PRECISION, bo BOOLEAN, ch CHAR(3), vc VARCHAR(20), cl CLOB, bn BINARY(2),"
                    + " vb VARBINARY(10), bl BLOB, uu UUID, da DATE, tm TIME, ts TIMESTAMP, tz"
                    + " TIMESTAMP WITH TIME ZONE, iv INTERVAL, js JSON, ar INT[], at TEXT[], en"
                    + " mood, dn DECIMAL";
    private static final int COLUMNS = TYPES.split(", (?!2)").length;

    /// Methods whose Javadoc promises a NullPointerException.
    private static final Set<String> NULL_POINTER =
            Set.of(
                    "enquoteLiteral",
                    "enquoteNCharLiteral",
                    "enquoteIdentifier",
                    "isSimpleIdentifier");

    private final Database database = Database.inMemory();
    private final List<String> failures = new ArrayList<>();
    private final Set<String> problems = new HashSet<>();
    private @Nullable Connection connection;

    /// Makes an object to call.
    private interface Source {
        Object open() throws SQLException;
    }

    @BeforeEach
    void createTable() throws SQLException {
        try (Connection c = database.connect();
                Statement statement = c.createStatement()) {
            statement.execute("CREATE TYPE mood AS ENUM ('a', 'b')");
            statement.execute("CREATE TABLE al (" + TYPES + ")");
            statement.execute(
                    "INSERT INTO al VALUES (1, 2, 3, 4, 5.25, 6.5, 7.5, TRUE, 'ab', 'xyz', 'clob',"
                            + " X'0102', X'03', X'ff', '123e4567-e89b-12d3-a456-426614174000',"
                            + " '2024-02-29', '12:30:01.5', '2024-02-29 12:30:00.5', '2024-02-29"
                            + " 12:30:00+02:00', '1 month 2 days', '{\"a\": 1}', ARRAY[1, NULL],"
                            + " ARRAY['x'], 'a', 1e300)");
            statement.execute("INSERT INTO al (ti) VALUES (NULL)");
        }
    }

    @AfterEach
    void close() throws SQLException {
        if (connection != null) {
            connection.close();
        }
        assertEquals(List.of(), database.check());
        database.close();
    }

    private Connection connection() throws SQLException {
        if (connection == null || connection.isClosed()) {
            connection = database.connect();
        }
        return connection;
    }

    /// A new connection beside which none is open.
    private Connection fresh() throws SQLException {
        if (connection != null) {
            connection.close();
        }
        return connection();
    }

    private ResultSet rows(int type, int row) throws SQLException {
        ResultSet rows =
                connection()
                        .createStatement(type, ResultSet.CONCUR_READ_ONLY)
                        .executeQuery("SELECT * FROM al");
        for (int i = 0; i < row; i++) {
            rows.next();
        }
        return rows;
    }

    private PreparedStatement insert() throws SQLException {
        return connection()
                .prepareStatement("INSERT INTO al VALUES (?" + ", ?".repeat(COLUMNS - 1) + ")");
    }

    private Blob blob() throws SQLException {
        Blob blob = connection().createBlob();
        blob.setBytes(1, new byte[] {1, 2, 3});
        return blob;
    }

    private Clob clob() throws SQLException {
        Clob clob = connection().createClob();
        clob.setString(1, "abc");
        return clob;
    }

    private Array array() throws SQLException {
        return connection().createArrayOf("INTEGER", new Object[] {1, null, 3});
    }

    @TestFactory
    Stream<DynamicTest> oddArguments() {
        return Stream.of(
                test("Connection", Connection.class, this::fresh),
                test(
                        "Connection in a transaction",
                        Connection.class,
                        () -> {
                            Connection fresh = fresh();
                            fresh.setAutoCommit(false);
                            return fresh;
                        }),
                test(
                        "closed Connection",
                        Connection.class,
                        () -> {
                            Connection fresh = fresh();
                            fresh.close();
                            return fresh;
                        }),
                test("Statement", Statement.class, () -> connection().createStatement()),
                test("PreparedStatement", PreparedStatement.class, this::insert),
                test(
                        "prepared query",
                        PreparedStatement.class,
                        () -> connection().prepareStatement("SELECT CAST(? AS VARCHAR)")),
                test(
                        "CallableStatement",
                        CallableStatement.class,
                        () -> {
                            CallableStatement call =
                                    connection().prepareCall("{? = call UPPER(?)}");
                            call.registerOutParameter(1, Types.VARCHAR);
                            call.setString(2, "x");
                            call.execute();
                            return call;
                        }),
                test("first row", ResultSet.class, () -> rows(ResultSet.TYPE_FORWARD_ONLY, 1)),
                test(
                        "row of NULLs",
                        ResultSet.class,
                        () -> rows(ResultSet.TYPE_SCROLL_INSENSITIVE, 2)),
                test(
                        "before the first row",
                        ResultSet.class,
                        () -> rows(ResultSet.TYPE_SCROLL_INSENSITIVE, 0)),
                test(
                        "after the last row",
                        ResultSet.class,
                        () -> rows(ResultSet.TYPE_FORWARD_ONLY, 3)),
                test("DatabaseMetaData", DatabaseMetaData.class, () -> connection().getMetaData()),
                test(
                        "ResultSetMetaData",
                        ResultSetMetaData.class,
                        () -> rows(ResultSet.TYPE_FORWARD_ONLY, 0).getMetaData()),
                test(
                        "ParameterMetaData",
                        ParameterMetaData.class,
                        () -> insert().getParameterMetaData()),
                test("Blob", Blob.class, this::blob),
                test("Clob", NClob.class, this::clob),
                test("Array", Array.class, this::array),
                test(
                        "Savepoint",
                        Savepoint.class,
                        () -> {
                            connection().setAutoCommit(false);
                            return connection().setSavepoint();
                        }),
                test("Driver", Driver.class, OrielDriver::new),
                test("DataSource", DataSource.class, () -> new OrielDataSource("jdbc:oriel:mem:")),
                test(
                        "ConnectionBuilder",
                        ConnectionBuilder.class,
                        () -> new OrielDataSource("jdbc:oriel:mem:").createConnectionBuilder()));
    }

    @Test
    void messagesNameTheArgument() throws SQLException {
        Connection c = fresh();
        Expect.error("22023", "The statement is null", () -> c.prepareStatement(null));
        Expect.error("22023", "The type of the elements", () -> c.createArrayOf(null, null));
        Expect.error("22023", "type of results 5", () -> c.createStatement(5, 1007));
        Expect.error("22023", "concurrency of results 5", () -> c.createStatement(1003, 5));
        Expect.error("22023", "The executor is null", () -> c.setNetworkTimeout(null, 1));
        Expect.error("22023", "The class is null", () -> c.isWrapperFor(null));
        try (Statement s = c.createStatement()) {
            String insert = "INSERT INTO al (i) VALUES (1)";
            Expect.error("22023", "no column 0", () -> s.executeUpdate(insert, new int[] {1, 0}));
            Expect.error(
                    "22023",
                    "The name of a column is null",
                    () -> s.executeUpdate(insert, new String[] {null}));
        }
        c.setAutoCommit(false);
        Expect.error("22023", "The savepoint is null", () -> c.rollback(null));
        Expect.error("22023", "The savepoint is null", () -> c.releaseSavepoint(null));
        c.close();
        SQLClientInfoException closed =
                assertThrows(SQLClientInfoException.class, () -> c.setClientInfo("a", "b"));
        assertEquals("08003", closed.getSQLState());
        Driver driver = new OrielDriver();
        SQLException unknown =
                assertThrows(
                        SQLException.class, () -> driver.connect("jdbc:oriel:mem:?foo=1", null));
        assertTrue(String.valueOf(unknown.getMessage()).contains("'foo'; there are durability"));
        SQLException near =
                assertThrows(
                        SQLException.class,
                        () -> driver.connect("jdbc:oriel:mem:?durabilty=sync", null));
        assertTrue(String.valueOf(near.getMessage()).contains("did you mean 'durability'?"));
    }

    @Test
    void anEmptySchemaIsNone() throws SQLException {
        DatabaseMetaData metaData = fresh().getMetaData();
        try (ResultSet none = metaData.getTables(null, "", "%", null);
                ResultSet all = metaData.getTables("", null, "%", null)) {
            assertFalse(none.next());
            assertTrue(all.next());
        }
    }

    @Test
    void cypherIsAnsweredWithGremlin() throws SQLException {
        try (Statement s = fresh().createStatement()) {
            String advice = "graphs are asked in Gremlin";
            Expect.error("42601", advice, () -> s.execute("MATCH (n:P {name: 'x'}) RETURN n"));
            Expect.error("42601", advice, () -> s.execute("CREATE (n:P {name: 'x'})"));
            Expect.error("42601", "\"{\" means nothing", () -> s.execute("SELECT {a: 1}"));
            Expect.error("42601", "no JDBC escape {a", () -> s.execute("SELECT {a 1}"));
        }
    }

    private DynamicTest test(String name, Class<?> type, Source source) {
        return DynamicTest.dynamicTest(name, () -> callAll(type, source));
    }

    private void callAll(Class<?> type, Source source) throws Exception {
        failures.clear();
        problems.clear();
        for (Method method : type.getMethods()) {
            boolean keeps = method.getName().matches("(get|set|update|register).*");
            Object target = source.open();
            for (Object[] arguments : arguments(method)) {
                if (!keeps || isClosed(target)) {
                    release(target);
                    target = source.open();
                }
                call(target, method, arguments);
            }
            release(target);
        }
        assertEquals(List.of(), failures);
    }

    private static boolean isClosed(Object target) throws SQLException {
        return switch (target) {
            case Connection c -> c.isClosed();
            case Statement s -> s.isClosed() || s.getConnection().isClosed();
            case ResultSet r -> r.isClosed();
            case DatabaseMetaData m -> m.getConnection().isClosed();
            default -> false;
        };
    }

    private void release(Object target) throws Exception {
        switch (target) {
            case ResultSet rows when !rows.isClosed() -> rows.getStatement().close();
            case Statement statement -> statement.close();
            default -> {}
        }
    }

    private void call(Object target, Method method, @Nullable Object[] arguments) throws Exception {
        String call = method.getName() + text(arguments);
        try {
            Object result = method.invoke(target, arguments);
            if (result instanceof ResultSet rows && target instanceof DatabaseMetaData) {
                readAll(rows);
            } else if (result instanceof Connection other && !other.equals(connection)) {
                other.close();
            }
        } catch (InvocationTargetException e) {
            String problem = problem(method, arguments, e.getTargetException());
            if (problem != null && problems.add(method.getName() + problem)) {
                failures.add(call + ": " + problem);
            }
        }
    }

    private static void readAll(ResultSet rows) throws SQLException {
        while (rows.next()) {
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                rows.getString(i);
            }
        }
        rows.getStatement().close();
    }

    private static @Nullable String problem(
            Method method, @Nullable Object[] arguments, Throwable e) {
        if (e instanceof SQLException sql) {
            String state = sql.getSQLState();
            String message = String.valueOf(sql.getMessage());
            return state == null
                            || state.startsWith("XX")
                            || message.equals("null")
                            || message.contains("NullPointerException")
                    ? promised(method, message, state + " " + message)
                    : null;
        }
        boolean promised =
                e instanceof NullPointerException
                        && NULL_POINTER.contains(method.getName())
                        && arguments[0] == null;
        return promised ? null : stack(e);
    }

    /// Null if JDBC's own default method throws this; else `problem`.
    private static @Nullable String promised(Method method, String message, String problem) {
        return NULL_POINTER.contains(method.getName()) && "Invalid name".equals(message)
                ? null
                : problem;
    }

    private static String stack(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString().lines().limit(6).toList().toString();
    }

    private static String text(@Nullable Object[] arguments) {
        return Arrays.stream(arguments)
                .map(argument ->
                        argument == null
                                ? "null"
                                : argument instanceof BigDecimal
                                        ? "BigDecimal"
                                        : argument instanceof Object[] array
                                                ? Arrays.toString(array)
                                                : argument.toString())
                .toList()
                .toString();
    }

    /// Each argument in turn takes each odd value, beside usual ones. Two arguments take all pairs.
    private List<@Nullable Object[]> arguments(Method method) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        List<@Nullable Object[]> all = new ArrayList<>();
        if (types.length == 0) {
            all.add(new Object[0]);
            return all;
        }
        List<List<@Nullable Object>> values = new ArrayList<>();
        for (Class<?> type : types) {
            values.add(values(type));
        }
        for (Object first : values.getFirst()) {
            List<@Nullable Object> seconds = types.length == 2 ? values.getLast() : List.of();
            for (Object second : seconds) {
                all.add(new Object[] {first, second});
            }
        }
        Object[] usual = values.stream().map(List::getLast).toArray();
        for (int i = 0; i < types.length && types.length != 2; i++) {
            for (Object odd : values.get(i)) {
                @Nullable Object[] changed = usual.clone();
                changed[i] = odd;
                all.add(changed);
            }
        }
        return all;
    }

    /// Odd values of `type`, a usual one last.
    private List<@Nullable Object> values(Class<?> type) throws Exception {
        if (type == int.class) {
            return ints();
        } else if (type == Object.class) {
            return objects();
        }
        List<@Nullable Object> plain = plain(type);
        return plain == null ? others(type) : plain;
    }

    private static List<@Nullable Object> ints() {
        List<@Nullable Object> ints = new ArrayList<>(List.of(Integer.MIN_VALUE, -1, 0));
        for (int i = 2; i <= COLUMNS + 1; i++) {
            ints.add(i);
        }
        ints.addAll(List.of(Types.DATE, Types.STRUCT, 1003, 1004, 1005, 1007, 1008));
        ints.addAll(List.of(Integer.MAX_VALUE, 1));
        return ints;
    }

    private static @Nullable List<@Nullable Object> plain(Class<?> type) {
        return switch (type.getName()) {
            case "boolean" -> List.of(true, false);
            case "byte" -> List.of(Byte.MIN_VALUE, (byte) 1);
            case "short" -> List.of(Short.MIN_VALUE, (short) 1);
            case "long" -> List.of(Long.MIN_VALUE, -1L, 0L, 2L, Long.MAX_VALUE, 1L);
            case "float" -> List.of(Float.NaN, Float.MAX_VALUE, 1F);
            case "double" -> List.of(Double.NaN, Double.NEGATIVE_INFINITY, 1e300, 1.5);
            case "java.lang.String" ->
                    Arrays.asList(
                            null,
                            "",
                            "\0",
                            "'",
                            "\"",
                            "{",
                            "{? = call",
                            "\\",
                            "\ud800",
                            "1e999999999",
                            "SELECT 1; SELECT",
                            "SELECT ?",
                            "jdbc:oriel:mem:?odd=1",
                            "public",
                            "INTEGER",
                            "%",
                            "i",
                            "SELECT 1");
            case "java.math.BigDecimal" ->
                    Arrays.asList(
                            null,
                            new BigDecimal("1E+2000000000"),
                            new BigDecimal("1E-2000000000"),
                            BigDecimal.ONE);
            case "java.lang.Class" ->
                    Arrays.asList(
                            null,
                            int.class,
                            void.class,
                            int[].class,
                            String[][].class,
                            Map.class,
                            LocalDate.class,
                            Instant.class,
                            Blob.class,
                            Connection.class,
                            String.class);
            case "java.util.Map" -> Arrays.asList(null, Map.of("a", String.class), new HashMap<>());
            default -> null;
        };
    }

    private List<@Nullable Object> others(Class<?> type) throws Exception {
        if (type.isArray()) {
            return arrays(type);
        } else if (type == Calendar.class) {
            return Arrays.asList(null, new GregorianCalendar(-5000, 1, 1), Calendar.getInstance());
        } else if (type == Executor.class) {
            Executor direct = Runnable::run;
            return Arrays.asList(null, direct);
        } else if (type == SQLType.class) {
            return Arrays.asList(null, new Numberless(), JDBCType.STRUCT, JDBCType.INTEGER);
        } else if (type == Properties.class) {
            Properties odd = new Properties();
            odd.put(1, new Object());
            return Arrays.asList(null, odd, new Properties());
        } else if (type == PrintWriter.class) {
            return Arrays.asList(null, new PrintWriter(new StringWriter()));
        }
        return objects().stream().filter(o -> o == null || type.isInstance(o)).toList();
    }

    private static List<@Nullable Object> arrays(Class<?> type) {
        return switch (type.getComponentType().getName()) {
            case "int" ->
                    Arrays.asList(null, new int[] {}, new int[] {0}, new int[] {9}, new int[] {1});
            case "byte" -> Arrays.asList(null, new byte[] {}, new byte[] {1, 2});
            case "java.lang.String" ->
                    Arrays.asList(
                            null,
                            new String[] {},
                            new String[] {null},
                            new String[] {"zz"},
                            new String[] {"i"});
            default ->
                    Arrays.asList(
                            null,
                            new Object[] {new Object()},
                            new Object[] {new Object[] {null, 1}},
                            new Object[] {null, 1, "x"},
                            new Object[] {1});
        };
    }

    @SuppressWarnings("JavaUtilDate") // callers use it
    private List<@Nullable Object> objects() throws Exception {
        Array freed = array();
        freed.free();
        Blob freedBlob = blob();
        freedBlob.free();
        Clob freedClob = clob();
        freedClob.free();
        return Arrays.asList(
                null,
                new Object(),
                "",
                "\0",
                "\ud800",
                '\ud800',
                1 << 20,
                1L << 40,
                Double.NaN,
                1e300,
                new BigDecimal("1E+2000000000"),
                new BigDecimal("1E-2000000000"),
                BigInteger.TWO.pow(200),
                new byte[] {1},
                List.of(),
                Arrays.asList(1, null),
                Map.of(),
                new int[] {1},
                new int[][] {{1}, {}},
                new Object[] {null, new Object()},
                LocalDate.MAX,
                LocalDate.MIN,
                LocalTime.MAX,
                LocalDateTime.MIN,
                OffsetDateTime.MAX,
                OffsetDateTime.MIN,
                ZonedDateTime.now(java.time.ZoneOffset.UTC),
                Instant.MAX,
                Instant.MIN,
                Duration.ofSeconds(Long.MAX_VALUE),
                Period.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 1),
                new Date(Long.MAX_VALUE),
                new Date(0),
                new Time(Long.MIN_VALUE),
                new Time(0),
                new Timestamp(Long.MIN_VALUE),
                new Timestamp(Long.MAX_VALUE),
                new Timestamp(0),
                new java.util.Date(Long.MAX_VALUE),
                new GregorianCalendar(-5000, 1, 1),
                UUID.randomUUID(),
                JDBCType.ARRAY,
                freed,
                array(),
                freedBlob,
                blob(),
                freedClob,
                clob(),
                new Broken(),
                new ByteArrayInputStream(new byte[] {1, 2}),
                new BrokenReader(),
                new StringReader("ab"),
                new ForeignSavepoint(),
                "x");
    }

    private static final class Broken extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("broken");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            throw new IOException("broken");
        }
    }

    private static final class BrokenReader extends Reader {
        @Override
        public int read(char[] into, int offset, int length) throws IOException {
            throw new IOException("broken");
        }

        @Override
        public void close() {}
    }

    private static final class ForeignSavepoint implements Savepoint {
        @Override
        public int getSavepointId() {
            return 1;
        }

        @Override
        public String getSavepointName() {
            return "jdbc_1";
        }
    }

    private static final class Numberless implements SQLType {
        @Override
        public String getName() {
            return "odd";
        }

        @Override
        public String getVendor() {
            return "odd";
        }

        @Override
        public @Nullable Integer getVendorTypeNumber() {
            return null;
        }
    }
}
