package dev.oriel.studio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The HTTP interface of the studio, as its page and scripts use it.
class StudioTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private Browser browser;

    @BeforeEach
    void open() throws IOException, InterruptedException, SQLException {
        database = Database.inMemory();
        execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER)");
        execute(
                "CREATE TABLE visit (id INTEGER PRIMARY KEY, person INTEGER REFERENCES person (id))");
        execute(
                "INSERT INTO person SELECT i, 'n' || i, CASE WHEN MOD(i, 7) = 0 THEN NULL ELSE MOD(i, 5)"
                        + " END FROM GENERATE_SERIES(1, 1000) AS g(i)");
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

    @Test
    void theCatalogHasTablesWithTheirRowsAndKeysInBothDirections() throws Exception {
        JsonNode tables = browser.json("catalog").path("tables");
        assertEquals("person", tables.get(0).path("name").asText());
        // Rows and bytes are there if the machine has the time for them.
        assertEquals(1000, tables.get(0).path("rows").asInt(1000));
        assertEquals(1000, tables.get(0).path("estimate").asInt(), 300);
        int bytes = tables.get(0).path("bytes").asInt(8_001);
        assertTrue(bytes > 8_000 && bytes < 80_000, "it is " + bytes);
        JsonNode person = browser.json("table?name=person");
        assertEquals("[\"id\"]", person.path("primaryKey").toString());
        assertEquals("visit", person.path("exported").get(0).path("table").asText());
        JsonNode visit = browser.json("table?name=visit");
        assertEquals("person", visit.path("imported").get(0).path("table").asText());
        assertEquals(404, browser.get("/api/v1/table?name=nobody").statusCode());
    }

    @Test
    void functionsAreCompletedWithSignaturePurposeAndExample() throws Exception {
        execute("CREATE FUNCTION twice(x INT) RETURNS INT RETURN x * 2");
        JsonNode words = browser.json("words");
        for (String name : List.of("lpad", "twice", "flame_graph", "sys.cancel")) {
            assertTrue(words.path("functions").toString().contains('"' + name + '"'), name);
        }
        JsonNode found = null;
        for (JsonNode signature : words.path("signatures")) {
            found = signature.path("name").asText().equals("lpad") ? signature : found;
        }
        assertTrue(found != null);
        assertEquals(
                "lpad(value text, length integer, [fill text])", found.path("signature").asText());
        assertEquals("text", found.path("result").asText());
        assertEquals("SELECT lpad('7', 3, '0')", found.path("example").asText());
        assertEquals("007", found.path("answer").asText());
    }

    @Test
    void pagesGiveEachRowOnceInTheOrderOfAnIndex() throws Exception {
        JsonNode unsorted = browser.json("rows", "{\"table\": \"person\", \"order\": \"age\"}");
        assertFalse(unsorted.path("indexed").asBoolean());
        execute("CREATE INDEX person_age ON person (age)");
        JsonNode sorted = browser.json("rows", "{\"table\": \"person\", \"order\": \"age\"}");
        assertTrue(sorted.path("indexed").asBoolean());
        readAllInEachOrder();
        JsonNode last =
                browser.json(
                        "rows",
                        "{\"table\": \"person\", \"order\": \"age\", \"descending\": true, \"limit\": 150}");
        assertTrue(last.path("rows").get(0).get(2).isNull());
        assertEquals(4, last.path("rows").get(149).get(2).asInt());
        assertEquals(
                400,
                browser.post(
                                "rows",
                                "{\"table\": \"person\", \"order\": \"age\", \"after\": [1, 2, 3]}")
                        .statusCode());
    }

    @Test
    void pagesGiveEachRowOnceInAnyOrder() throws Exception {
        readAllInEachOrder();
    }

    private void readAllInEachOrder() throws Exception {
        for (String order : List.of("id", "age", "name")) {
            for (boolean descending : new boolean[] {false, true}) {
                List<String> seen = new ArrayList<>();
                String after = "";
                boolean more = true;
                while (more) {
                    String body =
                            "{\"table\": \"person\", \"limit\": 90, \"order\": \"%s\", \"descending\": %s%s}"
                                    .formatted(order, descending, after);
                    JsonNode page = browser.json("rows", body);
                    page.path("rows").forEach(row -> seen.add(row.get(0).asText()));
                    after = ", \"after\": " + page.path("last");
                    more = page.path("more").asBoolean();
                }
                assertEquals(1000, seen.size(), order + " " + descending);
                assertEquals(1000, seen.stream().distinct().count());
            }
        }
    }

    @Test
    void filtersAreParametersAndNeverText() throws Exception {
        String where =
                "{\"table\": \"person\", \"where\": [{\"column\": \"name\", \"op\": \"=\", \"value\": \"%s\"}]}";
        assertEquals(1, browser.json("rows", where.formatted("n7")).path("rows").size());
        assertEquals(0, browser.json("rows", where.formatted("' OR '1'='1")).path("rows").size());
        String operator = where.formatted("n7").replace("\"=\"", "\"= 1 OR 1 =\"");
        assertEquals(400, browser.post("rows", operator).statusCode());
        String column =
                where.formatted("n7")
                        .replace(
                                "\"column\": \"name\"",
                                "\"column\": \"name\\\" = 'n7' OR \\\"id\"");
        assertEquals(422, browser.post("rows", column).statusCode());
    }

    @Test
    void statementsStreamTheirResultsUpToTheFirstError() throws Exception {
        List<JsonNode> lines =
                browser.query(
                        "SELECT 1 AS a, 'x' AS b; UPDATE person SET age = 1 WHERE id < 4; SELECT 1 / (id - id) FROM person");
        assertEquals("a", lines.get(0).path("columns").get(0).path("name").asText());
        assertEquals("[1,\"x\"]", lines.get(1).path("row").toString());
        assertEquals(1, lines.get(2).path("end").path("rows").asInt());
        assertEquals(3, lines.get(3).path("updated").path("rows").asInt());
        assertEquals("22012", lines.getLast().path("error").path("state").asText());
    }

    @Test
    void errorsNameTheirPlace() throws Exception {
        JsonNode error = browser.query("SELECT nam FROM person").getLast().path("error");
        assertEquals("42703", error.path("state").asText());
        assertEquals(7, error.path("position").asInt());
        JsonNode second =
                browser.query("SELECT 1;\n SELECT nam FROM person; SELECT 2")
                        .getLast()
                        .path("error");
        assertEquals(18, second.path("position").asInt());
        JsonNode open = browser.query("SELECT 'x").getLast().path("error");
        assertEquals("42601", open.path("state").asText("42601"));
        assertEquals(7, open.path("position").asInt());
    }

    @Test
    void numbersKeepTheirDigitsAndLongTextIsCut() throws Exception {
        JsonNode row =
                browser.query(
                                "SELECT 9007199254740993 AS a, CAST(0.1 AS REAL) AS b, CAST(12.50 AS DECIMAL(8, 2))"
                                        + " AS c, REPEAT('x', 5000) AS d, CAST('NaN' AS DOUBLE) AS e")
                        .get(1)
                        .path("row");
        assertEquals("\"9007199254740993\"", row.get(0).toString());
        assertEquals("0.1", row.get(1).toString());
        assertEquals("\"12.50\"", row.get(2).toString());
        assertEquals(5000, row.get(3).path("length").asInt());
        assertEquals("\"NaN\"", row.get(4).toString());
    }

    @Test
    void aFileHasWholeValuesAndItsStatementChangesNothing() throws Exception {
        String whole =
                "{\"sql\": \"SELECT REPEAT('x', 5000) AS a, CAST(NULL AS VARCHAR) AS a\", \"whole\": true}";
        String answer = browser.post("query", whole).body();
        assertTrue(answer.contains("\"" + "x".repeat(5000) + "\",null]"), answer);
        String change = "{\"sql\": \"DELETE FROM visit; DELETE FROM person\", \"whole\": true}";
        assertTrue(browser.post("query", change).body().contains("error"));
        assertEquals("n5", name(5));
    }

    @Test
    void eachStatementTakesItsParameters() throws Exception {
        String body =
                "{\"sql\": \"SELECT name FROM person WHERE id = ?; SELECT 7;"
                        + " SELECT COUNT(*) FROM person WHERE id BETWEEN ? AND ?\", \"parameters\": %s}";
        List<String> rows = new ArrayList<>();
        for (String line :
                browser.post("query", body.formatted("[3, 5, 9]")).body().lines().toList()) {
            JsonNode json = Exchange.JSON.readTree(line);
            assertFalse(json.has("error"), line);
            if (json.has("row")) {
                rows.add(json.path("row").get(0).asText());
            }
        }
        assertEquals(List.of("n3", "7", "5"), rows);
        String few = browser.post("query", body.formatted("[3, 5]")).body();
        assertTrue(few.contains("needs 2 parameters, and 1 are left; give 3 in all"), few);
        String many = browser.post("query", body.formatted("[3, 5, 9, 11]")).body();
        assertTrue(many.contains("take 3 parameters, and 4 were given"), many);
    }

    @Test
    void rowsBeyondTheLimitAreLeftOut() throws Exception {
        String body = "{\"sql\": \"SELECT id FROM person\", \"rowsMax\": 10}";
        String answer = browser.post("query", body).body();
        assertTrue(answer.contains("\"rows\":10,\"more\":true"), answer);
    }

    @Test
    void aRunningStatementIsCancelledByItsName() throws Exception {
        String endless =
                "{\"id\": \"q\", \"sql\": \"SELECT COUNT(*) FROM GENERATE_SERIES(1, 1000000000000) AS g(i)\"}";
        CompletableFuture<String> answer =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return browser.post("query", endless).body();
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!browser.json("cancel", "{\"id\": \"q\"}").path("cancelled").asBoolean()) {
            assertTrue(System.nanoTime() < deadline, "the statement never began");
        }
        while (!answer.isDone()) { // it may have been told before it looked
            browser.json("cancel", "{\"id\": \"q\"}");
            assertTrue(System.nanoTime() < deadline, "the statement goes on");
        }
        assertTrue(answer.get().contains("57014"), answer.get());
    }

    @Test
    void aRowIsChangedAfterItsSqlWasShown() throws Exception {
        String change =
                "{\"table\": \"person\", \"key\": {\"id\": 5}, \"set\": {\"name\": \"O'Hara\"}%s}";
        JsonNode shown = browser.json("change", change.formatted(", \"preview\": true"));
        assertEquals(
                "UPDATE \"person\" SET \"name\" = 'O''Hara' WHERE \"id\" = 5",
                shown.path("sql").asText());
        assertEquals("n5", name(5));
        assertEquals(1, browser.json("change", change.formatted("")).path("rows").asInt());
        assertEquals("O'Hara", name(5));
        assertEquals(
                1,
                browser.json("change", "{\"table\": \"person\", \"key\": {\"id\": 5}}")
                        .path("rows")
                        .asInt());
        HttpResponse<String> gone = browser.post("change", change.formatted(""));
        assertEquals(409, gone.statusCode());
        String all = "{\"table\": \"person\", \"key\": {\"age\": 1}, \"set\": {\"name\": \"x\"}}";
        assertEquals(400, browser.post("change", all).statusCode());
    }

    private String name(int id) throws Exception {
        return browser.query("SELECT name FROM person WHERE id = " + id)
                .get(1)
                .path("row")
                .get(0)
                .asText();
    }

    @Test
    void explainAnalyzeLeavesNothingBehind() throws Exception {
        JsonNode plan =
                browser.json("explain", "{\"sql\": \"DELETE FROM person\", \"analyze\": true}");
        assertTrue(plan.path("plan").isArray(), plan.toString());
        assertEquals(
                1000,
                browser.query("SELECT COUNT(*) FROM person").get(1).path("row").get(0).asInt());
    }

    @Test
    void aReadOnlyStudioRefusesEveryChange() throws Exception {
        String vertex = "{\"gremlin\": \"g.addV('person')\", \"create\": true}";
        browser.json("gremlin", vertex);
        try (Studio reading = Studio.open(database, StudioOptions.defaults().withReadOnly(true))) {
            Browser reader = Browser.inside(reading);
            for (String sql :
                    List.of(
                            "DELETE FROM person",
                            "CREATE TABLE t (a INT)",
                            "COMMIT; DELETE FROM person",
                            "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE;"
                                    + " DELETE FROM person",
                            "SET default_transaction_read_only = off; DELETE FROM person",
                            "COPY person TO '/tmp/person.csv'",
                            "WITH w AS (SELECT 1) DELETE FROM person",
                            "TRUNCATE TABLE visit")) {
                JsonNode last = reader.query(sql).getLast();
                assertTrue(last.has("error"), sql + ": " + last);
            }
            assertEquals(
                    403,
                    reader.post("change", "{\"table\": \"person\", \"key\": {\"id\": 1}}")
                            .statusCode());
            assertEquals(403, reader.post("gremlin", vertex).statusCode());
            assertEquals(
                    1000,
                    reader.query("SELECT COUNT(*) FROM person").get(1).path("row").get(0).asInt());
        }
    }

    @Test
    void gremlinAnswersWithElementsAndCannotRunCode() throws Exception {
        String city = "{\"gremlin\": \"g.addV('city').property('name', 'Graz')\"%s}";
        assertEquals(404, browser.post("gremlin", city.formatted("")).statusCode());
        assertTrue(browser.json("catalog").path("graphs").isEmpty());
        browser.json("gremlin", city.formatted(", \"create\": true"));
        JsonNode answer = browser.json("gremlin", "{\"gremlin\": \"g.V()\"}");
        assertEquals("city", answer.path("results").get(0).path("label").asText());
        assertEquals(
                "Graz", answer.path("results").get(0).path("properties").path("name").asText());
        String code = "{\"gremlin\": \"Runtime.getRuntime().exec('true')\"}";
        assertEquals(400, browser.post("gremlin", code).statusCode());
        String wrong = "{\"gremlin\": \"g.V()\\n  .nothing()\"}";
        JsonNode error =
                Exchange.JSON.readTree(browser.post("gremlin", wrong).body()).path("error");
        assertEquals(9, error.path("position").asInt(-1), error::toString);
        String file = "{\"gremlin\": \"g.io('%s').write()\"}".formatted(folder.resolve("g.json"));
        assertEquals(403, browser.post("gremlin", file).statusCode());
        assertFalse(Files.exists(folder.resolve("g.json")));
    }

    @Test
    void aTraversalThatTakesTooLongEnds() throws Exception {
        StudioOptions second = StudioOptions.defaults().withTimeoutSeconds(1);
        try (Studio hasty = Studio.open(database, second)) {
            Browser hurried = Browser.inside(hasty);
            String one = "{\"gremlin\": \"g.addV()\", \"create\": true}";
            hurried.post("gremlin", one);
            String endless =
                    "{\"gremlin\": \"g.V().repeat(identity()).emit().count()\", \"create\": true}";
            HttpResponse<String> answer = hurried.post("gremlin", endless);
            assertEquals(408, answer.statusCode(), answer.body());
        }
    }

    @Test
    void twoStudiosOfOneBrowserDoNotLockEachOtherOut() throws Exception {
        try (Studio other = Studio.open(database, StudioOptions.defaults())) {
            browser.send(HttpRequest.newBuilder(other.address()));
            assertEquals(200, browser.get("/api/v1/about").statusCode());
        }
    }

    @Test
    void statementsAndTheirCostAreObserved() throws Exception {
        execute("SELECT name FROM person WHERE id = 3");
        JsonNode now = browser.json("observe");
        boolean seen = false;
        for (JsonNode statement : now.path("statements")) {
            seen |=
                    statement
                            .path("statement")
                            .asText()
                            .equals("SELECT name FROM person WHERE id = ?");
        }
        assertTrue(seen, now.path("statements").toString());
        assertFalse(now.path("store").isEmpty());
        assertFalse(now.path("overhead").isEmpty());
    }

    @Test
    void openTransactionsAreObserved() throws Exception {
        try (Connection open = database.connect();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.executeUpdate("UPDATE person SET age = 9 WHERE id = 1");
            JsonNode transactions = browser.json("observe").path("transactions");
            assertEquals(1, transactions.size(), transactions.toString());
            assertFalse(transactions.get(0).path("read_only").asBoolean());
            assertTrue(transactions.get(0).path("writes").asInt() > 0, transactions.toString());
            open.rollback();
        }
        assertTrue(browser.json("observe").path("transactions").isEmpty());
    }

    @Test
    void aSummaryCountsNullsAndFrequentValues() throws Exception {
        JsonNode age = browser.json("summary", "{\"table\": \"person\", \"column\": \"age\"}");
        assertEquals(1000, age.path("rows").asInt());
        assertEquals(858, age.path("present").asInt());
        assertEquals(5, age.path("distinct").asInt());
        int drawn = 0;
        for (JsonNode bin : age.path("histogram")) {
            drawn += bin.asInt();
        }
        assertEquals(858, drawn);
        JsonNode about = age.path("about");
        assertEquals(1000, about.path("rows").asInt(), 50);
        assertEquals(0.142, about.path("nulls").asDouble(), 0.01);
        assertEquals(5, about.path("distinct").asInt(), 1);
        JsonNode name = browser.json("summary", "{\"table\": \"person\", \"column\": \"name\"}");
        assertFalse(name.has("histogram"));
    }

    @Test
    void seriesAreJudgedTogether() throws Exception {
        String slower = "{\"a\": [1, 1.1, 0.9, 1.05, 0.95, 1], \"b\": [2, 2.1, 1.9, 2.05]}";
        String same = "{\"a\": [1, 2, 1, 2], \"b\": [2, 1, 2, 1]}";
        String series = "{\"series\": [" + slower + "," + same + "]}";
        JsonNode changes = browser.json("compare", series).path("changes");
        assertEquals("slower", changes.get(0).path("verdict").asText());
        assertTrue(changes.get(0).path("low").asDouble() > 1.5, changes.toString());
        assertEquals("unknown", changes.get(1).path("verdict").asText());
        String negative = series.replace("1.1", "-1");
        assertEquals(400, browser.post("compare", negative).statusCode());
        assertEquals(400, browser.post("compare", "{}").statusCode());
    }

    @Test
    void unknownPathsMethodsAndBodiesAreRefused() throws Exception {
        assertEquals(404, browser.get("/../../etc/passwd").statusCode());
        assertEquals(404, browser.get("/lib/..%2f..%2fmodule.js").statusCode());
        assertEquals(405, browser.post("nothing", "{}").statusCode());
        assertEquals(400, browser.post("query", "[").statusCode());
        assertEquals(400, browser.post("rows", "{}").statusCode());
    }

    @Test
    void aTakenPortIsAnError() {
        StudioOptions same = StudioOptions.defaults().withPort(studio.port());
        IOException refused = assertThrows(IOException.class, () -> Studio.open(database, same));
        assertTrue(String.valueOf(refused.getMessage()).contains("choose another one"));
        assertThrows(
                IllegalArgumentException.class, () -> StudioOptions.defaults().withPort(70_000));
    }

    @Test
    void statementsOnASchemaThatEndsLikeTheSystemsAreObserved() throws Exception {
        browser.query("CREATE SCHEMA mysys");
        browser.query("CREATE TABLE mysys.t (a INTEGER)");
        browser.query("SELECT a FROM mysys.t");
        browser.query("SELECT name FROM sys.store");
        List<String> seen = new ArrayList<>();
        browser.json("observe")
                .path("statements")
                .forEach(one -> seen.add(one.path("statement").asText()));
        assertTrue(seen.contains("SELECT a FROM mysys.t"), seen.toString());
        assertFalse(seen.contains("SELECT name FROM sys.store"), seen.toString());
    }

    /// A browser whose connection stays open would wait for an answer for ever.
    @Test
    void closingEndsTheConnectionsOfAllBrowsers() throws Exception {
        for (int round = 0; round < 30; round++) {
            List<Socket> browsers = new ArrayList<>();
            try (Studio closing = Studio.open(database, StudioOptions.defaults())) {
                for (int i = 0; i < 20; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), closing.port());
                    browsers.add(socket);
                    socket.setSoTimeout(20_000);
                    socket.getOutputStream()
                            .write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(US_ASCII));
                }
            }
            for (Socket socket : browsers) {
                try (socket) {
                    socket.getInputStream().readAllBytes();
                } catch (SocketTimeoutException e) {
                    throw new AssertionError("A connection of round " + round + " is open", e);
                } catch (SocketException e) {
                    assertEquals("Connection reset", e.getMessage());
                }
            }
        }
    }
}
