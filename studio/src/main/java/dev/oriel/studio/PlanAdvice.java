package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Advice on a statement, as EXPLAIN ANALYZE gives it, with a name for each index: the studio drops them again.
final class PlanAdvice {
    private PlanAdvice() {}

    /// Advice on a plan that was run: `[{"sentence", "sql", "index"?: {"schema", "table", "columns"}}]`.
    static ArrayNode of(JsonNode plan) {
        ArrayNode advice = JsonNodeFactory.instance.arrayNode();
        for (JsonNode each : plan.path("advice")) {
            ObjectNode one = each.deepCopy();
            JsonNode index = one.path("index");
            if (index.isObject()) {
                List<String> columns = new ArrayList<>();
                index.path("columns").forEach(column -> columns.add(column.asText()));
                one.put("sql", indexSql("", TableName.of(index), columns));
            }
            advice.add(one);
        }
        return advice;
    }

    /// `CREATE INDEX NAME ON TABLE (COLUMNS)`; an empty name is replaced by one from the table and its columns.
    static String indexSql(String name, TableName table, List<String> columns) {
        String called = name.isEmpty() ? table.name() + "_" + String.join("_", columns) : name;
        return "CREATE INDEX "
                + Names.quoted(called)
                + " ON "
                + table.sql()
                + " ("
                + String.join(", ", columns.stream().map(Names::quoted).toList())
                + ")";
    }
}
