package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Profiles of the studio beside those of SQL, and what is left for later.
class ProfilesTest {
    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private Browser browser;

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory();
        studio = Studio.open(database);
        browser = Browser.inside(studio);
    }

    @AfterEach
    void close() {
        studio.close();
        database.close();
    }

    private void call(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CALL " + sql);
        }
    }

    private long runningProfile() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT MAX(run) FROM sys.profile_runs WHERE notes = 'running'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void start(String seconds) throws Exception {
        browser.json("profile/start", "{\"what\": \"tree\"" + seconds + "}");
    }

    @Test
    void aClosedStudioEndsItsProfileAndNoOther() throws Exception {
        start("");
        assertEquals(1, runningProfile());
        studio.close();
        assertEquals(0, runningProfile());
    }

    @Test
    void aProfileThatSqlHasEndedDoesNotKeepTheStudioFromClosing() throws Exception {
        start("");
        call("sys.profile_stop()");
        studio.close();
        call("sys.profile_start('tree')");
        call("sys.profile_stop()");
    }

    @Test
    void aProfileOfSqlOutlivesTheStudio() throws Exception {
        start("");
        call("sys.profile_stop()");
        call("sys.profile_start('tree')");
        studio.close();
        assertEquals(2, runningProfile());
        call("sys.profile_stop()");
    }

    @Test
    void theTimerEndsItsOwnProfileAlone() throws Exception {
        start(", \"seconds\": 1");
        call("sys.profile_stop(1)");
        call("sys.profile_start('tree')");
        long end = System.nanoTime() + 1_500_000_000L;
        while (System.nanoTime() < end) {
            assertEquals(2, runningProfile());
        }
        call("sys.profile_stop(1)");
        assertEquals(1, browser.json("profile/stop", "{\"run\": 1}").path("run").asInt());
        assertEquals(2, runningProfile());
        call("sys.profile_stop(2)");
        assertEquals(0, runningProfile());
    }

    @Test
    void whatFailsLaterDoesNotKeepStatementsFromBeingCancelled() throws Exception {
        Questions questions = new Questions(database, StudioOptions.defaults());
        List<String> done = new ArrayList<>();
        questions.later(
                600,
                () -> {
                    throw new IOException("no");
                });
        questions.later(600, () -> done.add("late"));
        Questions.Later dropped = () -> done.add("dropped");
        questions.later(600, dropped);
        questions.drop(dropped);
        questions.cancellable(
                "one",
                () -> done.add("cancelled"),
                () -> assertThrows(IllegalStateException.class, questions::cancelAll));
        assertEquals(List.of("late", "cancelled"), done);
        assertThrows(RequestException.class, () -> questions.cancellable("two", () -> {}, () -> 1));
        questions.later(600, () -> done.add("at once"));
        assertTrue(done.contains("at once"), done.toString());
    }

    @Test
    void aProfileOfOneSessionNamesOneThatIsThere() throws Exception {
        for (String part :
                List.of(
                        "\"session\": 999",
                        "\"fingerprint\": \"00000000000000ff\"",
                        "\"session\": 1, \"fingerprint\": \"none\"")) {
            assertEquals(
                    422,
                    browser.post("profile/start", "{\"what\": \"cpu\", " + part + "}").statusCode(),
                    part);
        }
        assertEquals(
                400,
                browser.post("profile/start", "{\"what\": \"cpu\", \"session\": \"1\"}")
                        .statusCode());
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT session FROM sys.sessions WHERE state = 'executing'")) {
            rows.next();
            long session = rows.getLong(1);
            browser.json("profile/start", "{\"what\": \"cpu\", \"session\": " + session + "}");
            browser.json("profile/stop", "{}");
            assertEquals(
                    "cpu of session " + session,
                    browser.json("profile").path("runs").path(0).path("what").asText());
        }
    }

    @Test
    void eachKindHasItsOwnStacks() throws Exception {
        Set<String> kinds = new TreeSet<>();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!kinds.containsAll(List.of("cpu", "allocation"))) {
            assertTrue(System.nanoTime() < deadline, kinds.toString());
            JsonNode started = browser.json("profile/start", "{\"what\": \"cpu,alloc\"}");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            while (System.nanoTime() < end) {
                browser.query("SELECT COUNT(*) FROM GENERATE_SERIES(1, 100000) AS g(i)");
            }
            browser.json("profile/stop", "{}");
            String run = "profile?run=" + started.path("run").asLong();
            for (JsonNode clock : browser.json(run).path("clocks")) {
                kinds.add(clock.path("kind").asText());
                assertTrue(clock.path("stacks").get(0).has("weight"), clock.toString());
            }
        }
    }
}
