package dev.oriel.server;

import java.util.ArrayList;
import java.util.List;

/// The parts of the server that work at this moment, and for the others the reason.
///
/// ```json
/// {"status":"down","error":"Too many open files","parts":{
///   "network":{"status":"up"},
///   "memcached":{"status":"down","error":"Too many open files"}}}
/// ```
final class Health {
    private record Part(String name, String reason) {}

    private final List<Part> parts = new ArrayList<>();

    private Health() {}

    /// Whether the process works; if not, only a restart helps.
    static Health live(OrielServer server) {
        Health health = new Health();
        int dead = server.deadThreads();
        health.add("network", dead == 0 ? "" : dead + " threads of the network do not answer");
        return health;
    }

    /// Whether requests of clients are served.
    static Health ready(OrielServer server) {
        Health health = live(server);
        for (Listener listener : server.listeners()) {
            health.add(listener.label(), server.failure(listener));
        }
        health.add("database", server.unready());
        health.add("writes", server.refusals().failure());
        return health;
    }

    private void add(String name, String reason) {
        parts.add(new Part(name, reason));
    }

    /// The reason that not everything works: the first one; empty if it does.
    String reason() {
        return parts.stream()
                .map(Part::reason)
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
    }

    boolean isUp() {
        return reason().isEmpty();
    }

    String json() {
        StringBuilder json = new StringBuilder("{");
        status(reason(), json);
        json.append(",\"parts\":{");
        String comma = "";
        for (Part part : parts) {
            json.append(comma);
            Json.quote(part.name, json);
            json.append(":{");
            status(part.reason, json);
            json.append('}');
            comma = ",";
        }
        return json.append("}}").toString();
    }

    private static void status(String reason, StringBuilder json) {
        json.append("\"status\":\"").append(reason.isEmpty() ? "up" : "down").append('"');
        if (!reason.isEmpty()) {
            json.append(",\"error\":");
            Json.quote(reason, json);
        }
    }
}
