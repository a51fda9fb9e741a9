package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Advice on plans, and experiments with indexes.
class WhyTest {
    private static final String QUERY =
            "SELECT * FROM \"or\"\"der\" WHERE buyer = 7 AND price > 100";

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private Browser browser;

    @BeforeEach
    void open() throws IOException, InterruptedException, SQLException {
        database = Database.inMemory();
        execute(
                "CREATE TABLE \"or\"\"der\" (id INTEGER PRIMARY KEY, buyer INTEGER, price INTEGER)");
        execute(
                "INSERT INTO \"or\"\"der\" SELECT i, MOD(i, 500), i FROM GENERATE_SERIES(1, 5000) AS g(i)");
        studio = Studio.open(database, StudioOptions.defaults());
        browser = Browser.inside(studio);
    }

    @AfterEach
    void close() {
        studio.close();
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private JsonNode explained(String sql) throws IOException, InterruptedException {
        ObjectNode body = Exchange.JSON.createObjectNode().put("sql", sql).put("analyze", true);
        return browser.json("explain", body.toString());
    }

    @Test
    void aFilterThatDropsMostRowsIsAdvisedAnIndex() throws Exception {
        JsonNode advice = explained(QUERY).path("advice");
        assertEquals(1, advice.size(), advice.toString());
        assertEquals(
                "CREATE INDEX \"or\"\"der_buyer_price\" ON \"or\"\"der\" (\"buyer\", \"price\")",
                advice.get(0).path("sql").asText());
        execute(advice.get(0).path("sql").asText());
        assertTrue(explained(QUERY).path("advice").isEmpty());
    }

    @Test
    void aSortForTheFirstRowsIsAdvisedAnIndex() throws Exception {
        String sql = "SELECT * FROM \"or\"\"der\" ORDER BY price DESC LIMIT 3";
        JsonNode advice = explained(sql).path("advice");
        assertEquals("[\"price\"]", advice.path(0).path("index").path("columns").toString());
    }

    @Test
    void aFilterThatKeepsMostRowsIsAdvisedNothing() throws Exception {
        String sql = "SELECT * FROM \"or\"\"der\" WHERE price > 100";
        assertTrue(explained(sql).path("advice").isEmpty());
    }

    @Test
    void samplesOfAnExecutionNameItsOperators() throws Exception {
        String sql =
                "SELECT COUNT(*) FROM \"or\"\"der\" a JOIN \"or\"\"der\" b ON a.buyer = b.buyer AND a.price < b.price + 1";
        ObjectNode body = Exchange.JSON.createObjectNode().put("sql", sql).put("profile", true);
        JsonNode stacks = Exchange.JSON.createArrayNode();
        for (int i = 0; i < 20 && stacks.isEmpty(); i++) { // it may be over before the first sample
            stacks = browser.json("explain", body.toString()).path("stacks");
        }
        assertFalse(stacks.isEmpty());
        assertTrue(stacks.get(0).path("stack").asText().contains(";"), stacks.toString());
        assertTrue(stacks.get(0).path("operator").isInt(), stacks.toString());
    }

    private static String experiment(String sql, String... columns) {
        ObjectNode body = Exchange.JSON.createObjectNode().put("sql", sql);
        ObjectNode index = body.putObject("index").put("table", "or\"der");
        for (String column : columns) {
            index.withArray("columns").add(column);
        }
        return body.toString();
    }

    private List<JsonNode> lines(String body) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        try (Stream<String> all = browser.post("experiment", body).body().lines()) {
            for (String line : all.toList()) {
                lines.add(Exchange.JSON.readTree(line));
            }
        }
        return lines;
    }

    @Test
    void anIndexIsMeasuredAndGoneAfterwards() throws Exception {
        JsonNode end = lines(experiment(QUERY, "buyer")).getLast().path("end");
        assertTrue(end.path("rounds").asInt() >= 6, end.toString());
        assertTrue(end.path("low").asDouble() <= end.path("ratio").asDouble(), end.toString());
        assertTrue(end.path("high").asDouble() >= end.path("ratio").asDouble(), end.toString());
        assertFalse(end.path("sentence").asText().isEmpty());
        assertEquals(0, indexes());
        execute("UPDATE \"or\"\"der\" SET price = 1 WHERE id = 1"); // no lock is left
    }

    @Test
    void anIndexThatExistsIsMeasuredAndStays() throws Exception {
        execute("CREATE INDEX \"by buyer\" ON \"or\"\"der\" (buyer)");
        ObjectNode body =
                Exchange.JSON.createObjectNode().put("sql", QUERY).put("without", "by buyer");
        List<JsonNode> lines = lines(body.toString());
        assertEquals(
                "DROP INDEX \"by buyer\"", lines.getFirst().path("prepared").path("sql").asText());
        assertTrue(lines.getLast().has("end"), lines.toString());
        assertEquals(1, indexes());
    }

    @Test
    void aPlanNamesTheIndexThatItReadsAndOneOfAnotherSchemaIsMeasured() throws Exception {
        execute("CREATE SCHEMA s");
        execute("CREATE TABLE s.t (id INTEGER PRIMARY KEY, a INTEGER)");
        execute("INSERT INTO s.t SELECT i, MOD(i, 500) FROM GENERATE_SERIES(1, 3000) AS g(i)");
        execute("CREATE INDEX \"t a\" ON s.t (a)");
        String sql = "SELECT * FROM s.t WHERE a = 7";
        JsonNode index = explained(sql).path("plan").findValue("index");
        assertEquals("{\"schema\":\"s\",\"table\":\"t\",\"name\":\"t a\"}", String.valueOf(index));
        ObjectNode body = Exchange.JSON.createObjectNode().put("sql", sql);
        body.put("schema", "s").put("without", "t a");
        List<JsonNode> lines = lines(body.toString());
        assertEquals(
                "DROP INDEX \"s\".\"t a\"", lines.getFirst().path("prepared").path("sql").asText());
        assertTrue(lines.getLast().has("end"), lines.toString());
    }

    @Test
    void onlyQueriesAreMeasuredAndOneAtATime() throws Exception {
        for (String sql :
                List.of(
                        "DELETE FROM \"or\"\"der\"",
                        "COMMIT",
                        "SELECT 1; COMMIT",
                        "SELECT 1; DELETE FROM \"or\"\"der\"")) {
            HttpResponse<String> answer = browser.post("experiment", experiment(sql, "buyer"));
            assertTrue(answer.statusCode() >= 400, sql + ": " + answer.body());
        }
        assertEquals(0, indexes());
        String names = experiment(QUERY, "buyer\"); DROP TABLE \"or\"\"der\"; --");
        assertTrue(lines(names).getLast().has("error"));
        assertEquals(5000, count("SELECT COUNT(*) FROM \"or\"\"der\""));
    }

    @Test
    void aReadOnlyStudioMeasuresNothing() throws Exception {
        try (Studio reading = Studio.open(database, StudioOptions.defaults().withReadOnly(true))) {
            Browser reader = Browser.inside(reading);
            HttpResponse<String> answer = reader.post("experiment", experiment(QUERY, "buyer"));
            assertEquals(403, answer.statusCode(), answer.body());
        }
    }

    private int indexes() throws SQLException {
        return count(
                "SELECT COUNT(*) FROM information_schema.indexes WHERE table_name = 'or\"der'");
    }

    private int count(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
