package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A browser without a window and its first page, driven over a socket of JSON messages.
abstract class RemoteBrowser implements AutoCloseable {
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    final Process process;
    final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

    @SuppressWarnings("NullAway.Init")
    private WebSocket socket;

    /// Messages of the console and errors of scripts.
    final List<String> messages = new CopyOnWriteArrayList<>();

    RemoteBrowser(ProcessBuilder command) throws IOException {
        process = command.start();
    }

    /// The first program of these names on the path; null if there is none.
    static @Nullable Path find(List<String> names) {
        for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
            for (String name : names) {
                Path program = Path.of(place, name);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        return null;
    }

    /// Connects the socket; ends the browser if it cannot.
    final void connect(URI address) throws Exception {
        try {
            socket =
                    client.newWebSocketBuilder()
                            .buildAsync(address, new Listener())
                            .get(1, TimeUnit.MINUTES);
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /// The result of a method of the protocol.
    final JsonNode ask(String method, ObjectNode parameters) throws Exception {
        int number = numbers.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        ObjectNode message = Exchange.JSON.createObjectNode().put("id", number);
        message.put("method", method).set("params", parameters);
        socket.sendText(message.toString(), true).get(1, TimeUnit.MINUTES);
        JsonNode all = answer.get(2, TimeUnit.MINUTES);
        if (all.has("error")) {
            throw new IllegalStateException(method + " " + parameters + ": " + all);
        }
        return all.path("result");
    }

    abstract void go(String address) throws Exception;

    /// The value of an expression, which may be a promise.
    abstract JsonNode run(String script) throws Exception;

    /// Gives the page a size in pixels of CSS.
    abstract void size(int width, int height) throws Exception;

    /// Types text into the element that has the focus.
    abstract void type(String text) throws Exception;

    /// Presses a key, such as `Tab`.
    ///
    /// @param code the key's number in DOM events
    /// @param modifiers 2 for Ctrl, 8 for Shift, 0 for none
    abstract void press(String key, int code, int modifiers) throws Exception;

    /// A picture of the page as PNG.
    abstract byte[] picture() throws Exception;

    /// What a message that is no answer says; null if it is of no concern.
    abstract @Nullable String news(JsonNode message);

    /// Waits until an expression is true; one that throws is not yet.
    final void await(String script) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        String asked = "(() => { try { return !!(" + script + "); } catch { return false; } })()";
        while (!holds(asked)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        script + " stays false on " + run("document.body.innerText") + messages);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /// A page that is being replaced gives no answer.
    private boolean holds(String asked) throws Exception {
        try {
            return run(asked).asBoolean();
        } catch (IllegalStateException e) {
            if (String.valueOf(e.getMessage()).contains("Inspected target navigated or closed")) {
                return false;
            }
            throw e;
        }
    }

    /// Ends the browser and all of its processes, so that none writes into its folder any more.
    @Override
    public final void close() {
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
                return;
            }
            String said = news(message);
            if (said != null) {
                messages.add(said);
            }
        }
    }
}
