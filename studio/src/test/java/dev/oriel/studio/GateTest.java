package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Who gets into a studio, and what a page may do.
class GateTest {
    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @BeforeEach
    void open() throws IOException {
        database = Database.inMemory();
        studio = Studio.open(database, StudioOptions.defaults());
    }

    @AfterEach
    void close() {
        studio.close();
        database.close();
    }

    @Test
    void withoutATokenNothingIsAnswered() throws Exception {
        Browser stranger = new Browser(studio);
        assertEquals(401, stranger.get("/").statusCode());
        assertEquals(401, stranger.get("/api/v1/catalog").statusCode());
        assertEquals(401, stranger.get("/main.js").statusCode());
        assertEquals(401, stranger.post("query", "{\"sql\": \"SELECT 1\"}").statusCode());
        assertEquals(401, stranger.get("/?token=0123456789abcdef0123456789abcdef").statusCode());
    }

    @Test
    void aPersonWithoutATokenReadsWhatToDo() throws Exception {
        Browser stranger = new Browser(studio);
        HttpResponse<String> page =
                stranger.send(
                        HttpRequest.newBuilder(stranger.at("/"))
                                .header("Accept", "text/html,application/xhtml+xml"));
        assertEquals(401, page.statusCode());
        assertTrue(page.body().contains("<p>This address was opened without"), page.body());
        assertTrue(page.headers().firstValue("content-type").orElse("").startsWith("text/html"));
    }

    @Test
    void anAddressWorksOnce() throws Exception {
        URI address = studio.address();
        Browser first = new Browser(studio);
        HttpResponse<String> page = first.send(HttpRequest.newBuilder(address));
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("Oriel studio"));
        assertEquals(200, first.get("/api/v1/about").statusCode());
        Browser second = new Browser(studio);
        assertEquals(401, second.send(HttpRequest.newBuilder(address)).statusCode());
    }

    @Test
    void theCookieIsKeptFromScriptsAndOtherSites() throws Exception {
        String answer = raw("GET /?token=" + studio.address().getQuery().substring(6), own());
        assertTrue(answer.contains("HttpOnly; SameSite=Strict"), answer);
        assertTrue(answer.startsWith("HTTP/1.1 303"), answer);
    }

    @Test
    void otherNamesOfThisMachineAreRefused() throws Exception {
        assertTrue(raw("GET /", "evil.example:" + studio.port()).startsWith("HTTP/1.1 403"));
        assertTrue(raw("GET /", "127.0.0.1:1").startsWith("HTTP/1.1 403"));
        assertTrue(raw("GET /", "").startsWith("HTTP/1.1 403"));
    }

    @Test
    void requestsOfOtherSitesAreRefusedWhateverTheirCookie() throws Exception {
        Browser browser = Browser.inside(studio);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(browser.at("/api/v1/query"))
                        .header("Origin", "http://evil.example")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"sql\": \"SELECT 1\"}"));
        assertEquals(403, browser.send(request).statusCode());
        HttpRequest.Builder fetched =
                HttpRequest.newBuilder(browser.at("/api/v1/query"))
                        .header("Sec-Fetch-Site", "cross-site")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"sql\": \"SELECT 1\"}"));
        assertEquals(403, browser.send(fetched).statusCode());
    }

    @Test
    void pagesMayRunOurScriptsAlone() throws Exception {
        HttpResponse<String> page = Browser.inside(studio).get("/");
        String policy = page.headers().firstValue("content-security-policy").orElse("");
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self' 'sha256-"), policy);
        assertTrue(policy.contains("frame-ancestors 'none'"), policy);
        String script =
                policy.substring(policy.indexOf("script-src"), policy.indexOf("; style-src"));
        assertFalse(script.contains("unsafe"), script);
        assertEquals("nosniff", page.headers().firstValue("x-content-type-options").orElse(""));
    }

    @Test
    void everyLibraryOfTheImportMapIsServed() throws Exception {
        Browser browser = Browser.inside(studio);
        int libraries = 0;
        for (var library : Exchange.JSON.readTree(Libraries.load().importMap()).path("imports")) {
            HttpResponse<String> file = browser.get(library.asText());
            assertEquals(200, file.statusCode(), library.asText());
            assertFalse(file.body().isEmpty());
            libraries++;
        }
        assertEquals(17, libraries);
    }

    private String own() {
        return "127.0.0.1:" + studio.port();
    }

    private String raw(String line, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), studio.port())) {
            String request = line + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
