package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/// The current activity of the database: a snapshot of the tables of `sys`.
final class Observation {
    private static final int STATEMENTS_MAX = 500;

    private final Questions questions;

    Observation(Questions questions) {
        this.questions = questions;
    }

    /// Statements, sessions, locks, slow statements, figures of the store and the cost of watching.
    void now(Exchange exchange) throws SQLException, IOException {
        exchange.json(questions.read(Observation::snapshot));
    }

    private static ObjectNode snapshot(Connection connection) throws SQLException, IOException {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("at", System.currentTimeMillis());
        json.set(
                "statements",
                Answers.objects(
                        connection,
                        "SELECT * FROM sys.statements WHERE statement NOT LIKE '%sys.%' AND statement NOT"
                                + " LIKE '%information_schema.%' ORDER BY total_ms DESC LIMIT "
                                + STATEMENTS_MAX));
        json.set(
                "sessions",
                Answers.objects(
                        connection,
                        "SELECT * FROM sys.sessions WHERE statement IS NULL OR statement NOT LIKE '%sys.%'"
                                + " ORDER BY session"));
        json.set("locks", Answers.objects(connection, "SELECT * FROM sys.locks"));
        json.set(
                "slow",
                Answers.objects(
                        connection,
                        "SELECT * FROM sys.slow_statements ORDER BY \"at\" DESC LIMIT 50"));
        json.set("store", Answers.objects(connection, "SELECT * FROM sys.store"));
        json.set("plans", Answers.objects(connection, "SELECT * FROM sys.plan_cache"));
        json.set("overhead", Answers.objects(connection, "SELECT * FROM sys.profile_overhead"));
        return json;
    }
}
