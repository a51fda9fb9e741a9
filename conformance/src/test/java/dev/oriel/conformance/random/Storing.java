package dev.oriel.conformance.random;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Holds what CREATE TABLE AS and INSERT make of a query against its answer. Both write rows while they read others.
/// Everything is undone afterwards.
final class Storing {
    private Storing() {}

    /// What is wrong, as [Oracle#difference] says it.
    static @Nullable String difference(Connection connection, Piece query) throws SQLException {
        Answer answer = Answer.of(connection, query.toString(), query.columns(), false);
        if (answer.failed()) {
            return answer.failedByValue()
                    ? null
                    : "error " + answer.state() + "\n" + answer.message();
        }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String way : List.of("CREATE TABLE stored AS ", "INSERT INTO stored ")) {
                try {
                    statement.executeUpdate(way + query);
                } catch (SQLException failure) {
                    Answer failed = Answer.failed(failure);
                    return failed.failedByValue() ? null : wrong(way + query, failed, answer);
                }
                Answer stored =
                        Answer.of(connection, "SELECT * FROM stored", query.columns(), false);
                if (!stored.rows().equals(answer.rows())) {
                    return wrong(way + query, stored, answer);
                }
                statement.executeUpdate("TRUNCATE stored");
            }
            return null;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static String wrong(String sql, Answer seen, Answer expected) {
        return "wrong rows stored by "
                + sql.substring(0, sql.indexOf(' '))
                + "\n"
                + sql
                + "\nstored: "
                + seen
                + "\nexpected: "
                + expected;
    }
}
