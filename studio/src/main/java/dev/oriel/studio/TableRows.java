package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads tables in pages, single cells, and summaries of columns.
///
/// A page of a table with a primary key begins after the last row of the page before (keyset pagination), so the
/// millionth row costs as much as the first. Other tables and views are paged by OFFSET.
final class TableRows {
    private static final int PAGE_MAX = 1_000;
    private static final int SAMPLE_ROWS = 100_000;
    private static final int BINS = 20;
    private static final int OFFSET_MAX = 1_000_000;

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

    private final Questions questions;

    TableRows(Questions questions) {
        this.questions = questions;
    }

    /// `{"schema"?, "table", "order"?: COLUMN, "descending"?, "where"?: [{"column", "op", "value"}...],
    /// "after"?: [VALUE...], "offset"?, "limit"?}`; `after` is the `last` of the page before.
    void page(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        ObjectNode json = questions.read(connection -> page(connection, body));
        exchange.json(json);
    }

    private ObjectNode page(Connection connection, JsonNode body) throws SQLException, IOException {
        int limit = Math.clamp(body.path("limit").asInt(200), 1, PAGE_MAX);
        TableName table = TableName.of(body);
        List<String> order = order(body, TableDescription.primaryKey(connection, table));
        Query query = new Query(table.sql());
        query.where(body.path("where"));
        boolean descending = body.path("descending").asBoolean();
        if (!order.isEmpty() && body.path("after").isArray()) {
            query.after(order, body.path("after"), descending);
        }
        int offset = Math.clamp(body.path("offset").asInt(), 0, OFFSET_MAX);
        String sql = query.sql(order, descending, limit, offset);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            query.bind(statement);
            return questions.run(null, statement, () -> rows(statement, order, limit));
        }
    }

    private static ObjectNode rows(PreparedStatement statement, List<String> order, int limit)
            throws SQLException, IOException {
        ObjectNode json = Exchange.JSON.createObjectNode();
        try (ResultSet rows = statement.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount() - order.size();
            ArrayNode heads = Cells.columns(rows.getMetaData());
            while (heads.size() > columns) {
                heads.remove(columns);
            }
            json.set("columns", heads);
            ArrayNode page = json.putArray("rows");
            ArrayNode last = json.arrayNode();
            while (rows.next()) {
                page.add(Answers.row(rows, columns));
                last = json.arrayNode();
                for (int i = 1; i <= order.size(); i++) {
                    last.add(rows.getString(columns + i));
                }
            }
            json.put("more", page.size() == limit);
            json.put("keyset", !order.isEmpty());
            json.set("last", last);
        }
        return json;
    }

    private static List<String> order(JsonNode body, List<String> key) {
        List<String> order = new ArrayList<>();
        if (key.isEmpty()) {
            return order;
        }
        String first = body.path("order").asText();
        if (!first.isEmpty()) {
            order.add(first);
        }
        key.stream().filter(column -> !column.equals(first)).forEach(order::add);
        return order;
    }

    /// `{"schema"?, "table", "column", "key": {COLUMN: VALUE...}}`: one value, whole, as text.
    void cell(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String column = Names.quoted(Names.required(body, "column"));
        ObjectNode json =
                questions.read(connection -> {
                    Query query = new Query(TableName.of(body).sql());
                    query.key(body.path("key"));
                    try (PreparedStatement statement =
                            connection.prepareStatement(query.select(column))) {
                        query.bind(statement);
                        return questions.run(null, statement, () -> cell(statement));
                    }
                });
        exchange.json(json);
    }

    private static ObjectNode cell(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new RequestException(404, "The row is gone; load the table again.");
            }
            return Exchange.JSON.createObjectNode().put("value", rows.getString(1));
        }
    }

    /// `{"schema"?, "table", "column"}`: number of NULLs, number of distinct values, least, greatest and the ten
    /// most frequent values, of the first 100,000 rows.
    void summary(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String column = Names.quoted(Names.required(body, "column"));
        String sample =
                "(SELECT "
                        + column
                        + " AS v FROM "
                        + TableName.of(body).sql()
                        + " LIMIT "
                        + SAMPLE_ROWS
                        + ") AS s";
        ObjectNode json =
                questions.read(connection -> {
                    ObjectNode all =
                            (ObjectNode)
                                    questions.objects(
                                                    connection,
                                                    "SELECT COUNT(*) AS \"rows\", COUNT(v) AS"
                                                            + " \"present\", COUNT(DISTINCT v) AS"
                                                            + " \"distinct\", MIN(v) AS \"least\","
                                                            + " MAX(v) AS \"greatest\" FROM "
                                                            + sample)
                                            .get(0);
                    all.put("sampled", SAMPLE_ROWS);
                    all.set(
                            "frequent",
                            questions.objects(
                                    connection,
                                    "SELECT v AS \"value\", COUNT(*) AS \"rows\" FROM "
                                            + sample
                                            + " GROUP BY v ORDER BY COUNT(*) DESC, v LIMIT 10"));
                    String scale = scale(connection, sample);
                    if (scale != null) {
                        all.set("histogram", histogram(connection, scale, sample));
                    }
                    return all;
                });
        exchange.json(json);
    }

    /// The column `v` of a sample as a number that a histogram can divide; null if it has none.
    private static @Nullable String scale(Connection connection, String sample)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT v FROM " + sample + " WHERE 1 = 0")) {
            return switch (rows.getMetaData().getColumnType(1)) {
                case Types.TINYINT,
                        Types.SMALLINT,
                        Types.INTEGER,
                        Types.BIGINT,
                        Types.DECIMAL,
                        Types.NUMERIC,
                        Types.REAL,
                        Types.FLOAT,
                        Types.DOUBLE ->
                        "CAST(v AS DOUBLE)";
                case Types.DATE, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
                        "CAST(EXTRACT(EPOCH FROM v) AS DOUBLE)";
                default -> null;
            };
        }
    }

    /// Counts of values in equally wide bins from the least value to the greatest.
    private ArrayNode histogram(Connection connection, String scale, String sample)
            throws SQLException, IOException {
        long[] counts = new long[BINS];
        JsonNode range =
                questions
                        .objects(
                                connection,
                                "SELECT MIN("
                                        + scale
                                        + ") AS \"least\", MAX("
                                        + scale
                                        + ") AS \"greatest\" FROM "
                                        + sample)
                        .get(0);
        double least = range.path("least").asDouble();
        double width = (range.path("greatest").asDouble() - least) / BINS;
        if (width > 0 && Double.isFinite(width)) {
            String bins =
                    "SELECT b AS \"bin\", COUNT(*) AS \"rows\" FROM (SELECT FLOOR(("
                            + scale
                            + " - ?) / ?) AS b FROM "
                            + sample
                            + ") AS t WHERE b IS NOT NULL GROUP BY b";
            for (JsonNode bin : questions.objects(connection, bins, least, width)) {
                counts[Math.clamp(bin.path("bin").asLong(), 0, BINS - 1)] +=
                        bin.path("rows").asLong();
            }
        }
        ArrayNode all = Exchange.JSON.createArrayNode();
        for (long count : counts) {
            all.add(count);
        }
        return all;
    }

    /// A query under construction: conditions and their parameters.
    private static final class Query {
        private static final String ROW = "\"oriel.row\"";

        private final String table;
        private final List<String> conditions = new ArrayList<>();
        private final List<@Nullable Object> parameters = new ArrayList<>();

        Query(String table) {
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
                        "The field after has "
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

        void bind(PreparedStatement statement) throws SQLException {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, parameters.get(i));
            }
        }
    }
}
