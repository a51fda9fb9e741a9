package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A Chromium without a window, driven over its DevTools protocol.
final class Chromium extends RemoteBrowser {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");

    private Chromium(Path program, Path folder, List<String> options) throws Exception {
        super(
                new ProcessBuilder(command(program, folder, options))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD));
        connect(page(folder.resolve("DevToolsActivePort")));
        for (String domain : List.of("Page", "Runtime", "Log")) {
            ask(domain + ".enable", Exchange.JSON.createObjectNode());
        }
    }

    private static List<String> command(Path program, Path folder, List<String> options) {
        List<String> words = new ArrayList<>(List.of(program.toString()));
        words.addAll(
                List.of(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder));
        words.addAll(options);
        words.add("about:blank");
        return words;
    }

    /// The browser of this machine with a profile in `folder`; null if there is none.
    static @Nullable Chromium open(Path folder, String... options) throws Exception {
        Path program = find(NAMES);
        return program == null ? null : new Chromium(program, folder, List.of(options));
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
        process.destroyForcibly();
        throw new IOException("Chromium has not opened a page; start it by hand to see why.");
    }

    @Override
    void go(String address) throws Exception {
        ask("Page.navigate", Exchange.JSON.createObjectNode().put("url", address));
    }

    @Override
    JsonNode run(String script) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode().put("expression", script);
        parameters.put("awaitPromise", true).put("returnByValue", true);
        JsonNode answer = ask("Runtime.evaluate", parameters);
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(script + ": " + answer.path("exceptionDetails"));
        }
        return answer.at("/result/value");
    }

    @Override
    void size(int width, int height) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode();
        parameters.put("width", width).put("height", height);
        parameters.put("deviceScaleFactor", 1).put("mobile", false);
        ask("Emulation.setDeviceMetricsOverride", parameters);
    }

    /// Has the page believe that its reader prefers `light` or `dark`.
    void scheme(String name) throws Exception {
        ObjectNode parameters = Exchange.JSON.createObjectNode();
        parameters
                .putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", name);
        ask("Emulation.setEmulatedMedia", parameters);
    }

    @Override
    byte[] picture() throws Exception {
        JsonNode png =
                ask(
                        "Page.captureScreenshot",
                        Exchange.JSON.createObjectNode().put("format", "png"));
        return Base64.getDecoder().decode(png.path("data").asText());
    }

    @Override
    void type(String text) throws Exception {
        ask("Input.insertText", Exchange.JSON.createObjectNode().put("text", text));
    }

    @Override
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

    @Override
    @Nullable String news(JsonNode message) {
        return switch (message.path("method").asText()) {
            case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded" ->
                    message.path("params").toString();
            default -> null;
        };
    }
}
