package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Describes the contents of the database.
final class Catalog {
    private static final long COUNTING_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Database database;
    private final Questions questions;

    Catalog(Database database, Questions questions) {
        this.database = database;
        this.questions = questions;
    }

    /// Tables, views, sequences and property graphs. Rows are counted for as many tables as 300 ms
    /// allow; the others have no `rows`.
    void tree(Exchange exchange) throws SQLException, IOException {
        ObjectNode json = questions.read(this::objects);
        exchange.json(json);
    }

    private ObjectNode objects(Connection connection) throws SQLException, IOException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode tables =
                Answers.objects(
                        connection,
                        "SELECT table_schema AS \"schema\", table_name AS \"name\", table_type AS"
                                + " \"type\" FROM information_schema.tables ORDER BY 1, 2");
        long deadline = System.nanoTime() + COUNTING_NANOS;
        for (var table : tables) {
            if (table.path("type").asText().contains("TABLE") && System.nanoTime() < deadline) {
                String name =
                        Names.table(table.path("schema").asText(), table.path("name").asText());
                ((ObjectNode) table).put("rows", count(connection, name));
            }
        }
        json.set("tables", tables);
        json.set(
                "indexes",
                Answers.objects(
                        connection,
                        "SELECT table_schema AS \"schema\", table_name AS \"table\", index_name AS"
                                + " \"name\", column_names AS \"columns\", is_unique AS \"unique\" FROM"
                                + " information_schema.indexes ORDER BY 1, 2, 3"));
        json.set(
                "sequences",
                Answers.objects(
                        connection,
                        "SELECT sequence_schema AS \"schema\", sequence_name AS \"name\" FROM"
                                + " information_schema.sequences ORDER BY 1, 2"));
        ArrayNode graphs =
                Answers.objects(
                        connection,
                        "SELECT property_graph_name AS \"name\" FROM"
                                + " information_schema.property_graphs ORDER BY 1");
        OrielGraph.names(database).forEach(name -> graphs.addObject().put("name", name));
        json.set("graphs", graphs);
        json.set(
                "computed",
                Answers.objects(
                        connection,
                        "SELECT schema AS \"schema\", name AS \"name\", kind AS \"kind\", columns AS"
                                + " \"columns\" FROM sys.catalog ORDER BY 1, 2"));
        return json;
    }

    private static long count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /// Columns, keys and foreign keys, in both directions, of one table: `?schema=S&name=N`.
    void table(Exchange exchange) throws SQLException, IOException {
        String name = exchange.required("name");
        String schema = exchange.parameter("schema");
        ObjectNode json =
                questions.read(
                        connection -> described(connection, schema == null ? "" : schema, name));
        exchange.json(json);
    }

    private static ObjectNode described(Connection connection, String schema, String name)
            throws SQLException, IOException {
        DatabaseMetaData metadata = connection.getMetaData();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("schema", schema);
        json.put("name", name);
        ArrayNode columns = json.putArray("columns");
        try (ResultSet rows = metadata.getColumns(null, null, pattern(name, metadata), null)) {
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
            throw new RequestException(404, "There is no table " + name + "; see the catalog.");
        }
        ArrayNode key = json.putArray("primaryKey");
        primaryKey(connection, name).forEach(key::add);
        json.set("imported", references(metadata.getImportedKeys(null, null, name), "PK"));
        json.set("exported", references(metadata.getExportedKeys(null, null, name), "FK"));
        json.set(
                "indexes",
                Answers.objects(
                        connection,
                        "SELECT index_name AS \"name\", index_type AS \"type\", is_unique AS"
                                + " \"unique\", column_names AS \"columns\" FROM"
                                + " information_schema.indexes WHERE table_name = ? ORDER BY 1",
                        name));
        return json;
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

    private static String pattern(String name, DatabaseMetaData metadata) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        return name.replace(escape, escape + escape)
                .replace("_", escape + "_")
                .replace("%", escape + "%");
    }

    /// Columns of the primary key in its order; empty if there is none.
    static List<String> primaryKey(Connection connection, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet rows = connection.getMetaData().getPrimaryKeys(null, null, table)) {
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

    /// Foreign keys as an array of `{"name", "table", "columns": [[ours, theirs]...]}`.
    private static ArrayNode references(ResultSet keys, String other) throws SQLException {
        String ours = other.equals("PK") ? "FK" : "PK";
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        try (keys) {
            ArrayNode pairs = all.arrayNode();
            while (keys.next()) {
                if (keys.getInt("KEY_SEQ") == 1) {
                    ObjectNode reference = all.addObject();
                    reference.put("name", keys.getString("FK_NAME"));
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
