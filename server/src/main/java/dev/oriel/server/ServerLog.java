package dev.oriel.server;

import java.io.PrintStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The server's log: a line of JSON an event.
public final class ServerLog {
    private final @Nullable PrintStream out;

    /// @param out where lines go; null drops them
    public ServerLog(@Nullable PrintStream out) {
        this.out = out;
    }

    void said(String event, String... facts) {
        write("info", event, null, facts);
    }

    void failed(String event, Throwable cause, String... facts) {
        write("error", event, cause, facts);
    }

    private void write(String level, String event, @Nullable Throwable cause, String... facts) {
        PrintStream stream = out;
        if (stream == null) {
            return;
        }
        StringBuilder line = new StringBuilder(128);
        line.append("{\"time\":\"").append(Instant.now()).append("\",\"level\":\"").append(level);
        line.append("\",\"event\":");
        Json.quote(event, line);
        for (int i = 0; i + 1 < facts.length; i += 2) {
            line.append(',');
            Json.quote(facts[i], line);
            line.append(':');
            Json.quote(facts[i + 1], line);
        }
        if (cause != null) {
            line.append(",\"error\":");
            Json.quote(cause.toString(), line);
            StackTraceElement[] stack = cause.getStackTrace();
            if (stack.length > 0) {
                line.append(",\"at\":");
                Json.quote(stack[0].toString(), line);
            }
        }
        stream.println(line.append('}'));
        stream.flush();
    }
}
