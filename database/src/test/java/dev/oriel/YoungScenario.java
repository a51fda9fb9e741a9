package dev.oriel;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// What a test suite or a small program does with a database in the first second of its JVM: a schema of 30
/// tables, 20 rows each, 150 queries, everything dropped. Does it twice, and prints how many bytes the caller's
/// thread allocated the second time, when all classes were loaded, and what the queries gave.
final class YoungScenario {
    private static final int TABLES = 30;
    private static final int ROWS = 20;
    private static final int QUERIES = 150;

    private YoungScenario() {}

    public static void main(String[] arguments) throws SQLException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Connection connection = DriverManager.getConnection(arguments[0]);
                Statement statement = connection.createStatement()) {
            long sum = work(connection, statement);
            sum += SecondTime.work(threads, connection, statement);
            System.out.println("sum=" + sum);
        }
    }

    /// Its name among the loaded classes tells where the first time ends.
    static final class SecondTime {
        private SecondTime() {}

        private static long work(
                com.sun.management.ThreadMXBean threads, Connection connection, Statement statement)
                throws SQLException {
            long before = threads.getCurrentThreadAllocatedBytes();
            long sum = YoungScenario.work(connection, statement);
            System.out.println("bytes=" + (threads.getCurrentThreadAllocatedBytes() - before));
            return sum;
        }
    }

    private static long work(Connection connection, Statement statement) throws SQLException {
        create(statement);
        fill(connection);
        long sum = query(statement);
        for (int i = TABLES - 1; i >= 0; i--) {
            statement.execute("DROP TABLE t" + i);
        }
        return sum;
    }

    private static void create(Statement statement) throws SQLException {
        for (int i = 0; i < TABLES; i++) {
            String parent = i == 0 ? "" : ", FOREIGN KEY (parent) REFERENCES t" + (i - 1) + " (id)";
            statement.execute(
                    "CREATE TABLE t"
                            + i
                            + " (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL,"
                            + " price DECIMAL(10, 2), made DATE, parent INTEGER"
                            + parent
                            + ")");
            statement.execute("CREATE INDEX t" + i + "_name ON t" + i + " (name)");
        }
    }

    private static void fill(Connection connection) throws SQLException {
        for (int i = 0; i < TABLES; i++) {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO t" + i + " VALUES (?, ?, ?, ?, ?)")) {
                for (int k = 0; k < ROWS; k++) {
                    insert.setInt(1, k);
                    insert.setString(2, "name" + k);
                    insert.setBigDecimal(3, new BigDecimal(k + ".50"));
                    insert.setDate(4, Date.valueOf("2024-01-0" + (1 + k % 9)));
                    insert.setInt(5, k);
                    insert.executeUpdate();
                }
            }
        }
    }

    private static long query(Statement statement) throws SQLException {
        long sum = 0;
        for (int q = 0; q < QUERIES; q++) {
            try (ResultSet rows = statement.executeQuery(text(q))) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int k = 1; k <= columns; k++) {
                        String value = rows.getString(k);
                        sum += value == null ? 1 : value.hashCode();
                    }
                }
            }
        }
        return sum;
    }

    private static String text(int q) {
        String a = "t" + q % TABLES;
        String b = "t" + (q + 1) % TABLES;
        return switch (q % 10) {
            case 0 -> "SELECT * FROM " + a + " WHERE id = " + q % 20;
            case 1 ->
                    "SELECT name, price FROM " + a + " WHERE name > 'name3' ORDER BY name LIMIT 3";
            case 2 -> "SELECT COUNT(*), SUM(price) FROM " + a + " WHERE price > " + q % 7;
            case 3 ->
                    "SELECT a.name, b.price FROM "
                            + (a + " a JOIN " + b + " b ON a.id = b.parent WHERE a.id < " + q % 9);
            case 4 ->
                    "SELECT made, COUNT(*) FROM "
                            + (a + " GROUP BY made HAVING COUNT(*) > 1 ORDER BY made");
            case 5 ->
                    "SELECT name FROM "
                            + (a + " WHERE id IN (SELECT parent FROM " + b + " WHERE price < 5)");
            case 6 -> "SELECT UPPER(name), price * 2 FROM " + a + " WHERE name LIKE 'name1%'";
            case 7 -> "SELECT MAX(id), MIN(name), AVG(price) FROM " + a;
            case 8 ->
                    "SELECT a.id FROM "
                            + (a
                                    + " a LEFT JOIN "
                                    + b
                                    + " b ON a.id = b.id + 1 WHERE b.id IS NULL");
            default ->
                    "SELECT CASE WHEN price > 5 THEN 'dear' ELSE 'cheap' END, COALESCE(parent, 0)"
                            + (" FROM " + a + " ORDER BY id DESC");
        };
    }
}
