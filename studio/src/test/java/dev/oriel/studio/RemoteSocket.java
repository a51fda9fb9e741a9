package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A connection to a browser: requests with numbers and their answers, and events between them, all in JSON.
final class RemoteSocket implements AutoCloseable {
    /// A time that only a browser that hangs exceeds; in seconds by `-Dpatience=`.
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("patience", 240));

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final Consumer<JsonNode> events;
    private final WebSocket socket;

    /// @param events gets each message that is no answer, on a thread of the connection
    RemoteSocket(URI address, Consumer<JsonNode> events) throws Exception {
        this.events = events;
        socket =
                client.newWebSocketBuilder()
                        .buildAsync(address, new Listener())
                        .get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    }

    /// The result of a method without parameters.
    JsonNode ask(String method) throws Exception {
        return ask(method, Exchange.JSON.createObjectNode());
    }

    /// Sends a message whose answer nobody needs.
    void tell(String method, ObjectNode parameters) {
        send(numbers.incrementAndGet(), method, parameters).join();
    }

    private CompletableFuture<WebSocket> send(int number, String method, ObjectNode parameters) {
        ObjectNode message = Exchange.JSON.createObjectNode().put("id", number);
        message.put("method", method).set("params", parameters);
        return socket.sendText(message.toString(), true);
    }

    /// The result of a method of the protocol.
    JsonNode ask(String method, ObjectNode parameters) throws Exception {
        int number = numbers.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        send(number, method, parameters).get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        JsonNode all = answer.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        if (all.has("error")) {
            throw new IllegalStateException(method + " " + parameters + ": " + all);
        }
        return all.path("result");
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                try {
                    received(Exchange.JSON.readTree(message));
                } catch (IOException e) {
                    throw new IllegalStateException(message, e);
                }
            }
            webSocket.request(1);
            return null;
        }

        @Override
        public void onError(WebSocket webSocket, Throwable error) {
            waiting.values().forEach(answer -> answer.completeExceptionally(error));
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
            onError(webSocket, new IOException("The browser has closed the connection."));
            return null;
        }

        private void received(JsonNode message) {
            CompletableFuture<JsonNode> answer = waiting.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            } else {
                events.accept(message);
            }
        }
    }
}
