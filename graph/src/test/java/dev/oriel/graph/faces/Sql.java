package dev.oriel.graph.faces;

import dev.oriel.Database;
import dev.oriel.Transaction;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Statements of the tests, in a transaction or by themselves.
final class Sql {
    private Sql() {}

    /// Reads a result, which is at its first row, if there is one.
    private interface Reading<R extends @Nullable Object> {
        R of(ResultSet rows, boolean found) throws SQLException;
    }

    /// Runs a statement in a transaction of its own; returns the number of changed rows.
    static int run(Database db, String sql, Object... parameters) throws SQLException {
        try (Connection connection = db.connect()) {
            return run(connection, sql, parameters);
        }
    }

    /// Returns the number of changed rows.
    static int run(Transaction tx, String sql, Object... parameters) throws SQLException {
        return run(tx.connection(), sql, parameters);
    }

    private static int run(Connection connection, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    private static PreparedStatement prepare(
            Connection connection, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    private static <R extends @Nullable Object> R read(
            Transaction tx, Reading<R> reading, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(tx.connection(), sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            return reading.of(rows, rows.next());
        }
    }

    /// The number in the first row; 0 for NULL and for no row.
    static long number(Transaction tx, String sql, Object... parameters) throws SQLException {
        return read(tx, (rows, found) -> found ? rows.getLong(1) : 0L, sql, parameters);
    }

    /// The text in the first row; null for NULL and for no row.
    static @Nullable String text(Transaction tx, String sql, Object... parameters)
            throws SQLException {
        return Sql.<@Nullable String>read(
                tx, (rows, found) -> found ? rows.getString(1) : null, sql, parameters);
    }

    /// The bytes in the first row; null for NULL and for no row.
    static byte @Nullable [] bytes(Transaction tx, String sql, Object... parameters)
            throws SQLException {
        return Sql.<byte @Nullable []>read(
                tx, (rows, found) -> found ? rows.getBytes(1) : null, sql, parameters);
    }

    /// The sum of numbers kept as digits.
    static long sumOfTexts(Transaction tx, String sql) throws SQLException {
        return read(
                tx,
                (rows, found) -> {
                    long sum = 0;
                    for (boolean more = found; more; more = rows.next()) {
                        sum += Long.parseLong(new String(rows.getBytes(1), StandardCharsets.UTF_8));
                    }
                    return sum;
                },
                sql);
    }
}
