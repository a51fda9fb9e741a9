package dev.oriel.server;

import dev.oriel.store.DatabaseException;
import dev.oriel.store.UsageException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The part of HTTP/1.1 that metrics, health and Couchbase's clients need: short requests, whole answers.
///
/// `/health` and `/health/ready` tell whether the server works, and `/metrics` its metrics in Prometheus's text
/// form. These three need no login, the rest does.
final class HttpProtocol implements Protocol {
    private static final int HEAD_BYTES_MAX = 16 << 10;
    private static final int BODY_BYTES_MAX = 64 << 10;

    private final Client client;

    HttpProtocol(Client client) {
        this.client = client;
    }

    /// A request.
    record Question(
            String method, String path, String query, Map<String, String> headers, String body) {
        /// The field of that name of the form in the body, or after the `?` of the path; empty if there is none.
        String field(String name) {
            String given = formField(body, name);
            return given.isEmpty() ? formField(query, name) : given;
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /// An answer.
    ///
    /// @param header a further header, without the line end; empty for none
    record Answer(int status, String type, String body, String header) {
        Answer(int status, String type, String body) {
            this(status, type, body, "");
        }

        static Answer json(String body) {
            return new Answer(200, "application/json", body);
        }

        static Answer error(int status, String what) {
            StringBuilder json = new StringBuilder("{\"error\":");
            Json.quote(what, json);
            return new Answer(status, "application/json", json.append('}').toString());
        }
    }

    @Override
    public Outcome run(Input in, Output out, boolean mayBlock) {
        while (true) {
            if (out.length() > OUTPUT_BYTES_MAX) {
                return Outcome.FULL;
            }
            int head = headLength(in);
            if (head < 0) {
                return in.length() > HEAD_BYTES_MAX ? refuse(out) : Outcome.WAITING;
            }
            Question question = question(in, head);
            if (question == null) {
                return refuse(out);
            }
            String length = question.headers.getOrDefault("content-length", "0");
            if (!length.matches("[0-9]{1,6}") || Integer.parseInt(length) > BODY_BYTES_MAX) {
                return refuse(out);
            }
            int body = Integer.parseInt(length);
            if (in.length() < head + body) {
                return Outcome.WAITING;
            }
            if (!mayBlock) {
                return Outcome.MAY_BLOCK;
            }
            Question whole =
                    new Question(
                            question.method,
                            question.path,
                            question.query,
                            question.headers,
                            in.text(head, body));
            in.skip(head + body);
            client.begin();
            boolean close = "close".equalsIgnoreCase(question.headers.get("connection"));
            write(answer(whole), close, question.method.equals("HEAD"), out);
            Route route = Route.of(question.method, question.path);
            client.end(client.server().latencies().ofRoute(route), question.path);
            if (close) {
                return Outcome.CLOSE;
            }
        }
    }

    private static Outcome refuse(Output out) {
        write(Answer.error(400, "The request cannot be understood"), true, false, out);
        return Outcome.CLOSE;
    }

    /// Length of the head in bytes, the empty line included; -1 if it is incomplete.
    private static int headLength(Input in) {
        int end = Math.min(in.length(), HEAD_BYTES_MAX);
        for (int i = 3; i < end; i++) {
            if (in.byteAt(i) == '\n'
                    && in.byteAt(i - 1) == '\r'
                    && in.byteAt(i - 2) == '\n'
                    && in.byteAt(i - 3) == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    private static @Nullable Question question(Input in, int head) {
        String[] lines =
                new String(in.copy(0, head), StandardCharsets.ISO_8859_1).split("\r\n", -1);
        String[] first = lines[0].split(" ", -1);
        if (first.length != 3 || !first[2].startsWith("HTTP/1.") || !first[1].startsWith("/")) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0) {
                headers.put(
                        lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                        lines[i].substring(colon + 1).strip());
            }
        }
        if (headers.containsKey("transfer-encoding")) {
            return null;
        }
        if (first[2].equals("HTTP/1.0")) {
            headers.putIfAbsent("connection", "close"); // it knows no other end of an answer
        }
        String[] parts = first[1].split("\\?", 2);
        return new Question(
                first[0], withoutEnd(parts[0]), parts.length > 1 ? parts[1] : "", headers, "");
    }

    /// Some SDKs end a path with a slash.
    private static String withoutEnd(String path) {
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    private static void write(Answer answer, boolean close, boolean headOnly, Output out) {
        byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
        String reason =
                switch (answer.status) {
                    case 200 -> "OK";
                    case 202 -> "Accepted";
                    case 400 -> "Bad Request";
                    case 401 -> "Unauthorized";
                    case 403 -> "Forbidden";
                    case 404 -> "Not Found";
                    case 405 -> "Method Not Allowed";
                    case 409 -> "Conflict";
                    case 422 -> "Unprocessable Content";
                    default -> "Service Unavailable";
                };
        out.put("HTTP/1.1 ").putDigits(answer.status).put(' ').line(reason);
        out.put("Content-Type: ").line(answer.type);
        out.put("Content-Length: ").putDigits(body.length).line("");
        if (!answer.header.isEmpty()) {
            out.line(answer.header);
        }
        if (answer.status == 401) {
            out.line("WWW-Authenticate: Basic realm=\"oriel\"");
        }
        if (close) {
            out.line("Connection: close");
        }
        out.line("");
        if (!headOnly) {
            out.put(body);
        }
    }

    private Answer answer(Question question) {
        OrielServer server = client.server();
        Route route = Route.of(question.method, question.path);
        boolean open = route != null && route.access() == Access.ANYBODY;
        if (!open && !isKnown(question)) {
            return Answer.error(
                    401, "The request has no name and password; send them by Basic authentication");
        }
        if (route != null && !route.admits(client, question.path)) {
            return denied();
        }
        try {
            return switch (question.path) {
                case "/health", "/health/live" -> health(Health.live(server));
                case "/health/ready" -> health(Health.ready(server));
                case "/metrics" ->
                        new Answer(
                                200,
                                "text/plain; version=0.0.4; charset=utf-8",
                                Prometheus.of(server));
                default -> management(question);
            };
        } catch (UsageException | IllegalArgumentException e) { // a % without digits after it
            return Answer.error(400, String.valueOf(e.getMessage()));
        } catch (DatabaseException e) { // busy in another transaction, or closed
            if (!question.method.equals("GET")) {
                server.refusals().refused(e);
            }
            server.log().failed("A request over HTTP failed", e, "path", question.path);
            return Answer.error(503, String.valueOf(e.getMessage()));
        }
    }

    private static Answer health(Health health) {
        return new Answer(health.isUp() ? 200 : 503, "application/json", health.json());
    }

    private boolean isKnown(Question question) {
        client.logout(); // each request carries its own login
        if (!client.isStranger()) {
            return true;
        }
        String given = question.headers.getOrDefault("authorization", "");
        if (!given.regionMatches(true, 0, "Basic ", 0, 6)) {
            return false;
        }
        try {
            byte[] plain = Base64.getDecoder().decode(given.substring(6).strip());
            String both = new String(plain, StandardCharsets.UTF_8);
            int colon = both.indexOf(':');
            return colon > 0
                    && client.login(both.substring(0, colon), both.substring(colon + 1), "Basic");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Answer management(Question question) {
        OrielServer server = client.server();
        String path = question.path;
        if (path.equals("/pools")) {
            return Answer.json(
                    "{\"isAdminCreds\":%s,\"implementationVersion\":\"%s\",\"pools\":[{\"name\":"
                                    .formatted(client.isAdmin(), server.wireVersion())
                            + "\"default\",\"uri\":\"/pools/default\"}]}");
        }
        if (path.equals("/admin") || path.startsWith("/admin/")) {
            return new AdminRequests(client).answer(question);
        }
        if (path.equals("/users") || path.startsWith("/users/")) {
            return users(question);
        }
        if (path.startsWith(BucketRequests.POOL + "/")) {
            return new BucketRequests(client).answer(question);
        }
        return Answer.error(404, "There is nothing at " + path);
    }

    private Answer users(Question question) {
        if (!client.isAdmin()) {
            return denied();
        }
        Users users = client.server().users();
        String name =
                URLDecoder.decode(
                        question.path.substring(Math.min(question.path.length(), 7)),
                        StandardCharsets.UTF_8);
        switch (question.method) {
            case "GET" -> {
                return Answer.json(UserRequests.list(users));
            }
            case "PUT" -> {
                UserRequests.put(users, name, question.body, hasOtherAdmins());
                client.server().log().said("A user was set", "user", name, "by", client.byWhom());
            }
            case "DELETE" -> {
                UserRequests.drop(users, name, hasOtherAdmins());
                client.server()
                        .log()
                        .said("A user was dropped", "user", name, "by", client.byWhom());
            }
            default -> {
                return Answer.error(405, "This method is not supported here");
            }
        }
        return Answer.json("{}");
    }

    /// Whether there are admins beside the users of the database.
    private boolean hasOtherAdmins() {
        return !client.server().options().users().isEmpty();
    }

    static Answer denied() {
        return Answer.error(403, "This user may not do that");
    }

    static String formField(String body, String name) {
        for (String field : body.split("&", -1)) {
            if (field.startsWith(name + "=")) {
                return URLDecoder.decode(
                        field.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public boolean isStranger() {
        return client.isStranger();
    }

    @Override
    public void close() {
        client.close();
    }
}
