package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.profiler.SampleKind;
import java.io.IOException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Starts, stops and shows profiles.
final class Profiles {
    /// Number of stacks of one kind.
    private static final int STACKS_MAX = 100_000;

    /// Seconds after which a profile ends if no time is given.
    private static final int SECONDS = 600;

    /// More than the page asks for, so that the page ends a profile of ten minutes and not its server.
    private static final int SECONDS_MAX = 660;

    private final Questions questions;

    /// Ends the last profile that this studio has started and not stopped.
    private final AtomicReference<Questions.@Nullable Later> ending = new AtomicReference<>();

    Profiles(Questions questions) {
        this.questions = questions;
    }

    /// `{"what": "cpu,alloc,...", "seconds"?: N, "session"?: N, "fingerprint"?: F}` starts a profile, of one session or
    /// one kind of statement if they are named; see docs/observability.md for the words. It ends by itself after `seconds`, 600 if they are not given: a page that was closed leaves none behind.
    void start(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String what = Names.required(body, "what");
        int seconds = Math.clamp(body.path("seconds").asInt(SECONDS), 1, SECONDS_MAX);
        ObjectNode json =
                questions.ask(connection -> {
                    try (CallableStatement call =
                            connection.prepareCall("{call sys.profile_start(?, ?, ?)}")) {
                        call.setString(1, what);
                        call.setObject(2, session(body));
                        call.setString(3, body.path("fingerprint").textValue());
                        return questions.run(null, call, () -> first(call));
                    }
                });
        long run = json.path("run").asLong();
        Questions.Later end = () -> end(run);
        questions.later(seconds, end);
        drop(ending.getAndSet(end)); // that profile has ended, else this one had not begun
        exchange.json(json);
    }

    /// Ends the run if it still runs. SQL may have ended it, and begun another.
    private ObjectNode end(long run) throws SQLException, IOException {
        return questions.ask(connection -> {
            try (CallableStatement call = connection.prepareCall("{call sys.profile_stop(?)}")) {
                call.setLong(1, run);
                return first(call);
            }
        });
    }

    /// Stops the running profile; `{"run": N}` stops that one alone, and may come after its end.
    void stop(Exchange exchange) throws SQLException, IOException {
        long run = exchange.body().path("run").asLong();
        Questions.Later end = ending.get();
        ObjectNode json = run > 0 ? end(run) : questions.ask(this::stopAny);
        if (!json.isEmpty() && ending.compareAndSet(end, null)) {
            drop(end);
        }
        if (run > 0) {
            json.put("run", run);
        }
        exchange.json(json);
    }

    private void drop(Questions.@Nullable Later end) {
        if (end != null) {
            questions.drop(end);
        }
    }

    /// Number of the session to record; null for all.
    private static @Nullable Long session(JsonNode body) {
        JsonNode session = body.path("session");
        if (session.isMissingNode() || session.isNull()) {
            return null;
        }
        if (!session.isIntegralNumber()) {
            throw new RequestException(
                    400, "The field 'session' is not a number; send one of sys.sessions.");
        }
        return session.longValue();
    }

    private ObjectNode stopAny(Connection connection) throws SQLException, IOException {
        try (CallableStatement call = connection.prepareCall("{call sys.profile_stop()}")) {
            return questions.run(null, call, () -> first(call));
        }
    }

    /// Last row of the result, or an empty object.
    private static ObjectNode first(CallableStatement call) throws SQLException, IOException {
        if (call.execute()) {
            try (ResultSet rows = call.getResultSet()) {
                ArrayNode all = Answers.objects(rows, true);
                return all.isEmpty()
                        ? Exchange.JSON.createObjectNode()
                        : (ObjectNode) all.get(all.size() - 1);
            }
        }
        return Exchange.JSON.createObjectNode();
    }

    /// The runs; for `?run=N` that run's samples by kind, its methods and its statements. `from` and `to` are
    /// milliseconds since its start: only the samples between them.
    void show(Exchange exchange) throws SQLException, IOException {
        String run = exchange.parameter("run");
        String from = exchange.parameter("from");
        String to = exchange.parameter("to");
        ObjectNode json =
                questions.read(connection -> {
                    ObjectNode all = Exchange.JSON.createObjectNode();
                    all.set(
                            "runs",
                            questions.objects(
                                    connection, "SELECT * FROM sys.profile_runs ORDER BY run"));
                    if (run != null) {
                        long number = number(run);
                        all.set("clocks", clocks(connection, number, from, to));
                        all.set("heat", heat(connection, number));
                        all.set("methods", methods(connection, number));
                        all.set("statements", statements(connection, number));
                    }
                    return all;
                });
        exchange.json(json);
    }

    /// `[{"kind", "title", "unit", "stacks": [{"stack", "weight", "thread", "fingerprint"}...]}...]`.
    private ArrayNode clocks(
            Connection connection, long run, @Nullable String from, @Nullable String to)
            throws SQLException, IOException {
        ArrayNode clocks = Exchange.JSON.createArrayNode();
        for (SampleKind kind : SampleKind.values()) {
            ArrayNode stacks = stacks(connection, run, kind, from, to);
            if (!stacks.isEmpty()) {
                ObjectNode clock = clocks.addObject().put("kind", word(kind));
                clock.put("title", kind.title()).put("unit", kind.unit()).set("stacks", stacks);
            }
        }
        return clocks;
    }

    /// The heaviest stacks of one kind. Weights of other kinds have other units.
    private ArrayNode stacks(
            Connection connection,
            long run,
            SampleKind kind,
            @Nullable String from,
            @Nullable String to)
            throws SQLException, IOException {
        return questions.objects(
                connection,
                "SELECT thread AS \"thread\", fingerprint AS \"fingerprint\", stack AS \"stack\","
                        + " SUM(weight) AS \"weight\" FROM sys.profile_samples WHERE run = ? AND"
                        + " kind = ? AND at_ms >= ? AND at_ms < ? GROUP BY thread, fingerprint,"
                        + " stack ORDER BY 4 DESC LIMIT "
                        + STACKS_MAX,
                run,
                word(kind),
                from == null ? 0 : number(from),
                to == null ? Long.MAX_VALUE : number(to));
    }

    private static String word(SampleKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /// Processor samples by parts of a second: `[{"second", "part", "samples"}...]`, a part is 50 ms.
    private JsonNode heat(Connection connection, long run) throws SQLException, IOException {
        return questions.objects(
                connection,
                "SELECT CAST(FLOOR(at_ms / 1000) AS BIGINT) AS \"second\", CAST(FLOOR((at_ms - 1000 *"
                        + " FLOOR(at_ms / 1000)) / 50) AS BIGINT) AS \"part\", COUNT(*) AS \"samples\""
                        + " FROM sys.profile_samples WHERE run = ? AND kind = 'cpu' GROUP BY 1, 2"
                        + " ORDER BY 1, 2",
                run);
    }

    private JsonNode methods(Connection connection, long run) throws SQLException, IOException {
        return questions.objects(
                connection,
                "SELECT clock, unit, frame, calls, self, total FROM sys.profile_frames WHERE run = ?"
                        + " ORDER BY self DESC LIMIT 1000",
                run);
    }

    private JsonNode statements(Connection connection, long run) throws SQLException, IOException {
        return questions.objects(
                connection,
                "SELECT fingerprint, MIN(statement) AS \"statement\", SUM(weight) AS \"weight\" FROM"
                        + " sys.profile_samples WHERE run = ? AND fingerprint IS NOT NULL GROUP BY"
                        + " fingerprint ORDER BY 3 DESC LIMIT 50",
                run);
    }

    /// `?a=RUN&b=RUN`: each method's own cost in both, per statement, with the verdict.
    void difference(Exchange exchange) throws SQLException, IOException {
        long a = number(exchange.required("a"));
        long b = number(exchange.required("b"));
        ObjectNode json =
                questions.read(connection -> {
                    ObjectNode all = Exchange.JSON.createObjectNode();
                    all.set(
                            "methods",
                            questions.objects(
                                    connection, "SELECT * FROM profile_diff(?, ?)", a, b));
                    return all;
                });
        exchange.json(json);
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new RequestException(
                    400, "A run is a number, not '" + text + "'; send its number.");
        }
    }
}
