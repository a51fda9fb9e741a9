package dev.oriel.bench.axion;

import dev.oriel.bench.Durability;
import dev.oriel.bench.measure.TextSum;
import dev.oriel.bench.sql.SqlSubject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// Creates, fills and sums the article's table: `mytable`, or a copy under another name.
public record AxionTable(SqlSubject subject, AxionWords words) {
    static final String NAME = "mytable";
    private static final int BATCH = 1_000;

    /// A new database in `folder` that holds the table; the caller closes it.
    public Connection make(Path folder, Durability durability) throws SQLException {
        Connection connection = subject.connect(folder, durability);
        create(connection, NAME);
        load(connection, NAME);
        return connection;
    }

    /// Creates the table and its index, both empty.
    void create(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String type = subject.textType();
            statement.execute("CREATE TABLE " + table + " (val " + type + ", val2 " + type + ")");
            statement.execute(subject.createIndex(table + "_index", table, "val"));
        }
    }

    /// Inserts all rows in one transaction, in batches.
    void load(Connection connection, String table) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?)")) {
            for (int i = 0; i < words.rows(); i++) {
                insert.setString(1, words.first(i));
                insert.setString(2, words.second(i));
                insert.addBatch();
                if ((i + 1) % BATCH == 0 || i + 1 == words.rows()) {
                    insert.executeBatch();
                }
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    /// Reads all rows in any order; the sum over rows of the [TextSum] of both values. Fails if their number
    /// differs from the rows loaded.
    long sum(Connection connection, String table) throws SQLException {
        long sum = 0;
        int rows = 0;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT val, val2 FROM " + table)) {
            for (; result.next(); rows++) {
                sum += TextSum.of(result.getString(1)) * 31 + TextSum.of(result.getString(2));
            }
        }
        if (rows != words.rows()) {
            throw new IllegalStateException(
                    subject.name() + " holds " + rows + " rows, not " + words.rows());
        }
        return sum;
    }
}
