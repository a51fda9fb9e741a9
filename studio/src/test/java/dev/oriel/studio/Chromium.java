package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A Chromium without a window, driven over its DevTools protocol.
final class Chromium implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

    /// Messages of the console and errors of scripts.
    final List<String> messages = new CopyOnWriteArrayList<>();

    private Chromium(Path program, Path folder) throws Exception {
        process =
                new ProcessBuilder(
                                program.toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + folder,
                                "about:blank")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            socket =
                    client.newWebSocketBuilder()
                            .buildAsync(page(folder.resolve("DevToolsActivePort")), new Listener())
                            .get(1, TimeUnit.MINUTES);
            for (String domain : List.of("Page", "Runtime", "Log")) {
                ask(domain + ".enable", Exchange.JSON.createObjectNode());
            }
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /// The browser of this machine with a profile in `folder`; null if there is none.
    static @Nullable Chromium open(Path folder) throws Exception {
        for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
            for (String name : NAMES) {
                Path program = Path.of(place, name);
                if (Files.isExecutable(program)) {
                    return new Chromium(program, folder);
                }
            }
        }
        return null;
    }

    /// Address of the first page's socket.
    private URI page(Path portFile) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < deadline && process.isAlive()) {
            List<String> lines = Files.exists(portFile) ? Files.readAllLines(portFile) : List.of();
            if (lines.size() > 1) {
                URI list = URI.create("http://127.0.0.1:" + lines.getFirst() + "/json");
                String body =
                        client.send(
                                        HttpRequest.newBuilder(list).build(),
                                        HttpResponse.BodyHandlers.ofString())
                                .body();
                for (JsonNode target : Exchange.JSON.readTree(body)) {
                    if (target.path("type").asText().equals("page")) {
                        return URI.create(target.path("webSocketDebuggerUrl").asText());
                    }
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("Chromium has not opened a page; start it by hand to see why.");
    }

    private JsonNode ask(String method, ObjectNode parameters) throws Exception {
        int number = numbers.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        ObjectNode message = Exchange.JSON.createObjectNode().put("id", number);
        message.put("method", method).set("params", parameters);
        socket.sendText(message.toString(), true).get(1, TimeUnit.MINUTES);
        return answer.get(2, TimeUnit.MINUTES).path("result");
    }

    void go(String address) throws Exception {
        ask("Page.navigate", Exchange.JSON.createObjectNode().put("url", address));
    }

    /// The value of an expression, which may be a promise.
    JsonNode run(String script) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode().put("expression", script);
        parameters.put("awaitPromise", true).put("returnByValue", true);
        JsonNode answer = ask("Runtime.evaluate", parameters);
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(script + ": " + answer.path("exceptionDetails"));
        }
        return answer.at("/result/value");
    }

    /// Waits until an expression is true; one that throws is not yet.
    void await(String script) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        String asked = "(() => { try { return !!(" + script + "); } catch { return false; } })()";
        while (!run(asked).asBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        script + " stays false on " + run("document.body.innerText") + messages);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /// Gives the page a size in pixels of CSS.
    void size(int width, int height) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode();
        parameters.put("width", width).put("height", height);
        parameters.put("deviceScaleFactor", 1).put("mobile", false);
        ask("Emulation.setDeviceMetricsOverride", parameters);
    }

    /// A picture of the page as PNG.
    byte[] picture() throws Exception {
        JsonNode png =
                ask(
                        "Page.captureScreenshot",
                        Exchange.JSON.createObjectNode().put("format", "png"));
        return Base64.getDecoder().decode(png.path("data").asText());
    }

    /// Types text into the element that has the focus.
    void type(String text) throws Exception {
        ask("Input.insertText", Exchange.JSON.createObjectNode().put("text", text));
    }

    /// Presses a key, such as `Tab`, with the modifiers of the protocol: 2 is Ctrl.
    void press(String key, int code, int modifiers) throws Exception {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            ObjectNode event = Exchange.JSON.createObjectNode().put("type", type);
            event.put("key", key).put("code", key).put("windowsVirtualKeyCode", code);
            ask("Input.dispatchKeyEvent", event.put("modifiers", modifiers));
            if (key.equals("Enter") && modifiers == 0 && type.equals("rawKeyDown")) {
                ObjectNode text = event.deepCopy().put("type", "char").put("text", "\r");
                ask("Input.dispatchKeyEvent", text);
            }
        }
    }

    /// Ends the browser and all of its processes, so that none writes into its folder any more.
    @Override
    public void close() {
        socket.abort();
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        process.destroy();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        for (ProcessHandle one : all) {
            one.destroyForcibly();
        }
        for (ProcessHandle one : all) {
            one.onExit().orTimeout(1, TimeUnit.MINUTES).join();
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                try {
                    received(Exchange.JSON.readTree(text.toString()));
                } catch (IOException e) {
                    messages.add("no JSON: " + e.getMessage());
                }
                text.setLength(0);
            }
            webSocket.request(1);
            return null;
        }

        private void received(JsonNode message) {
            CompletableFuture<JsonNode> answer = waiting.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
            switch (message.path("method").asText()) {
                case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded" ->
                        messages.add(message.path("params").toString());
                default -> {} // an answer, or news of no concern here
            }
        }
    }
}
