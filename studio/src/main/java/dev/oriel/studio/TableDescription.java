package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Describes one table: its columns, its keys and its indexes.
final class TableDescription {
    private final Questions questions;

    TableDescription(Questions questions) {
        this.questions = questions;
    }

    /// Columns, keys and foreign keys, in both directions, of one table: `?schema=S&name=N`.
    void table(Exchange exchange) throws SQLException, IOException {
        String schema = exchange.parameter("schema");
        TableName table = new TableName(schema == null ? "" : schema, exchange.required("name"));
        ObjectNode json = questions.read(connection -> described(connection, table));
        exchange.json(json);
    }

    private ObjectNode described(Connection connection, TableName table)
            throws SQLException, IOException {
        DatabaseMetaData metadata = connection.getMetaData();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("schema", table.schema());
        json.put("name", table.name());
        ArrayNode columns = json.putArray("columns");
        String schema = table.schemaPattern(metadata);
        try (ResultSet rows =
                metadata.getColumns(null, schema, table.namePattern(metadata), null)) {
            while (rows.next()) {
                ObjectNode column = columns.addObject();
                column.put("name", rows.getString("COLUMN_NAME"));
                column.put("type", type(rows));
                column.put("nullable", rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls);
                column.put("default", rows.getString("COLUMN_DEF"));
                column.put("remarks", rows.getString("REMARKS"));
                column.put("generated", "YES".equals(rows.getString("IS_GENERATEDCOLUMN")));
            }
        }
        if (columns.isEmpty()) {
            throw new RequestException(
                    404, "There is no table " + table.shown() + "; see the catalog.");
        }
        ArrayNode key = json.putArray("primaryKey");
        primaryKey(connection, table).forEach(key::add);
        json.set(
                "imported", references(metadata.getImportedKeys(null, schema, table.name()), "PK"));
        json.set(
                "exported", references(metadata.getExportedKeys(null, schema, table.name()), "FK"));
        json.set("indexes", indexes(questions, connection, table));
        return json;
    }

    /// Indexes of a table: `[{"name", "type", "unique", "columns"}]`.
    static ArrayNode indexes(Questions questions, Connection connection, TableName table)
            throws SQLException, IOException {
        return questions.objects(
                connection,
                "SELECT index_name AS \"name\", index_type AS \"type\", is_unique AS \"unique\","
                        + " column_names AS \"columns\" FROM information_schema.indexes WHERE"
                        + " UPPER(table_schema) = UPPER(?) AND UPPER(table_name) = UPPER(?)"
                        + " ORDER BY 1",
                table.schema(),
                table.name());
    }

    private static String type(ResultSet column) throws SQLException {
        String name = column.getString("TYPE_NAME");
        int size = column.getInt("COLUMN_SIZE");
        return switch (name) {
            case "DECIMAL", "NUMERIC" ->
                    name + "(" + size + ", " + column.getInt("DECIMAL_DIGITS") + ")";
            case "VARCHAR", "CHAR" ->
                    size > 0 && size < Integer.MAX_VALUE ? name + "(" + size + ")" : name;
            default -> name;
        };
    }

    /// Columns of the primary key in its order; empty if there is none.
    static List<String> primaryKey(Connection connection, TableName table) throws SQLException {
        List<String> columns = new ArrayList<>();
        DatabaseMetaData metadata = connection.getMetaData();
        try (ResultSet rows =
                metadata.getPrimaryKeys(null, table.schemaPattern(metadata), table.name())) {
            while (rows.next()) {
                int place = rows.getInt("KEY_SEQ");
                while (columns.size() < place) {
                    columns.add("");
                }
                columns.set(place - 1, rows.getString("COLUMN_NAME"));
            }
        }
        return columns;
    }

    /// Foreign keys as an array of `{"name", "schema", "table", "columns": [[ours, theirs]...]}`.
    private static ArrayNode references(ResultSet keys, String other) throws SQLException {
        String ours = other.equals("PK") ? "FK" : "PK";
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        try (keys) {
            ArrayNode pairs = all.arrayNode();
            while (keys.next()) {
                if (keys.getInt("KEY_SEQ") == 1) {
                    ObjectNode reference = all.addObject();
                    reference.put("name", keys.getString("FK_NAME"));
                    reference.put("schema", keys.getString(other + "TABLE_SCHEM"));
                    reference.put("table", keys.getString(other + "TABLE_NAME"));
                    pairs = reference.putArray("columns");
                }
                pairs.addArray()
                        .add(keys.getString(ours + "COLUMN_NAME"))
                        .add(keys.getString(other + "COLUMN_NAME"));
            }
        }
        return all;
    }
}
