package dev.oriel.conformance.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.conformance.random.TriggerBodies.Pair;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random schemas with triggers, procedures and functions beside PostgreSQL 15, which `scripts/differential` starts.
/// After each statement its count or rows, all tables and the order of the triggers are compared. A difference has a
/// reason in [#reason], or fails the test. `-Drandom.triggers=` says how many statements there are.
class TriggersBesideTest {
    private static final int STATEMENTS = Integer.getInteger("random.triggers", 4_000);
    private static final int STATEMENTS_EACH = 30;
    private static final int FAILURES_MAX = Integer.getInteger("random.failures", 20);

    private final Map<String, Integer> explained = new TreeMap<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private final List<String> unexplained = new ArrayList<>();
    private int statements;
    private int schemas;

    /// The outcome of a statement.
    ///
    /// @param error null if it succeeded
    /// @param answer its rows or its count
    /// @param log what triggers wrote
    private record Outcome(
            @Nullable String error, String answer, List<String> log, Map<String, String> tables) {}

    @Test
    void triggersDoWhatThoseOfPostgreSqlDo() throws SQLException {
        String url = Peers.postgresUrl();
        assumeTrue(url != null, "PostgreSQL, which scripts/differential starts");
        SplittableRandom seeds = Seed.of("TriggersBesideTest", 20_261_130);
        while (statements < STATEMENTS && unexplained.size() < FAILURES_MAX) {
            long seed = Long.getLong("random.trigger.case", seeds.nextLong());
            try (Connection theirs = DriverManager.getConnection(url + "&preferQueryMode=simple");
                    Connection ours = DriverManager.getConnection("jdbc:oriel:mem:")) {
                run(seed, ours, theirs);
            }
            if (Long.getLong("random.trigger.case") != null) {
                break;
            }
        }
        System.out.printf(
                "TriggersBesideTest: %d statements in %d schemas, both refuse: %s, explained"
                        + " differences: %s%n",
                statements, schemas, refusals, explained);
        assertEquals(List.of(), unexplained, () -> String.join("\n\n", unexplained));
    }

    private void run(long seed, Connection ours, Connection theirs) throws SQLException {
        schemas++;
        Gen gen = new Gen(new SplittableRandom(seed));
        TriggerCase made = new TriggerCase(gen);
        prepare(theirs);
        List<String> history = new ArrayList<>();
        for (Pair each : made.schema()) {
            history.add(each.ours());
            define(ours, each.ours(), seed);
            define(theirs, each.theirs(), seed);
        }
        execute(ours, "DELETE FROM log");
        execute(theirs, "DELETE FROM log");
        for (int i = 0; i < STATEMENTS_EACH; i++) {
            Pair statement = made.next();
            statements++;
            history.add(statement.ours());
            Outcome expected = outcome(theirs, statement.theirs(), made.tables());
            Outcome actual = outcome(ours, statement.ours(), made.tables());
            if (expected.error != null && actual.error != null) {
                String states = states(actual) + "/" + states(expected);
                refusals.merge(states, 1, Integer::sum);
            }
            String difference = difference(expected, actual);
            if (difference == null) {
                continue;
            }
            String reason = reason(statement.ours(), expected, actual);
            if (reason != null) {
                explained.merge(reason, 1, Integer::sum);
            } else {
                unexplained.add(
                        "-Drandom.trigger.case="
                                + seed
                                + "\n"
                                + String.join(";\n", history)
                                + "\n"
                                + difference);
            }
            return; // the tables are no longer the same
        }
    }

    private static String states(Outcome outcome) {
        return String.valueOf(outcome.error).substring(0, 5);
    }

    private static void prepare(Connection theirs) throws SQLException {
        for (String statement :
                List.of(
                        "DROP SCHEMA IF EXISTS beside CASCADE",
                        "CREATE SCHEMA beside",
                        "SET search_path = beside",
                        "SET client_min_messages = error",
                        "SET enable_seqscan = off",
                        "SET enable_bitmapscan = off",
                        "SET enable_hashjoin = off",
                        "SET enable_mergejoin = off")) {
            execute(theirs, statement);
        }
    }

    private static void define(Connection connection, String statement, long seed) {
        try {
            execute(connection, statement);
        } catch (SQLException refused) {
            fail("-Drandom.trigger.case=" + seed + "\n" + statement, refused);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Outcome outcome(Connection connection, String sql, List<String> tables)
            throws SQLException {
        String error = null;
        String answer = "";
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(20);
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    List<String> all = rows(rows);
                    all.sort(null);
                    answer = all.toString();
                }
            } else {
                answer = String.valueOf(Math.max(0, statement.getUpdateCount()));
            }
        } catch (SQLException refused) {
            error = refused.getSQLState() + " " + refused.getMessage();
        }
        Map<String, String> state = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            for (String table : tables) {
                try (ResultSet rows =
                        statement.executeQuery("SELECT * FROM " + table + " ORDER BY 1")) {
                    state.put(table, rows(rows).toString());
                }
            }
            List<String> log;
            try (ResultSet rows = statement.executeQuery("SELECT what FROM log ORDER BY n")) {
                log = rows(rows);
            }
            statement.execute("DELETE FROM log");
            return new Outcome(error, answer, log, state);
        }
    }

    private static List<String> rows(ResultSet rows) throws SQLException {
        List<String> all = new ArrayList<>();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                row.append(i == 1 ? "" : "|").append(rows.getString(i));
            }
            all.add(row.toString());
        }
        return all;
    }

    private static @Nullable String difference(Outcome expected, Outcome actual) {
        StringBuilder out = new StringBuilder();
        if ((expected.error == null) != (actual.error == null)
                || String.valueOf(actual.error).startsWith("XX000")) {
            out.append("error: ").append(expected.error).append("\n  ours: ").append(actual.error);
        }
        if (!expected.answer.equals(actual.answer)) {
            out.append("\nanswer: ").append(expected.answer);
            out.append("\n  ours: ").append(actual.answer);
        }
        for (Map.Entry<String, String> table : expected.tables.entrySet()) {
            String own = actual.tables.get(table.getKey());
            if (!table.getValue().equals(own)) {
                out.append("\ntable ").append(table.getKey()).append(": ").append(table.getValue());
                out.append("\n   ours: ").append(own);
            }
        }
        if (!expected.log.equals(actual.log)) {
            out.append("\nlog: ").append(expected.log).append("\n  ours: ").append(actual.log);
        }
        return out.isEmpty() ? null : out.toString();
    }

    /// The reason of a difference; null if there is none.
    private static @Nullable String reason(String statement, Outcome theirs, Outcome ours) {
        if (ours.error != null && ours.error.contains("wait for keys")) {
            return "a query before a row would miss rows that wait for keys";
        } else if (statement.startsWith("WITH") && ours.error == null && isMidway(theirs)) {
            return "a trigger of one change of WITH meets a row that PostgreSQL is changing by the"
                    + " other";
        } else if (theirs.error != null || ours.error != null) {
            return null;
        }
        boolean same =
                theirs.answer.equals(ours.answer)
                        && theirs.tables.equals(ours.tables)
                        && sorted(theirs.log).equals(sorted(ours.log));
        if (statement.startsWith("WITH")) {
            return same
                    ? "the changes of WITH run one after the other, in PostgreSQL interleaved"
                    : null;
        }
        boolean joins = statement.contains(" USING ") || statement.contains(" FROM ");
        return joins && sorted(theirs.log).equals(sorted(ours.log))
                ? "the rows of a join come in another order"
                : null;
    }

    /// Whether a row was changed by a trigger while its statement was changing it.
    private static boolean isMidway(Outcome outcome) {
        return outcome.error != null && outcome.error.startsWith("27000");
    }

    private static List<String> sorted(List<String> lines) {
        return lines.stream().sorted().toList();
    }
}
