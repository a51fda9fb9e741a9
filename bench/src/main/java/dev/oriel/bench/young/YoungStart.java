package dev.oriel.bench.young;

import dev.oriel.bench.measure.ChildJvm;
import dev.oriel.bench.sql.Ending;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/// The main class of the JVM that [YoungWorkload] starts. It uses a database as a test suite or a small program
/// does, and reports the time since the start at the end of each step. It loads few other classes.
///
/// Arguments: the work, `schema`, `inserts` or `databases`; how a database is ended; its statement that makes
/// an index; its words for `LIMIT 3`; then a URL for each database.
public final class YoungStart {
    /// Number of figures in its line before the steps: a checksum, the classes loaded, nanoseconds of all threads.
    static final int FIGURES = 3;

    private static final int TABLES = 30;
    private static final int ROWS = 20;
    private static final int QUERIES = 150;
    private static final int INSERTS = 5_000;
    private static final int URLS = 4;

    private final Ending ending;
    private final String createIndex;
    private final String limit;
    private final long[] steps = new long[16];
    private int done;
    private long sum;

    private YoungStart(String[] args) {
        this.ending = Ending.valueOf(args[1]);
        this.createIndex = args[2];
        this.limit = args[3];
    }

    public static void main(String[] args) throws SQLException {
        YoungStart start = new YoungStart(args);
        for (String url : Arrays.copyOfRange(args, URLS, args.length)) {
            Connection connection = DriverManager.getConnection(url);
            switch (args[0]) {
                case "schema" -> start.schema(connection);
                case "inserts" -> start.inserts(connection);
                default -> start.database(connection);
            }
        }
        if (start.done == 0) {
            start.step();
        }
        start.say();
    }

    private void say() {
        long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
        long processor =
                ManagementFactory.getOperatingSystemMXBean()
                                instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getProcessCpuTime()
                        : 0;
        StringBuilder line = new StringBuilder(ChildJvm.MARK);
        line.append(sum).append(' ').append(classes).append(' ').append(processor);
        long now = System.nanoTime();
        for (int i = 0; i < done; i++) {
            line.append(' ').append(now - steps[i]);
        }
        System.out.println(line);
    }

    private void step() {
        steps[done++] = System.nanoTime();
    }

    /// Tables with keys, indexes and rows; queries; everything dropped. Each step of the first database is
    /// reported, of others the last.
    private void schema(Connection connection) throws SQLException {
        boolean first = done == 0;
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < TABLES; i++) {
                statement.execute(definition(i));
                statement.execute(index(i));
            }
            if (first) {
                step();
            }
            for (int i = 0; i < TABLES; i++) {
                fill(connection, "t" + i, ROWS);
            }
            if (first) {
                step();
            }
            for (int i = 0; i < QUERIES; i++) {
                read(statement, query(i));
            }
            if (first) {
                step();
            }
            for (int i = TABLES - 1; i >= 0; i--) {
                statement.execute("DROP TABLE t" + i);
            }
        }
        ending.end(connection);
        step();
    }

    /// Many rows in one transaction.
    private void inserts(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(definition(0));
        }
        connection.setAutoCommit(false);
        fill(connection, "t0", INSERTS);
        connection.commit();
        step();
        connection.setAutoCommit(true);
        ending.end(connection);
    }

    /// The work of one test of many.
    private void database(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(definition(0));
            statement.execute(definition(1));
            statement.execute(index(1));
            fill(connection, "t0", 5);
            fill(connection, "t1", 5);
            read(statement, query(0));
            read(statement, "SELECT a.name FROM t1 a JOIN t0 b ON a.parent = b.id WHERE b.id > 2");
        }
        ending.end(connection);
    }

    private static String definition(int table) {
        String parent =
                table == 0 ? "" : ", FOREIGN KEY (parent) REFERENCES t" + (table - 1) + " (id)";
        return "CREATE TABLE t"
                + table
                + " (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL,"
                + " price DECIMAL(10, 2), made DATE, parent INTEGER"
                + parent
                + ")";
    }

    private String index(int table) {
        return createIndex
                .replace("{index}", "t" + table + "_name")
                .replace("{table}", "t" + table)
                .replace("{column}", "name");
    }

    private static void fill(Connection connection, String table, int rows) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?)")) {
            for (int i = 0; i < rows; i++) {
                insert.setInt(1, i);
                insert.setString(2, "name" + i);
                insert.setBigDecimal(3, BigDecimal.valueOf(100L * i + 50, 2));
                insert.setString(4, "2024-01-0" + (1 + i % 9));
                insert.setInt(5, i);
                insert.executeUpdate();
            }
        }
    }

    private String query(int number) {
        String a = "t" + number % TABLES;
        String b = "t" + (number + 1) % TABLES;
        int n = number % 7;
        return switch (number % 10) {
            case 0 -> "SELECT * FROM " + a + " WHERE id = " + n;
            case 1 ->
                    "SELECT name, price FROM "
                            + a
                            + " WHERE name > 'name"
                            + n
                            + "' ORDER BY name "
                            + limit;
            case 2 -> "SELECT COUNT(*), SUM(price) FROM " + a + " WHERE price > " + n;
            case 3 ->
                    "SELECT a.name, b.price FROM "
                            + a
                            + " a JOIN "
                            + b
                            + " b ON a.id = b.parent WHERE a.id < "
                            + n;
            case 4 -> "SELECT made, COUNT(*) FROM " + a + " GROUP BY made HAVING COUNT(*) > 2";
            case 5 ->
                    "SELECT name FROM "
                            + a
                            + " WHERE id IN (SELECT parent FROM "
                            + b
                            + " WHERE price < "
                            + n
                            + ")";
            case 6 ->
                    "SELECT UPPER(name), price * 2 FROM "
                            + a
                            + " WHERE name LIKE 'name1%' AND price BETWEEN 1 AND "
                            + (9 + n);
            case 7 -> "SELECT MAX(id), MIN(name), AVG(price) FROM " + a;
            case 8 ->
                    "SELECT a.id FROM "
                            + a
                            + " a LEFT JOIN "
                            + b
                            + " b ON a.id = b.id + 1 WHERE b.id IS NULL";
            default ->
                    "SELECT CASE WHEN price > 5 THEN 'dear' ELSE 'cheap' END, COALESCE(parent, 0)"
                            + " FROM "
                            + a
                            + " ORDER BY id DESC";
        };
    }

    /// Sums up the rows, in any order: numbers in hundredths, texts without blanks at their end.
    private void read(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                long row = 1;
                for (int i = 1; i <= columns; i++) {
                    Object value = rows.getObject(i);
                    long own =
                            value instanceof Number number
                                    ? Math.round(number.doubleValue() * 100)
                                    : String.valueOf(value).stripTrailing().hashCode();
                    row = row * 31 + own;
                }
                sum += row;
            }
        }
    }
}
