package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/// Completions of the editor: columns of all tables, functions, and steps of Gremlin.
final class Words {
    /// Methods that Java requires, and that are no steps.
    private static final Set<String> NO_STEPS =
            Set.of(
                    "asAdmin",
                    "clone",
                    "close",
                    "equals",
                    "forEachRemaining",
                    "getClass",
                    "getGraph",
                    "getStrategies",
                    "hashCode",
                    "notify",
                    "notifyAll",
                    "wait",
                    "getBytecode",
                    "getGremlinLang",
                    "getConnection",
                    "getAnonymousTraversalClass");

    private final Questions questions;

    Words(Questions questions) {
        this.questions = questions;
    }

    /// `{"columns": [{"schema", "table", "column", "type"}...], "functions": [NAME...], "signatures": [{"name",
    /// "signature", "result", "description", "example", "answer"}...], "steps": [NAME...]}`.
    void all(Exchange exchange) throws SQLException, IOException {
        exchange.json(questions.read(this::all));
    }

    private ObjectNode all(Connection connection) throws SQLException, IOException {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.set(
                "columns",
                questions.objects(
                        connection,
                        "SELECT table_schema AS \"schema\", table_name AS \"table\", column_name AS"
                                + " \"column\", CASE data_type WHEN 'ARRAY' THEN"
                                + " SUBSTRING(udt_name FROM 2) || '[]' WHEN 'USER-DEFINED' THEN udt_name"
                                + " ELSE data_type END AS \"type\" FROM information_schema.columns WHERE"
                                + " table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1, 2, ordinal_position"));
        ArrayNode described =
                questions.objects(
                        connection,
                        "SELECT CASE WHEN family = 'java' AND kind <> 'table function' AND schema IS"
                                + " NOT NULL THEN schema || '.' || name ELSE name END AS \"name\","
                                + " signature AS \"signature\", result AS \"result\", description AS"
                                + " \"description\", example AS \"example\", answer AS \"answer\" FROM"
                                + " sys.functions ORDER BY 1, 2");
        Set<String> functions = new TreeSet<>();
        described.forEach(one -> functions.add(one.path("name").asText()));
        ArrayNode names = json.putArray("functions");
        functions.forEach(names::add);
        json.set("signatures", described);
        ArrayNode steps = json.putArray("steps");
        steps().forEach(steps::add);
        return json;
    }

    private static Set<String> steps() {
        Set<String> steps = new TreeSet<>();
        for (Class<?> type :
                List.of(GraphTraversalSource.class, GraphTraversal.class, P.class, TextP.class)) {
            for (Method method : type.getMethods()) {
                if (!NO_STEPS.contains(method.getName())) {
                    steps.add(method.getName());
                }
            }
        }
        return steps;
    }
}
