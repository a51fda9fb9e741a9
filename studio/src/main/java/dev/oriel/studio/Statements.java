package dev.oriel.studio;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.engine.Script;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs SQL that a person has typed and streams its results, a line of JSON each:
///
/// ```text
/// {"columns": [{"name": "id", "type": "INTEGER"}], "from": 0, "to": 20}
/// {"row": [1]}
/// {"end": {"rows": 1, "more": false, "ms": 0.3}}
/// {"updated": {"rows": 3, "ms": 1.2}}
/// {"error": {"message": "...", "state": "42P01", "position": 14}}
/// ```
/// Several statements are separated by semicolons; the first error ends them, and the effects of earlier ones
/// stay, unless the text has a BEGIN.
final class Statements {
    private final Questions questions;
    private final StudioOptions options;

    Statements(Questions questions, StudioOptions options) {
        this.questions = questions;
        this.options = options;
    }

    /// `{"sql": TEXT, "id"?: NAME, "parameters"?: [VALUE...], "rowsMax"?: N, "whole"?: BOOLEAN}`.
    ///
    /// Each statement takes as many of the parameters as it has places for, in order. With `whole`, long values are
    /// written to their ends, and the statements run in a read-only transaction: for files, after the same
    /// statement was shown.
    void run(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        boolean whole = body.path("whole").asBoolean();
        if (whole) {
            questions.read(connection -> answer(connection, exchange, body, true));
        } else {
            questions.ask(connection -> answer(connection, exchange, body, false));
        }
    }

    private boolean answer(Connection connection, Exchange exchange, JsonNode body, boolean whole)
            throws SQLException, IOException {
        String id = body.path("id").isTextual() ? body.path("id").asText() : null;
        int rowsMax =
                Math.clamp(body.path("rowsMax").asInt(options.rowsMax()), 1, options.rowsMax());
        OutputStream lines = exchange.lines();
        try (JsonGenerator out = Exchange.JSON.getFactory().createGenerator(lines)) {
            out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            out.setRootValueSeparator(null);
            Lines answer = new Lines(out, rowsMax, whole);
            all(connection, body.path("sql").asText(), body.path("parameters"), id, answer);
        }
        lines.close();
        return true;
    }

    private void all(
            Connection connection,
            String sql,
            JsonNode parameters,
            @Nullable String id,
            Lines answer)
            throws SQLException, IOException {
        List<String> statements;
        try {
            statements = Script.statements(sql);
        } catch (SqlException e) {
            answer.error(e, 0);
            return;
        }
        int from = 0;
        int taken = 0;
        for (String one : statements) {
            int at = Math.max(from, sql.indexOf(one, from));
            from = at + one.length();
            int took =
                    parameters.isEmpty()
                            ? plain(connection, one, id, answer, at)
                            : prepared(connection, one, parameters, taken, id, answer, at);
            if (took < 0) {
                return;
            }
            taken += took;
        }
        if (taken < parameters.size()) {
            answer.error(
                    new RequestException(
                            400,
                            "The statements take "
                                    + taken
                                    + " parameters, and "
                                    + parameters.size()
                                    + " were given; leave out the last ones."),
                    0);
        }
    }

    /// Runs a statement without parameters; -1 if it failed.
    private int plain(Connection connection, String one, @Nullable String id, Lines answer, int at)
            throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            boolean done =
                    questions.run(
                            id,
                            statement,
                            () ->
                                    answer.all(
                                            statement,
                                            () -> statement.execute(one),
                                            new Place(at, one, Exchange.JSON.createArrayNode())));
            return done ? 0 : -1;
        }
    }

    /// Runs a statement with the parameters from number `taken` on; returns how many it took, or -1 if it failed.
    private int prepared(
            Connection connection,
            String one,
            JsonNode parameters,
            int taken,
            @Nullable String id,
            Lines answer,
            int at)
            throws SQLException, IOException {
        try (PreparedStatement statement = connection.prepareStatement(one)) {
            int wanted = statement.getParameterMetaData().getParameterCount();
            if (taken + wanted > parameters.size()) {
                throw new SQLException(
                        "The statement needs "
                                + wanted
                                + " parameters, and "
                                + (parameters.size() - taken)
                                + " are left; give "
                                + (taken + wanted)
                                + " in all.",
                        "07001");
            }
            ArrayNode used = Exchange.JSON.createArrayNode();
            for (int i = 0; i < wanted; i++) {
                used.add(parameters.get(taken + i));
                statement.setObject(i + 1, JsonParameters.of(parameters.get(taken + i)));
            }
            boolean done =
                    questions.run(
                            id,
                            statement,
                            () ->
                                    answer.all(
                                            statement,
                                            statement::execute,
                                            new Place(at, one, used)));
            return done ? wanted : -1;
        } catch (SQLException e) {
            answer.error(e, at);
            return -1;
        }
    }

    /// A statement of the text: where it begins, and its parameters.
    private record Place(int at, String sql, ArrayNode parameters) {}

    /// Begins a statement; true if its first result has rows.
    private interface Start {
        boolean execute() throws SQLException;
    }

    /// The lines of one answer.
    private static final class Lines {
        private final JsonGenerator out;
        private final int rowsMax;
        private final boolean whole;
        private long begun;

        Lines(JsonGenerator out, int rowsMax, boolean whole) {
            this.out = out;
            this.rowsMax = rowsMax;
            this.whole = whole;
        }

        /// Runs a statement. False if it failed.
        boolean all(Statement statement, Start start, Place place) throws IOException {
            begun = System.nanoTime();
            try {
                boolean rows = start.execute();
                while (true) {
                    if (rows) {
                        try (ResultSet result = statement.getResultSet()) {
                            result(result, place);
                        }
                    } else if (statement.getLargeUpdateCount() >= 0) {
                        updated(statement.getLargeUpdateCount());
                    } else {
                        return true;
                    }
                    begun = System.nanoTime();
                    rows = statement.getMoreResults();
                }
            } catch (SQLException e) {
                error(e, place.at());
                return false;
            }
        }

        private void result(ResultSet rows, Place place) throws SQLException, IOException {
            ObjectNode head = Exchange.JSON.createObjectNode();
            head.set("columns", Cells.columns(rows.getMetaData()));
            head.put("from", place.at()).put("to", place.at() + place.sql().length());
            if (!place.parameters().isEmpty()) {
                head.set("parameters", place.parameters());
            }
            line(head);
            int columns = rows.getMetaData().getColumnCount();
            int count = 0;
            boolean more = false;
            while (rows.next()) {
                if (count == rowsMax) {
                    more = true;
                    break;
                }
                out.writeStartObject();
                out.writeFieldName("row");
                Cells.row(rows, columns, whole, out);
                out.writeEndObject();
                out.writeRaw('\n');
                count++;
            }
            ObjectNode end = Exchange.JSON.createObjectNode();
            end.putObject("end").put("rows", count).put("more", more).put("ms", elapsed());
            line(end);
        }

        private void updated(long rows) throws IOException {
            ObjectNode json = Exchange.JSON.createObjectNode();
            json.putObject("updated").put("rows", rows).put("ms", elapsed());
            line(json);
        }

        /// @param at place of the statement in the text, to which the error's place is added
        void error(Exception e, int at) throws IOException {
            ObjectNode json = ErrorJson.of(e);
            JsonNode position = json.path("error").path("position");
            if (position.isInt()) {
                json.withObject("error").put("position", at + position.intValue());
            }
            line(json);
        }

        private double elapsed() {
            return (System.nanoTime() - begun) / (double) TimeUnit.MILLISECONDS.toNanos(1);
        }

        private void line(JsonNode json) throws IOException {
            out.writeRaw(json.toString());
            out.writeRaw('\n');
            out.flush();
        }
    }
}
