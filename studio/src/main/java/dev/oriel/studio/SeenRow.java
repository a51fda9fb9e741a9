package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A row as a page shows it, before a change: long values are cut.
///
/// @param key columns and values of its primary key
/// @param seen columns and values
record SeenRow(Questions questions, TableName table, JsonNode key, JsonNode seen) {
    /// The fields `table`, `key` and `seen` of a request; null if it has no `seen`.
    static @Nullable SeenRow of(Questions questions, JsonNode body) {
        JsonNode seen = body.path("seen");
        return seen.isObject() && !seen.isEmpty() && body.path("key").isObject()
                ? new SeenRow(questions, TableName.of(body), body.path("key"), seen)
                : null;
    }

    /// Locks the row until the transaction ends.
    ///
    /// @throws RequestException if the row is gone, or has other values now
    void check(Connection connection) throws SQLException, IOException {
        List<String> names = new ArrayList<>();
        seen.fieldNames().forEachRemaining(names::add);
        RowQuery query = new RowQuery(table.sql());
        query.key(key);
        String columns = String.join(", ", names.stream().map(Names::quoted).toList());
        try (PreparedStatement statement =
                connection.prepareStatement(query.select(columns) + " FOR UPDATE")) {
            query.bind(statement);
            questions.run(null, statement, () -> compare(statement, names));
        }
    }

    private boolean compare(PreparedStatement statement, List<String> names)
            throws SQLException, IOException {
        List<String> changed = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new RequestException(
                        409, "Another session has deleted the row; load the table again.");
            }
            JsonNode now = Answers.row(rows, names.size());
            for (int i = 0; i < names.size(); i++) {
                if (!isSame(now.get(i), seen.get(names.get(i)))) {
                    changed.add(names.get(i));
                }
            }
        }
        if (!changed.isEmpty()) {
            throw new RequestException(
                    409,
                    "Another session has changed "
                            + String.join(", ", changed)
                            + " of this row; load the table again to see it.");
        }
        return true;
    }

    /// A browser writes numbers in its own way: 1 for 1.0.
    private static boolean isSame(JsonNode now, JsonNode before) {
        boolean numbers = now.isNumber() && before.isNumber();
        return numbers ? now.doubleValue() == before.doubleValue() : now.equals(before);
    }
}
