package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Reads tables in pages, and single cells.
///
/// A page of a table with a primary key begins after the last row of the page before (keyset pagination), so the
/// millionth row costs as much as the first. The order of an indexed column is read from its index ([IndexPage]).
/// In the order of another column each page reads and sorts the table. Tables without a key, and views, are paged
/// by OFFSET.
final class TableRows {
    private static final int PAGE_MAX = 1_000;
    private static final int OFFSET_MAX = 1_000_000;

    private final Questions questions;

    TableRows(Questions questions) {
        this.questions = questions;
    }

    /// `{"schema"?, "table", "order"?: COLUMN, "descending"?, "where"?: [{"column", "op", "value"}...],
    /// "after"?: [VALUE...], "offset"?, "limit"?}`; `after` is the `last` of the page before. In the answer `indexed`
    /// tells whether the order came from a key or an index.
    void page(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        ObjectNode json = questions.read(connection -> page(connection, body));
        exchange.json(json);
    }

    private ObjectNode page(Connection connection, JsonNode body) throws SQLException, IOException {
        int limit = Math.clamp(body.path("limit").asInt(200), 1, PAGE_MAX);
        TableName table = TableName.of(body);
        List<String> key = TableDescription.primaryKey(connection, table);
        String first = body.path("order").asText();
        boolean ofKey = first.isEmpty() || (!key.isEmpty() && first.equals(key.getFirst()));
        if (!ofKey && hasOneIndex(connection, table, first)) {
            return new IndexPage(questions, connection, body, first).read(limit);
        }
        List<String> order = order(first, key);
        RowQuery query = new RowQuery(table.sql());
        query.where(body.path("where"));
        boolean descending = body.path("descending").asBoolean();
        if (!order.isEmpty() && body.path("after").isArray()) {
            query.after(order, body.path("after"), descending);
        }
        int offset = Math.clamp(body.path("offset").asInt(), 0, OFFSET_MAX);
        String sql = query.sql(order, descending, limit, offset);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            query.bind(statement);
            ObjectNode page = questions.run(null, statement, () -> rows(statement, order, limit));
            return page.put("indexed", ofKey);
        }
    }

    /// Whether one index begins with a column. Of two, the planner might take one for a page and the other for the
    /// next, and rows of one value have an order in each.
    private boolean hasOneIndex(Connection connection, TableName table, String column)
            throws SQLException, IOException {
        int count = 0;
        for (JsonNode index : TableDescription.indexes(questions, connection, table)) {
            boolean begins = (index.path("columns").asText() + ", ").startsWith(column + ", ");
            count += begins && index.path("type").asText().equals("BTREE") ? 1 : 0;
        }
        return count == 1;
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

    private static List<String> order(String first, List<String> key) {
        List<String> order = new ArrayList<>();
        if (key.isEmpty()) {
            return order;
        }
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
                    RowQuery query = new RowQuery(TableName.of(body).sql());
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
}
