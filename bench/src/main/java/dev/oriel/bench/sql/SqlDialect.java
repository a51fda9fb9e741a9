package dev.oriel.bench.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Differences of a product's SQL from that of the workloads, which is the standard's and `LIMIT`: only words
/// change, never the question.
public enum SqlDialect {
    /// The standard: texts are taken unchanged.
    STANDARD,
    /// Has functions in place of `DATE '...'`, `EXTRACT` and `SUBSTRING`, and no `LIMIT` and `WITH`.
    DERBY {
        @Override
        String date(LocalDate date) {
            return "DATE('" + date + "')";
        }

        // According to its documents the scale of a quotient of decimals is the rest of 31 digits,
        // and 4 for
        // averages.
        @Override
        public boolean cutsQuotients() {
            return true;
        }

        @Override
        String words(String sql) {
            return LIMIT.matcher(SUBSTRING.matcher(sql).replaceAll("SUBSTR($1, $2, $3)"))
                    .replaceAll("FETCH FIRST $1 ROWS ONLY")
                    .replaceAll(YEAR, "YEAR($1)");
        }
    },
    /// Keeps dates as texts, and numbers with a fraction as floating-point numbers.
    SQLITE {
        @Override
        String date(LocalDate date) {
            return "'" + date + "'";
        }

        @Override
        String words(String sql) {
            return SUBSTRING
                    .matcher(sql)
                    .replaceAll("SUBSTR($1, $2, $3)")
                    .replaceAll(YEAR, "CAST(STRFTIME('%Y', $1) AS INTEGER)");
        }

        @Override
        public boolean keepsDecimals() {
            return false;
        }

        // Writing transactions wait for their turn at the beginning. By `setAutoCommit` the driver
        // would begin the
        // next one with each commit, and block other writers until it is used.
        @Override
        public void beginWriting(Connection connection) throws SQLException {
            execute(connection, "BEGIN IMMEDIATE");
        }

        @Override
        public void commit(Connection connection) throws SQLException {
            execute(connection, "COMMIT");
        }

        @Override
        public void rollback(Connection connection) throws SQLException {
            execute(connection, "ROLLBACK");
        }

        // SQLite's driver gives no SQLSTATE: 5 is SQLITE_BUSY, 6 SQLITE_LOCKED.
        @Override
        public boolean isConflict(SQLException failure) {
            int code = failure.getErrorCode() & 0xFF;
            return code == 5 || code == 6;
        }
    },
    /// Reports a conflict with another transaction only in the text of the message.
    DUCKDB {
        @Override
        public boolean losesStatements() {
            return true;
        }

        @Override
        public boolean isConflict(SQLException failure) {
            String message = failure.getMessage();
            return message != null && message.toLowerCase(Locale.ROOT).contains("conflict");
        }
    };

    private static final Pattern DATE =
            Pattern.compile(
                    "DATE '(\\d+-\\d+-\\d+)'(?: ([+-]) INTERVAL '(\\d+) (day|month|year)s?')?");
    private static final Pattern SUBSTRING =
            Pattern.compile("SUBSTRING\\((\\w+) FROM (\\d+) FOR (\\d+)\\)");
    private static final Pattern LIMIT = Pattern.compile("LIMIT (\\d+)");
    private static final String YEAR = "EXTRACT\\(YEAR FROM (\\w+)\\)";

    /// A date as a constant.
    String date(LocalDate date) {
        return "DATE '" + date + "'";
    }

    /// `sql` in the words of the product; its dates have been translated already.
    String words(String sql) {
        return sql;
    }

    /// Whether decimals are stored as decimals, and dates as dates.
    public boolean keepsDecimals() {
        return true;
    }

    /// Whether quotients and averages of decimals are cut so early that two digits of them may be wrong.
    public boolean cutsQuotients() {
        return false;
    }

    /// Begins a writing transaction.
    public void beginWriting(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            connection.setAutoCommit(false);
        }
    }

    /// Commits a transaction.
    public void commit(Connection connection) throws SQLException {
        connection.commit();
    }

    /// Rolls a transaction back.
    public void rollback(Connection connection) throws SQLException {
        connection.rollback();
    }

    /// Whether prepared statements become unusable after one has failed.
    public boolean losesStatements() {
        return false;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// Whether a transaction has failed because of another one, and is to be run again.
    public boolean isConflict(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith("40");
    }

    /// `sql` for the product. Sums of a date and an interval are computed, for all alike.
    public final String translate(String sql) {
        return words(DATE.matcher(sql).replaceAll(this::computed));
    }

    private String computed(MatchResult match) {
        LocalDate date = LocalDate.parse(match.group(1));
        if (match.group(2) != null) {
            int sign = match.group(2).equals("-") ? -1 : 1;
            long count = sign * Long.parseLong(match.group(3));
            date =
                    switch (match.group(4)) {
                        case "day" -> date.plusDays(count);
                        case "month" -> date.plusMonths(count);
                        default -> date.plusYears(count);
                    };
        }
        return date(date);
    }
}
