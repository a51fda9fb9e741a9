package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Recordings that are opened, shown, compared and exported.
class RecordingsTest {
    private static final String STACKS =
            "main;shop.Shop.sell;shop.Shop.find %d\nmain;shop.Shop.sell 40\n";

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private Browser browser;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        database = Database.inMemory();
        studio = Studio.open(database, StudioOptions.defaults());
        browser = Browser.inside(studio);
    }

    @AfterEach
    void close() {
        studio.close();
        database.close();
    }

    private HttpResponse<String> upload(String name, String content) throws Exception {
        int half = content.length() / 2;
        String first = "recordings/upload?name=" + name;
        HttpResponse<String> begun = browser.post(first, content.substring(0, half));
        long id = Exchange.JSON.readTree(begun.body()).path("id").asLong();
        return browser.post(first + "&last=true&id=" + id, content.substring(half));
    }

    private long opened(String name, String content) throws Exception {
        HttpResponse<String> answer = upload(name, content);
        assertEquals(200, answer.statusCode(), answer.body());
        return Exchange.JSON.readTree(answer.body()).path("id").asLong();
    }

    @Test
    void aFileThatArrivesInPartsIsShown() throws Exception {
        long id = opened("%3Cb%3Enight%3C%2Fb%3E", STACKS.formatted(60));
        JsonNode shown = browser.json("recordings/show?id=" + id);
        assertEquals("<b>night</b>", shown.path("name").asText());
        JsonNode clock = shown.path("clocks").get(0);
        assertEquals("main;shop.Shop.sell;shop.Shop.find", clock.at("/stacks/0/stack").asText());
        assertEquals(60, clock.at("/stacks/0/weight").asInt());
        String name = "{\"id\": %d, \"name\": \"morning\"}".formatted(id);
        assertEquals(
                "morning", browser.json("recordings/name", name).at("/recordings/0/name").asText());
        assertTrue(browser.json("recordings/remove", name).path("recordings").isEmpty());
        assertEquals(404, browser.get("/api/v1/recordings/show?id=" + id).statusCode());
    }

    @Test
    void anExportIsOnePageThatTheBrowserSaves() throws Exception {
        long id = opened("night", STACKS.formatted(60));
        HttpResponse<String> page = browser.get("/api/v1/recordings/page?id=" + id);
        assertTrue(
                page.headers()
                        .firstValue("content-disposition")
                        .orElse("")
                        .startsWith("attachment"));
        assertTrue(page.body().contains("shop.Shop"), page.body());
        assertFalse(page.body().contains("src=\"http"));
    }

    @Test
    void whatIsNoRecordingIsRefusedWithoutAPath() throws Exception {
        for (String content :
                new String[] {"AAAA", "JAVA PROFILE 1.0.2\0", "{}", "PK\u0003\u0004x"}) {
            HttpResponse<String> answer = upload("..%2F..%2Fnight.bin", content);
            assertEquals(400, answer.statusCode(), answer.body());
            assertFalse(
                    answer.body().contains(System.getProperty("java.io.tmpdir")), answer.body());
        }
        assertTrue(browser.json("recordings").path("recordings").isEmpty());
        assertEquals(404, browser.post("recordings/upload?name=a&id=77", "a 1").statusCode());
        assertEquals(400, browser.get("/api/v1/recordings/show?id=x").statusCode());
    }

    @Test
    void severalRecordingsOfEachSideGiveIntervalsAndASentence() throws Exception {
        ObjectNode sides = Exchange.JSON.createObjectNode();
        ArrayNode before = sides.putArray("a");
        ArrayNode after = sides.putArray("b");
        for (int i = 0; i < 6; i++) {
            before.add(opened("before", STACKS.formatted(400 + i)));
            after.add(opened("after", STACKS.formatted(20 + i)));
        }
        JsonNode all = browser.json("recordings/compare", sides.toString());
        JsonNode one = all.path("comparisons").get(0);
        boolean faster = false;
        for (JsonNode method : one.path("methods")) {
            if (method.path("method").asText().equals("shop.Shop.find")) {
                faster |= method.at("/total/verdict").asText().equals("faster");
                assertTrue(method.at("/total/high").asDouble() < 1, method.toString());
            }
        }
        assertTrue(faster, all.toString());
        assertTrue(all.at("/texts/0").asText().contains("after (6 recordings)"), all.toString());
        sides.put("page", true);
        HttpResponse<String> page = browser.post("recordings/compare", sides.toString());
        assertTrue(page.body().startsWith("<!doctype html>"), page.body());
        sides.putArray("b");
        assertEquals(400, browser.post("recordings/compare", sides.toString()).statusCode());
    }

    @Test
    void theProgramIsRecordedUntilTheStudioIsClosed() throws Exception {
        String body = "{\"name\": \"now\", \"seconds\": 1}";
        assertTrue(browser.json("recordings/record", body).path("wall_ms").asDouble() >= 900);
        Path folder;
        try (var all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            folder =
                    all.filter(file -> file.getFileName().toString().startsWith("oriel-studio"))
                            .filter(file -> Files.exists(file.resolve("1.orun")))
                            .max(RecordingsTest::byAge)
                            .orElseThrow();
        }
        studio.close();
        assertFalse(Files.exists(folder));
    }

    private static int byAge(Path a, Path b) {
        return Long.compare(a.toFile().lastModified(), b.toFile().lastModified());
    }
}
