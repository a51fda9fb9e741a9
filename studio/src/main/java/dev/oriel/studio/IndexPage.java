package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of a table in the order of an indexed column.
///
/// It begins at the value of the last row before, `[VALUE, COUNT]`, and leaves out the rows of that value that were
/// read. An index keeps rows of one value in a fixed order, so a count identifies the rows read. NULLs are read by
/// queries of their own, behind the values, or before them if the order is descending.
final class IndexPage {
    private final Questions questions;
    private final Connection connection;
    private final JsonNode body;
    private final String column;
    private final boolean descending;
    private final ObjectNode page = Exchange.JSON.createObjectNode();
    private final ArrayNode rows = Exchange.JSON.createArrayNode();
    private @Nullable String last;
    private int equal;

    IndexPage(Questions questions, Connection connection, JsonNode body, String column) {
        this.questions = questions;
        this.connection = connection;
        this.body = body;
        this.column = column;
        this.descending = body.path("descending").asBoolean();
    }

    ObjectNode read(int limit) throws SQLException, IOException {
        JsonNode after = body.path("after");
        List<Boolean> parts = List.of(descending, !descending); // whether it is that of NULLs
        int part = 0;
        if (after.isArray()) {
            if (after.size() != 2 || !after.get(1).isIntegralNumber()) {
                throw new RequestException(
                        400,
                        "The field 'after' does not fit the order; send the one of the page before.");
            }
            last = after.get(0).isNull() ? null : after.get(0).asText();
            equal = after.get(1).asInt();
            part = parts.indexOf(last == null);
        }
        for (; part < parts.size() && (rows.size() < limit || !page.has("columns")); part++) {
            read(parts.get(part), limit - rows.size());
        }
        page.set("rows", rows);
        page.put("more", rows.size() == limit).put("keyset", true).put("indexed", true);
        page.set("last", Exchange.JSON.createArrayNode().add(last).add(equal));
        return page;
    }

    private void read(boolean nulls, int limit) throws SQLException, IOException {
        boolean same = nulls == (last == null);
        RowQuery query = new RowQuery(TableName.of(body).sql());
        query.where(body.path("where"));
        if (nulls) {
            query.none(column);
        } else {
            query.from(column, last, descending);
        }
        String sql = query.sql(column, nulls, descending, limit, same ? equal : 0);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            query.bind(statement);
            questions.run(null, statement, () -> take(statement));
        }
    }

    private int take(PreparedStatement statement) throws SQLException, IOException {
        try (ResultSet found = statement.executeQuery()) {
            int columns = found.getMetaData().getColumnCount() - 1;
            ArrayNode heads = Cells.columns(found.getMetaData());
            heads.remove(columns);
            page.set("columns", heads);
            while (found.next()) {
                rows.add(Answers.row(found, columns));
                String value = found.getString(columns + 1);
                boolean again = value == null ? last == null : value.equals(last);
                equal = again ? equal + 1 : 1;
                last = value;
            }
            return rows.size();
        }
    }
}
