package dev.oriel.studio;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;

/// Rows of small results as JSON: an array of objects, a field for each column.
final class Answers {
    private Answers() {}

    /// All rows of a result.
    ///
    /// @param whole whether long values are written to their ends
    static ArrayNode objects(ResultSet rows, boolean whole) throws SQLException, IOException {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            JsonNode row = row(rows, columns, whole);
            var object = all.addObject();
            for (int i = 0; i < columns; i++) {
                object.set(rows.getMetaData().getColumnLabel(i + 1), row.get(i));
            }
        }
        return all;
    }

    /// The current row as a JSON array.
    static JsonNode row(ResultSet rows, int columns) throws SQLException, IOException {
        return row(rows, columns, false);
    }

    private static JsonNode row(ResultSet rows, int columns, boolean whole)
            throws SQLException, IOException {
        try (TokenBuffer buffer = new TokenBuffer(Exchange.JSON, false)) {
            JsonGenerator out = buffer;
            Cells.row(rows, columns, whole, out);
            return Exchange.JSON.readTree(buffer.asParser());
        }
    }
}
