package dev.oriel.conformance.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Answers to [Statements] beside PostgreSQL 15, which `scripts/differential` starts. Each difference has a reason in
/// `statements.txt`, or fails the test. `-Drandom.statements=` says how many there are.
class StatementsTest {
    private static final int STATEMENTS = Integer.getInteger("random.statements", 2_000);
    private static final double NEAR = 4e-15;
    private static final String REFUSED = "\0";
    private static final Pattern BEFORE_CHRIST =
            Pattern.compile("(\\d{4})(-\\d\\d-\\d\\d(?: [\\d:.]+(?:\\+\\d\\d)?)?) BC");

    private final Map<String, Integer> explained = new TreeMap<>();
    private final List<String> unexplained = new ArrayList<>();

    @Test
    void answersAreThoseOfPostgreSql() throws SQLException, IOException {
        String url = Peers.postgresUrl();
        assumeTrue(url != null, "PostgreSQL, which scripts/differential starts");
        Statements statements = new Statements(Seed.of("StatementsTest", 20_261_130));
        int refused = 0;
        try (Connection theirs = DriverManager.getConnection(url + "&preferQueryMode=simple");
                Connection ours = DriverManager.getConnection("jdbc:oriel:mem:")) {
            answer(theirs, "SET TIME ZONE 'UTC'");
            answer(ours, "SET TIME ZONE 'UTC'");
            for (int i = 0; i < STATEMENTS; i++) {
                String statement = statements.next();
                String expected = answer(theirs, statement);
                String actual = answer(ours, statement);
                refused += expected.startsWith(REFUSED) && actual.startsWith(REFUSED) ? 1 : 0;
                compare(statements, statement, expected, actual);
            }
        }
        System.out.printf(
                "StatementsTest: %d statements of %d forms, both refuse %d, explained differences:"
                        + " %s%n",
                STATEMENTS, statements.forms(), refused, explained);
        assertEquals(List.of(), unexplained, () -> String.join("\n\n", unexplained));
    }

    private void compare(Statements all, String statement, String expected, String actual) {
        boolean theyRefuse = expected.startsWith(REFUSED);
        boolean weRefuse = actual.startsWith(REFUSED);
        if (expected.equals(actual) || (theyRefuse && weRefuse && !actual.contains("XX000"))) {
            return;
        }
        char kind =
                theyRefuse
                        ? '<'
                        : weRefuse
                                ? '>'
                                : plain(expected).equals(plain(actual))
                                        ? '='
                                        : areNear(expected, actual) ? '~' : '!';
        String reason = all.reason(statement, kind);
        if (reason == null) {
            unexplained.add(statement + "\n  PostgreSQL: " + expected + "\n  Oriel: " + actual);
        } else {
            explained.merge(reason, 1, Integer::sum);
        }
    }

    /// The rows of `sql` as text, or how it was refused.
    private static String answer(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(20);
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                StringBuilder out = new StringBuilder();
                while (rows.next()) {
                    out.append(out.isEmpty() ? "" : "\n").append(value(rows));
                }
                return inIso(out.toString());
            }
        } catch (SQLException e) {
            return REFUSED + e.getSQLState() + " " + e.getMessage();
        }
    }

    private static String value(ResultSet rows) throws SQLException {
        int type = rows.getMetaData().getColumnType(1);
        boolean truth =
                type == Types.BOOLEAN || rows.getMetaData().getColumnTypeName(1).equals("bool");
        return truth ? String.valueOf(rows.getObject(1)) : String.valueOf(rows.getString(1));
    }

    /// `text` with years before the first as ISO 8601 has them, which is the only difference of theirs.
    private static String inIso(String text) {
        Matcher before = BEFORE_CHRIST.matcher(text);
        return before.replaceAll(found -> {
            int year = 1 - Integer.parseInt(found.group(1));
            return "%s%04d%s".formatted(year < 0 ? "-" : "", -year, found.group(2));
        });
    }

    /// `answer` without blanks, and without zeros at the end of decimals.
    private static String plain(String answer) {
        return answer.replaceAll("\\s", "")
                .replaceAll("(\\.\\d*?)0+(?!\\d)", "$1")
                .replaceAll("\\.(?!\\d)", "");
    }

    private static boolean areNear(String a, String b) {
        try {
            double first = Double.parseDouble(a);
            double second = Double.parseDouble(b);
            return Math.abs(first - second) <= NEAR * Math.abs(first);
        } catch (NumberFormatException other) {
            return false;
        }
    }
}
