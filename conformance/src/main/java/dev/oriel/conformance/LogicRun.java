package dev.oriel.conformance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs a script on a connection to an empty database, and counts the results.
final class LogicRun {
    private final String name;
    private final Connection connection;
    private final LogicSummary summary;
    private final Map<String, List<String>> labelled = new HashMap<>();

    LogicRun(String name, Connection connection, LogicSummary summary) {
        this.name = name;
        this.connection = connection;
        this.summary = summary;
    }

    /// Runs all of `script`.
    void run(LogicScript script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            LogicRecord record = script.next();
            while (record != null) {
                switch (record) {
                    case LogicRecord.Change change -> change(statement, change);
                    case LogicRecord.Query query -> query(statement, query);
                }
                record = script.next();
            }
        }
        summary.skipped(script.skipped());
    }

    private void change(Statement statement, LogicRecord.Change change) {
        try {
            statement.execute(change.sql());
            if (change.succeeds()) {
                summary.passed();
            } else {
                failed(change.line(), change.sql(), "Accepted what is an error");
            }
        } catch (SQLException refused) {
            if (change.succeeds()) {
                failed(change.line(), change.sql(), message(refused));
            } else {
                summary.passed();
            }
        } catch (RuntimeException | Error broken) {
            failed(change.line(), change.sql(), "Broke: " + broken);
        }
    }

    private void query(Statement statement, LogicRecord.Query query) {
        try (ResultSet result = statement.executeQuery(query.sql())) {
            List<String> values = LogicAnswer.of(result, query.types()).values(query.sort());
            if (!LogicAnswer.matches(values, query.expected())) {
                failed(
                        query.line(),
                        query.sql(),
                        "Wrong answer",
                        " expected " + query.expected() + " found " + brief(values));
                return;
            }
            if (!query.label().isEmpty()) {
                List<String> before = labelled.putIfAbsent(query.label(), values);
                if (before != null && !before.equals(values)) {
                    failed(query.line(), query.sql(), "Another answer than under its label before");
                    return;
                }
            }
            summary.passed();
        } catch (SQLException refused) {
            failed(query.line(), query.sql(), message(refused));
        } catch (RuntimeException | Error broken) {
            failed(query.line(), query.sql(), "Broke: " + broken);
        }
    }

    private static String brief(List<String> values) {
        return values.size() > 20
                ? LogicAnswer.digest(values) + ": " + values.subList(0, 20)
                : values.toString();
    }

    private static String message(SQLException refused) {
        return String.valueOf(refused.getMessage());
    }

    private void failed(int line, String sql, String cause) {
        failed(line, sql, cause, "");
    }

    private void failed(int line, String sql, String cause, String facts) {
        String example = name + ":" + line + ": " + sql + facts;
        String reason = LogicDifferences.reason(name, line, sql, cause);
        if (reason == null) {
            summary.failed(cause, example);
        } else {
            summary.differs(reason, example);
        }
    }
}
