package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// Plans of statements. EXPLAIN ANALYZE runs in a transaction that is rolled back.
final class Plans {
    private final Questions questions;

    Plans(Questions questions) {
        this.questions = questions;
    }

    /// `{"sql", "id"?, "analyze"?}`: the plan as EXPLAIN (FORMAT JSON) gives it.
    void explain(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String sql = Names.required(body, "sql");
        boolean analyze = body.path("analyze").asBoolean();
        String id = body.path("id").isTextual() ? body.path("id").asText() : null;
        String prefix = analyze ? "EXPLAIN (ANALYZE, FORMAT JSON) " : "EXPLAIN (FORMAT JSON) ";
        JsonNode plan =
                questions.ask(connection -> {
                    connection.setAutoCommit(false);
                    try (Statement statement = connection.createStatement()) {
                        return questions.run(id, statement, () -> plan(statement, prefix + sql));
                    } finally {
                        rollback(connection);
                    }
                });
        exchange.json(plan);
    }

    private static JsonNode plan(Statement statement, String sql) throws SQLException, IOException {
        StringBuilder json = new StringBuilder();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                json.append(rows.getString(1)).append('\n');
            }
        }
        return Exchange.JSON.readTree(json.toString());
    }

    private static void rollback(Connection connection) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
    }
}
