package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Views whose queries have no end: no request takes longer than the options allow.
class TimeLimitTest {
    private static final String ENDLESS =
            "SELECT i FROM GENERATE_SERIES(1, 1000000000000) AS g(i) WHERE i < 0";

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private Browser browser;

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql :
                    List.of(
                            "CREATE VIEW endless AS " + ENDLESS,
                            "CREATE TABLE small (a INTEGER PRIMARY KEY)",
                            "INSERT INTO small SELECT i FROM GENERATE_SERIES(1, 10) AS g(i)",
                            "CREATE TABLE large (a INTEGER PRIMARY KEY, b INTEGER)",
                            "INSERT INTO large SELECT i, MOD(i * 7919, 1000003) FROM GENERATE_SERIES(1, 200000) AS g(i)")) {
                statement.execute(sql);
            }
        }
        studio = Studio.open(database, StudioOptions.defaults().withTimeoutSeconds(1));
        browser = Browser.inside(studio);
    }

    @AfterEach
    void close() {
        studio.close();
        database.close();
    }

    private void endsInTime(String path, String body) throws Exception {
        long begun = System.nanoTime();
        HttpResponse<String> answer = browser.post(path, body);
        long seconds = (System.nanoTime() - begun) / 1_000_000_000;
        assertEquals(422, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("57014"), answer.body());
        assertTrue(seconds < 120, path + " took " + seconds + " s");
    }

    @Test
    void aSummaryAPageAndACellEndInTime() throws Exception {
        endsInTime("summary", "{\"table\": \"endless\", \"column\": \"i\"}");
        endsInTime("rows", "{\"table\": \"endless\"}");
        endsInTime("cell", "{\"table\": \"endless\", \"column\": \"i\", \"key\": {\"i\": 1}}");
    }

    @Test
    void theCatalogCountsSmallTablesFirstAndEstimatesTheRest() throws Exception {
        JsonNode tables = browser.json("catalog").path("tables");
        for (JsonNode table : tables) {
            switch (table.path("name").asText()) {
                case "small" -> {
                    // Counted, if the machine has the time for it.
                    assertEquals(10, table.path("rows").asInt(10));
                    assertEquals(10, table.path("estimate").asInt());
                }
                case "large" -> assertEquals(200_000, table.path("estimate").asInt(), 60_000);
                default -> assertFalse(table.has("rows"), table.toString());
            }
        }
    }

    @Test
    void aCountThatTakesTooLongIsLeftOut() throws Exception {
        Questions questions = new Questions(database, StudioOptions.defaults());
        try (Connection connection = database.connect()) {
            assertEquals(
                    10, questions.numberWithin(60_000, connection, "SELECT COUNT(*) FROM small"));
            assertEquals(
                    null, questions.numberWithin(100, connection, "SELECT COUNT(*) FROM endless"));
            assertEquals(null, questions.numberWithin(0, connection, "SELECT 1"));
        }
    }
}
