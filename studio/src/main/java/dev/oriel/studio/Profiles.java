package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Starts, stops and shows profiles.
final class Profiles {
    private static final int STACKS_MAX = 100_000;

    private static final int SECONDS_MAX = 600;

    private final Questions questions;

    /// The run that this studio has started and not stopped; 0 if there is none.
    private final AtomicLong running = new AtomicLong();

    Profiles(Questions questions) {
        this.questions = questions;
    }

    /// `{"what": "cpu,alloc,...", "seconds"?: N}` starts a profile; see docs/observability.md for the words. It ends
    /// by itself after `seconds`, 600 if they are not given: a page that was closed leaves none behind.
    void start(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String what = Names.required(body, "what");
        int seconds = Math.clamp(body.path("seconds").asInt(SECONDS_MAX), 1, SECONDS_MAX);
        ObjectNode json =
                questions.ask(connection -> call(connection, "{call sys.profile_start(?)}", what));
        long run = json.path("run").asLong();
        running.set(run);
        questions.later(seconds, () -> end(run));
        exchange.json(json);
    }

    /// Ends the run if it still runs.
    private void end(long run) throws SQLException, IOException {
        if (running.compareAndSet(run, 0)) {
            questions.ask(connection -> call(connection, "{call sys.profile_stop()}"));
        }
    }

    /// Stops the running profile.
    void stop(Exchange exchange) throws SQLException, IOException {
        running.set(0);
        exchange.json(questions.ask(connection -> call(connection, "{call sys.profile_stop()}")));
    }

    private ObjectNode call(Connection connection, String sql, String... parameters)
            throws SQLException, IOException {
        try (CallableStatement call = connection.prepareCall(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                call.setString(i + 1, parameters[i]);
            }
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

    /// The runs; for `?run=N` that run's stacks and methods.
    void show(Exchange exchange) throws SQLException, IOException {
        String run = exchange.parameter("run");
        String statement = exchange.parameter("statement");
        ObjectNode json =
                questions.read(connection -> {
                    ObjectNode all = Exchange.JSON.createObjectNode();
                    all.set(
                            "runs",
                            questions.objects(
                                    connection, "SELECT * FROM sys.profile_runs ORDER BY run"));
                    if (run != null) {
                        all.set("stacks", stacks(connection, number(run), statement));
                        all.set("methods", methods(connection, number(run)));
                        all.set("statements", statements(connection, number(run)));
                    }
                    return all;
                });
        exchange.json(json);
    }

    private JsonNode stacks(Connection connection, long run, @Nullable String statement)
            throws SQLException, IOException {
        return questions.objects(
                connection,
                "SELECT stack, weight FROM flame_graph(?, ?) ORDER BY weight DESC LIMIT "
                        + STACKS_MAX,
                run,
                statement);
    }

    private JsonNode methods(Connection connection, long run)
            throws SQLException, IOException {
        return questions.objects(
                connection,
                "SELECT clock, unit, frame, calls, self, total FROM sys.profile_frames WHERE run = ?"
                        + " ORDER BY self DESC LIMIT 1000",
                run);
    }

    private JsonNode statements(Connection connection, long run)
            throws SQLException, IOException {
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
                            questions.objects(connection, "SELECT * FROM profile_diff(?, ?)", a, b));
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
