package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/// The current activity of the database: a snapshot of the tables of `sys`.
final class Observation {
    private static final int STATEMENTS_MAX = 500;

    /// Statements that read the tables of the system, as this page does. A schema such as `mysys` is the program's.
    private static final String OWN = "(%s ~ '\\y(sys|information_schema)\\.')";

    private final Questions questions;

    Observation(Questions questions) {
        this.questions = questions;
    }

    /// Statements, sessions, locks, slow statements, figures of the store and the cost of watching.
    void now(Exchange exchange) throws SQLException, IOException {
        exchange.json(questions.read(this::snapshot));
    }

    private ObjectNode snapshot(Connection connection) throws SQLException, IOException {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("at", System.currentTimeMillis());
        json.set(
                "statements",
                questions.objects(
                        connection,
                        "SELECT * FROM sys.statements WHERE NOT "
                                + OWN.formatted("statement")
                                + " ORDER BY total_ms DESC LIMIT "
                                + STATEMENTS_MAX));
        json.set(
                "sessions",
                questions.objects(
                        connection,
                        "SELECT * FROM sys.sessions WHERE statement IS NULL OR NOT "
                                + OWN.formatted("statement")
                                + " ORDER BY session"));
        json.set(
                "transactions",
                questions.objects(
                        connection,
                        "SELECT t.*, s.statement, s.state FROM sys.transactions AS t LEFT JOIN"
                                + " sys.sessions AS s ON s.session = t.session WHERE s.statement IS NULL"
                                + " OR NOT "
                                + OWN.formatted("s.statement")
                                + " ORDER BY t.age_ms DESC LIMIT 200"));
        json.set("locks", questions.objects(connection, "SELECT * FROM sys.locks"));
        json.set(
                "slow",
                questions.objects(
                        connection,
                        "SELECT * FROM sys.slow_statements ORDER BY \"at\" DESC LIMIT 50"));
        json.set(
                "planHistory",
                questions.objects(
                        connection,
                        "SELECT fingerprint, first_seen, last_seen, executions, mean_us, plan FROM"
                                + " sys.statement_plans WHERE fingerprint IN (SELECT fingerprint FROM"
                                + " sys.statements WHERE plan_changes > 0) ORDER BY last_seen DESC"
                                + " LIMIT 200"));
        json.set("store", questions.objects(connection, "SELECT * FROM sys.store"));
        json.set("plans", questions.objects(connection, "SELECT * FROM sys.plan_cache"));
        json.set("overhead", questions.objects(connection, "SELECT * FROM sys.profile_overhead"));
        return json;
    }
}
