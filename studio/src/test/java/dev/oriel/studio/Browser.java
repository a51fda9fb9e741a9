package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A client that keeps cookies, as a browser does, and shows what it was answered.
final class Browser {
    private final Studio studio;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();

    Browser(Studio studio) {
        this.studio = studio;
    }

    /// One that has opened the address of `studio`.
    static Browser inside(Studio studio) throws IOException, InterruptedException {
        Browser browser = new Browser(studio);
        browser.send(HttpRequest.newBuilder(studio.address()));
        return browser;
    }

    /// Waits until something holds. It asks again and again, with pauses that leave the processor to others.
    static void await(String meaning, Callable<Boolean> holds) throws Exception {
        long deadline = System.nanoTime() + RemoteSocket.PATIENCE_NANOS;
        while (!holds.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("It does not come true that " + meaning + ".");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + studio.port() + path);
    }

    HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(at(path)));
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(at("/api/v1/" + path))
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /// The answer to a GET of the interface, which must be fine.
    JsonNode json(String path) throws IOException, InterruptedException {
        return json(get("/api/v1/" + path));
    }

    /// The answer to a POST of the interface, which must be fine.
    JsonNode json(String path, String body) throws IOException, InterruptedException {
        return json(post(path, body));
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return Exchange.JSON.readTree(response.body());
    }

    /// The lines of the answer to a statement.
    List<JsonNode> query(String sql) throws IOException, InterruptedException {
        String body = Exchange.JSON.createObjectNode().put("sql", sql).toString();
        try (Stream<String> lines = post("query", body).body().lines()) {
            return lines.map(Browser::parsed).toList();
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return Exchange.JSON.readTree(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }
}
