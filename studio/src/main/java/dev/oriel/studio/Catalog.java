package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.internal.Layers;
import dev.oriel.table.definition.Table;
import dev.oriel.table.statistics.Statistics;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /// Tables, views, sequences and property graphs. `estimate` is about the number of a table's rows, `bytes`
    /// about the size of its rows and indexes. Rows are counted for as many tables as 300 ms allow, the smallest
    /// first; the others have no `rows`.
    void tree(Exchange exchange) throws SQLException, IOException {
        ObjectNode json = questions.read(this::objects);
        exchange.json(json);
    }

    private ObjectNode objects(Connection connection) throws SQLException, IOException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode tables =
                questions.objects(
                        connection,
                        "SELECT table_schema AS \"schema\", table_name AS \"name\", table_type AS"
                                + " \"type\" FROM information_schema.tables WHERE table_schema NOT IN"
                                + " ('information_schema', 'pg_catalog') ORDER BY 1, 2");
        count(connection, tables);
        json.set("tables", tables);
        json.set(
                "indexes",
                questions.objects(
                        connection,
                        "SELECT table_schema AS \"schema\", table_name AS \"table\", index_name AS"
                                + " \"name\", column_names AS \"columns\", is_unique AS \"unique\" FROM"
                                + " information_schema.indexes ORDER BY 1, 2, 3"));
        json.set(
                "sequences",
                questions.objects(
                        connection,
                        "SELECT sequence_schema AS \"schema\", sequence_name AS \"name\" FROM"
                                + " information_schema.sequences ORDER BY 1, 2"));
        ArrayNode graphs =
                questions.objects(
                        connection,
                        "SELECT property_graph_name AS \"name\" FROM"
                                + " information_schema.property_graphs ORDER BY 1");
        OrielGraph.names(database).forEach(name -> graphs.addObject().put("name", name));
        json.set("graphs", graphs);
        json.set(
                "computed",
                questions.objects(
                        connection,
                        "SELECT schema AS \"schema\", name AS \"name\", kind AS \"kind\", columns AS"
                                + " \"columns\" FROM sys.catalog ORDER BY 1, 2"));
        return json;
    }

    private void count(Connection connection, ArrayNode tables) throws SQLException, IOException {
        long deadline = System.nanoTime() + COUNTING_NANOS;
        Map<String, Long> numbers = new HashMap<>();
        for (Table table : Layers.tables(database).catalog().tables()) {
            numbers.put(key(table.schema(), table.name()), table.id());
        }
        Statistics statistics = Layers.tables(database).statistics();
        List<ObjectNode> counted = new ArrayList<>();
        for (JsonNode table : tables) {
            Long number =
                    numbers.get(key(table.path("schema").asText(), table.path("name").asText()));
            if (number != null && table.path("type").asText().contains("TABLE")) {
                counted.add(((ObjectNode) table).put("estimate", statistics.rows(number)));
                if (System.nanoTime() < deadline) {
                    ((ObjectNode) table).put("bytes", statistics.bytes(number));
                }
            }
        }
        counted.sort(Comparator.comparingLong(table -> table.path("estimate").asLong()));
        for (ObjectNode table : counted) {
            TableName name =
                    new TableName(table.path("schema").asText(), table.path("name").asText());
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            Long rows =
                    questions.numberWithin(left, connection, "SELECT COUNT(*) FROM " + name.sql());
            if (rows == null) {
                return;
            }
            table.put("rows", rows);
        }
    }

    private static String key(String schema, String name) {
        String shown = schema.isEmpty() ? TableName.PUBLIC : schema;
        return (shown + '\0' + name).toLowerCase(Locale.ROOT);
    }
}
