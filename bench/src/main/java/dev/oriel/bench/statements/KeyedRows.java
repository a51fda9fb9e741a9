package dev.oriel.bench.statements;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// A table of rows that have a key, a text and a number: `things`.
final class KeyedRows {
    static final String INSERT = "INSERT INTO things VALUES (?, ?, ?)";

    private static final int BATCH = 1_000;

    private KeyedRows() {}

    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE things (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT"
                            + " NULL, amount INTEGER NOT NULL)");
        }
    }

    /// Inserts `count` rows from `first` on, each batch as a transaction.
    static void load(Connection connection, int first, int count) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (int id = first; id < first + count; id++) {
                set(insert, id);
                insert.addBatch();
                if ((id + 1 - first) % BATCH == 0 || id + 1 == first + count) {
                    insert.executeBatch();
                    connection.commit();
                }
            }
        }
        connection.setAutoCommit(true);
    }

    /// Sets the parameters of [#INSERT] to the row of `id`.
    static void set(PreparedStatement insert, int id) throws SQLException {
        insert.setInt(1, id);
        insert.setString(2, name(id));
        insert.setInt(3, amount(id));
    }

    /// The text of a row, 25 characters. Formatting it would take longer than some subjects take to insert it.
    static String name(int id) {
        return "the thing numbered " + Integer.toString(1_000_000 + id % 1_000_000).substring(1);
    }

    static int amount(int id) {
        return id * 7 % 1_000;
    }

    /// Number of rows.
    static long count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM things")) {
            if (!rows.next()) {
                throw new IllegalStateException("No count");
            }
            return rows.getLong(1);
        }
    }

    /// Keys of existing rows, all over the table, one after the other.
    static int scattered(long at, int rows) {
        return (int) (at * 7_919 % rows);
    }
}
