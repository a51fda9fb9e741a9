package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/// Plans of statements. EXPLAIN ANALYZE runs in a transaction that is rolled back.
final class Plans {
    private final Questions questions;

    Plans(Questions questions) {
        this.questions = questions;
    }

    /// `{"sql", "id"?, "parameters"?, "analyze"?, "profile"?}`: the plan as EXPLAIN (FORMAT JSON) gives it. If the
    /// statement was run, `advice` has possible improvements.
    void explain(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String sql = Names.required(body, "sql");
        String id = body.path("id").isTextual() ? body.path("id").asText() : null;
        boolean profile = body.path("profile").asBoolean();
        boolean analyze = profile || body.path("analyze").asBoolean();
        String options = (profile ? "PROFILE, " : "") + (analyze ? "ANALYZE, " : "");
        ObjectNode plan =
                questions.ask(connection -> {
                    connection.setAutoCommit(false);
                    String explained = "EXPLAIN (" + options + "FORMAT JSON) " + sql;
                    try (PreparedStatement statement = connection.prepareStatement(explained)) {
                        JsonParameters.set(statement, body.path("parameters"));
                        ObjectNode json = questions.run(id, statement, () -> plan(statement));
                        if (analyze) {
                            json.set("advice", PlanAdvice.of(json));
                        }
                        return json;
                    } finally {
                        rollback(connection);
                    }
                });
        exchange.json(plan);
    }

    /// The plan that a prepared EXPLAIN (FORMAT JSON) gives.
    static ObjectNode plan(PreparedStatement statement) throws SQLException, IOException {
        StringBuilder json = new StringBuilder();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                json.append(rows.getString(1)).append('\n');
            }
        }
        return (ObjectNode) Exchange.JSON.readTree(json.toString());
    }

    private static void rollback(Connection connection) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
    }
}
