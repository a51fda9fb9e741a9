package dev.oriel.bench.axion;

import dev.oriel.bench.measure.TextSum;
import dev.oriel.bench.sql.SqlSubject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/// The article's loop: a statement prepared once, the next word, the first 10 rows read by
/// `getString`, the result closed.
public final class AxionQuery implements AutoCloseable {
    private final AxionForm form;
    private final AxionWords words;
    private final PreparedStatement statement;
    private int next;
    private long read;

    /// Prepares the statement.
    public AxionQuery(Connection connection, AxionForm form, SqlSubject subject, AxionWords words)
            throws SQLException {
        this.form = form;
        this.words = words;
        statement = connection.prepareStatement(form.sql(subject));
    }

    /// Runs one query. `getString` decodes every character; the lengths are summed so that no read can be optimised
    /// away.
    public void run() throws SQLException {
        statement.setString(1, word());
        try (ResultSet rows = statement.executeQuery()) {
            int columns = form.columns();
            for (int row = 0; row < AxionForm.READ && rows.next(); row++) {
                for (int column = 1; column <= columns; column++) {
                    read += rows.getString(column).length();
                }
            }
        }
    }

    private String word() {
        String word = words.first(next);
        next = next + 1 == words.rows() ? 0 : next + 1;
        return word;
    }

    /// Runs `queries` from the first word on and sums their results: every string and its place if the statement
    /// has an order. An open-ended query leaves the order to the engine, and so the choice of the 10 rows. For it
    /// the numbers of rows are summed, and each row must sort after the word.
    public long check(int queries) throws SQLException {
        next = 0;
        long sum = 0;
        for (int i = 0; i < queries; i++) {
            String word = word();
            statement.setString(1, word);
            int count = 0;
            try (ResultSet rows = statement.executeQuery()) {
                for (; count < AxionForm.READ && rows.next(); count++) {
                    for (int column = 1; column <= form.columns(); column++) {
                        String text = rows.getString(column);
                        if (column == 1 && text.compareTo(word) <= 0) {
                            throw new IllegalStateException(text + " is not beyond " + word);
                        }
                        sum = form.limited() ? sum * 31 + TextSum.of(text) : sum;
                    }
                }
            }
            sum = sum * 31 + count;
        }
        next = 0;
        return sum;
    }

    /// Number of characters read.
    long read() {
        return read;
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
