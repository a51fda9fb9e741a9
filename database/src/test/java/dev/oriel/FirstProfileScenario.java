package dev.oriel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// The first profile of a statement in a JVM, for [FirstProfileTest]. The statement has run before. The argument is the
/// number of frames to call it from.
final class FirstProfileScenario {
    private static final String QUERY =
            "SELECT b, count(*) FROM t WHERE a > 10 GROUP BY b ORDER BY 2 DESC LIMIT 5";

    private FirstProfileScenario() {}

    /// Loaded when the profile begins.
    static final class Begin {
        private Begin() {}

        static void load() {}
    }

    /// Loaded when it has ended.
    static final class End {
        private End() {}

        static void load() {}
    }

    public static void main(String[] args) throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)");
            statement.execute(
                    "INSERT INTO t SELECT i, i % 100 FROM GENERATE_SERIES(1, 50000) AS g(i)");
            answer(statement, QUERY);
            answer(statement, "EXPLAIN (ANALYZE, FORMAT JSON) " + QUERY);
            Begin.load();
            String profiled =
                    from(
                            Integer.parseInt(args[0]),
                            statement,
                            "EXPLAIN (ANALYZE, PROFILE, FORMAT JSON) " + QUERY);
            End.load();
            System.out.println(profiled);
        }
    }

    private static String from(int frames, Statement statement, String sql) throws SQLException {
        return frames > 0 ? from(frames - 1, statement, sql) : answer(statement, sql);
    }

    private static String answer(Statement statement, String sql) throws SQLException {
        StringBuilder lines = new StringBuilder();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                lines.append(rows.getString(1)).append('\n');
            }
        }
        return lines.toString();
    }
}
