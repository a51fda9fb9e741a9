package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes one row: an INSERT, an UPDATE or a DELETE by primary key, shown as SQL before it is executed.
final class Changes {
    private final Questions questions;
    private final StudioOptions options;

    Changes(Questions questions, StudioOptions options) {
        this.questions = questions;
        this.options = options;
    }

    /// `{"schema"?, "table", "key"?: {COLUMN: VALUE...}, "set"?: {COLUMN: VALUE...}, "seen"?: {COLUMN: VALUE...},
    /// "preview"?}`. Without `key` a row is inserted, without `set` it is deleted. With `seen`, the row as it was
    /// shown, the change is refused if another session has changed the row meanwhile. Answers `{"sql", "rows"}`, with
    /// `rows` 0 if it was only previewed.
    void change(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        boolean preview = body.path("preview").asBoolean();
        if (options.readOnly() && !preview) {
            throw new RequestException(
                    403, "The studio is read-only; start it without --read-only.");
        }
        ObjectNode json =
                questions.ask(connection -> {
                    Change change = new Change(connection, body);
                    ObjectNode answer = Exchange.JSON.createObjectNode();
                    answer.put("sql", change.shown());
                    answer.put(
                            "rows",
                            preview ? 0 : change.run(connection, SeenRow.of(questions, body)));
                    return answer;
                });
        exchange.json(json);
    }

    /// One change: its SQL and the values of its parameters.
    private static final class Change {
        private final StringBuilder sql = new StringBuilder();
        private final StringBuilder shown = new StringBuilder();
        private final List<@Nullable Object> parameters = new ArrayList<>();

        Change(Connection connection, JsonNode body) throws SQLException {
            TableName named = TableName.of(body);
            String table = named.sql();
            JsonNode set = body.path("set");
            JsonNode key = body.path("key");
            if (key.isObject()) {
                checkKey(TableDescription.primaryKey(connection, named), key);
            }
            if (!key.isObject()) {
                insert(table, set);
            } else if (set.isObject() && !set.isEmpty()) {
                text("UPDATE " + table + " SET ");
                pairs(set, ", ", " = ");
                text(" WHERE ");
                pairs(key, " AND ", " = ");
            } else {
                text("DELETE FROM " + table + " WHERE ");
                pairs(key, " AND ", " = ");
            }
        }

        private static void checkKey(List<String> columns, JsonNode key) {
            boolean whole = !columns.isEmpty() && key.size() == columns.size();
            for (String column : columns) {
                whole &= key.has(column) && !key.get(column).isNull();
            }
            if (!whole) {
                throw new RequestException(
                        400,
                        "The key must give the primary key "
                                + columns
                                + "; rows of a table without one are changed by SQL.");
            }
        }

        private void insert(String table, JsonNode set) {
            if (!set.isObject() || set.isEmpty()) {
                throw new RequestException(
                        400, "The row has no values; send them in the field 'set'.");
            }
            text("INSERT INTO " + table + " (");
            List<String> names = new ArrayList<>();
            set.properties().forEach(field -> names.add(Names.quoted(field.getKey())));
            text(String.join(", ", names) + ") VALUES (");
            boolean first = true;
            for (JsonNode value : set) {
                text(first ? "" : ", ");
                value(value);
                first = false;
            }
            text(")");
        }

        private void pairs(JsonNode fields, String between, String equals) {
            boolean first = true;
            for (var field : fields.properties()) {
                text((first ? "" : between) + Names.quoted(field.getKey()) + equals);
                value(field.getValue());
                first = false;
            }
        }

        private void text(String text) {
            sql.append(text);
            shown.append(text);
        }

        private void value(JsonNode value) {
            sql.append('?');
            Object parameter = JsonParameters.of(value);
            parameters.add(parameter);
            switch (parameter) {
                case null -> shown.append("NULL");
                case byte[] bytes ->
                        shown.append("X'").append(HexFormat.of().formatHex(bytes)).append('\'');
                case String text -> shown.append('\'').append(text.replace("'", "''")).append('\'');
                default -> shown.append(parameter);
            }
        }

        String shown() {
            return shown.toString();
        }

        /// Changes exactly one row, or none.
        ///
        /// @param seen the row as it was shown; null if that does not matter
        int run(Connection connection, @Nullable SeenRow seen) throws SQLException, IOException {
            connection.setAutoCommit(false);
            if (seen != null) {
                seen.check(connection);
            }
            try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
                for (int i = 0; i < parameters.size(); i++) {
                    statement.setObject(i + 1, parameters.get(i));
                }
                int rows = statement.executeUpdate();
                if (rows != 1) {
                    throw new RequestException(
                            409,
                            "The change affects " + rows + " rows, not one; load the table again.");
                }
                connection.commit();
                return rows;
            } finally {
                connection.rollback();
            }
        }
    }
}
