package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A query under construction: conditions and their parameters.
final class RowQuery {
    private static final Map<String, String> OPERATORS =
            Map.of(
                    "=", " = ?",
                    "<>", " <> ?",
                    "<", " < ?",
                    "<=", " <= ?",
                    ">", " > ?",
                    ">=", " >= ?",
                    "like", " LIKE ?",
                    "null", " IS NULL",
                    "not null", " IS NOT NULL");

    private static final String ROW = "\"oriel.row\"";

    private final String table;
    private final List<String> conditions = new ArrayList<>();
    private final List<@Nullable Object> parameters = new ArrayList<>();

    RowQuery(String table) {
        this.table = table;
    }

    void where(JsonNode filters) {
        for (JsonNode filter : filters) {
            String operator = OPERATORS.get(filter.path("op").asText());
            if (operator == null) {
                throw new RequestException(
                        400,
                        "The operator of a filter is unknown; use one of "
                                + OPERATORS.keySet()
                                + ".");
            }
            conditions.add(Names.quoted(Names.required(filter, "column")) + operator);
            if (operator.endsWith("?")) {
                parameters.add(JsonParameters.of(filter.path("value")));
            }
        }
    }

    void key(JsonNode key) {
        if (!key.isObject() || key.isEmpty()) {
            throw new RequestException(400, "The key is missing; send its columns and values.");
        }
        key.properties()
                .forEach(field -> {
                    conditions.add(Names.quoted(field.getKey()) + " = ?");
                    parameters.add(JsonParameters.of(field.getValue()));
                });
    }

    /// Rows after the values `after` of the columns `order`. NULLs come last, first if descending.
    void after(List<String> order, JsonNode after, boolean descending) {
        if (after.size() != order.size()) {
            throw new RequestException(
                    400,
                    "The field 'after' has "
                            + after.size()
                            + " values; send "
                            + order.size()
                            + ".");
        }
        StringBuilder any = new StringBuilder();
        StringBuilder equal = new StringBuilder();
        List<@Nullable Object> before = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            String column = Names.quoted(order.get(i));
            Object value = JsonParameters.of(after.get(i));
            String beyond = beyond(column, value, descending);
            if (beyond != null) {
                any.append(any.isEmpty() ? "" : " OR ")
                        .append('(')
                        .append(equal)
                        .append(beyond)
                        .append(')');
                parameters.addAll(before);
                if (value != null) {
                    parameters.add(value);
                }
            }
            equal.append(column).append(value == null ? " IS NULL AND " : " = ? AND ");
            if (value != null) {
                before.add(value);
            }
        }
        conditions.add("(" + any + ")");
    }

    private static @Nullable String beyond(
            String column, @Nullable Object value, boolean descending) {
        if (value == null) {
            return descending ? column + " IS NOT NULL" : null;
        }
        return descending ? column + " < ?" : "(" + column + " > ? OR " + column + " IS NULL)";
    }

    String select(String columns) {
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        return "SELECT " + columns + " FROM " + table + " AS " + ROW + where;
    }

    String sql(List<String> order, boolean descending, int limit, int offset) {
        StringBuilder columns = new StringBuilder(ROW + ".*");
        StringBuilder by = new StringBuilder();
        for (String column : order) {
            String qualified = ROW + "." + Names.quoted(column);
            columns.append(", CAST(").append(qualified).append(" AS VARCHAR)");
            by.append(by.isEmpty() ? " ORDER BY " : ", ").append(qualified);
            by.append(descending ? " DESC" : "");
        }
        return select(columns.toString())
                + by
                + " LIMIT "
                + limit
                + (offset > 0 && order.isEmpty() ? " OFFSET " + offset : "");
    }

    /// Rows whose column `column` lies at `from` or behind it, in the order of an index of that column.
    ///
    /// @param from null for the first one
    void from(String column, @Nullable Object from, boolean descending) {
        if (from == null) {
            conditions.add(Names.quoted(column) + " IS NOT NULL");
        } else {
            conditions.add(Names.quoted(column) + (descending ? " <= ?" : " >= ?"));
            parameters.add(from);
        }
    }

    /// Rows whose column `column` is NULL.
    void none(String column) {
        conditions.add(Names.quoted(column) + " IS NULL");
    }

    /// The rows in the order of one column, which follows them as text.
    String sql(String column, boolean isNull, boolean descending, int limit, int offset) {
        String qualified = ROW + "." + Names.quoted(column);
        String by = isNull ? "" : " ORDER BY " + qualified + (descending ? " DESC" : "");
        return select(ROW + ".*, CAST(" + qualified + " AS VARCHAR)")
                + by
                + " LIMIT "
                + limit
                + (offset > 0 ? " OFFSET " + offset : "");
    }

    void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
    }
}
