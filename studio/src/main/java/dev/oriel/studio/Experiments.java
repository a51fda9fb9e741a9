package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.compare.Change;
import dev.oriel.compare.Interleaving;
import dev.oriel.compare.Statistics;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Measures the benefit of an index to a query: the query with it and without it, in turns, in one JVM and on the
/// same data.
///
/// The index is created, or an existing one dropped, in a transaction whose changes stay invisible to others and
/// are always rolled back. A second transaction has the database as it is. Writers of the table wait meanwhile, so
/// the rounds take some seconds at most.
final class Experiments {
    private static final int ROUNDS_MIN = 6;
    private static final int ROUNDS_MAX = 60;
    private static final int WARM_UP = 3;

    /// Interval in rounds of a second run without the index, to see how far it differs from itself.
    private static final int GUARD_EVERY = 3;

    private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(6);

    /// Duration below which several executions are timed at once.
    private static final long OBSERVED_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int BATCH_MAX = 200;

    private final Questions questions;
    private final StudioOptions options;

    Experiments(Questions questions, StudioOptions options) {
        this.questions = questions;
        this.options = options;
    }

    /// `{"sql", "id"?, "parameters"?}` with either `"index": {"table", "columns": [...]}`, an index to
    /// create, or `"without": INDEX` with its `"schema"?`, one that exists. Streams `prepared`, a `round` each, and an `end`.
    void run(Exchange exchange) throws SQLException, IOException {
        if (options.readOnly()) {
            throw new RequestException(
                    403, "The studio is read-only; start it without --read-only to measure.");
        }
        JsonNode body = exchange.body();
        String sql = Names.required(body, "sql");
        String id = body.path("id").isTextual() ? body.path("id").asText() : null;
        JsonNode parameters = body.path("parameters");
        String change = change(body);
        boolean creates = body.path("index").isObject();
        questions.ask(changed -> {
            return questions.ask(unchanged -> {
                changed.setAutoCommit(false);
                unchanged.setAutoCommit(false);
                unchanged.setReadOnly(true);
                try (PreparedStatement asIs = unchanged.prepareStatement(sql)) {
                    JsonParameters.set(asIs, parameters);
                    checkQuery(asIs);
                    try (Trial trial = new Trial(exchange.lines())) {
                        trial.run(id, changed, change, sql, parameters, asIs, creates);
                    }
                    return true;
                } finally {
                    changed.rollback();
                    unchanged.rollback();
                }
            });
        });
    }

    private static String change(JsonNode body) {
        JsonNode index = body.path("index");
        if (index.isObject()) {
            List<String> columns = new ArrayList<>();
            index.path("columns").forEach(column -> columns.add(column.asText()));
            if (columns.isEmpty()) {
                throw new RequestException(400, "The index has no columns; name one at least.");
            }
            String name = "studio_trial_" + UUID.randomUUID().toString().replace('-', '_');
            return PlanAdvice.indexSql(name, TableName.of(index), columns);
        }
        TableName without =
                new TableName(body.path("schema").asText(), Names.required(body, "without"));
        return "DROP INDEX " + without.sql();
    }

    private static void checkQuery(PreparedStatement statement) throws SQLException {
        if (statement.getMetaData() == null) {
            throw new RequestException(
                    400, "The statement returns no rows; only queries are measured.");
        }
    }

    /// The query with the index or without it.
    private static final class Side {
        final PreparedStatement statement;
        final boolean hasIndex;
        long rows;

        Side(PreparedStatement statement, boolean hasIndex) {
            this.statement = statement;
            this.hasIndex = hasIndex;
        }
    }

    /// One experiment, and the lines of its answer.
    private final class Trial implements AutoCloseable {
        private final OutputStream lines;

        Trial(OutputStream lines) {
            this.lines = lines;
        }

        void run(
                @Nullable String id,
                Connection changed,
                String change,
                String sql,
                JsonNode parameters,
                PreparedStatement asIs,
                boolean creates)
                throws SQLException, IOException {
            try (Statement definition = changed.createStatement()) {
                long begun = System.nanoTime();
                questions.run(id, definition, () -> definition.execute(change));
                ObjectNode prepared = Exchange.JSON.createObjectNode();
                prepared.putObject("prepared")
                        .put("sql", change)
                        .put("ms", millis(System.nanoTime() - begun));
                line(prepared);
                try (PreparedStatement other = changed.prepareStatement(sql)) {
                    JsonParameters.set(other, parameters);
                    Side without = new Side(creates ? asIs : other, false);
                    Side with = new Side(creates ? other : asIs, true);
                    rounds(id, without, with);
                }
            } catch (SQLException | IllegalArgumentException e) {
                line(ErrorJson.of(e));
            }
        }

        private void rounds(@Nullable String id, Side without, Side with)
                throws SQLException, IOException {
            int batchWithout = warmUp(id, without);
            int batchWith = warmUp(id, with);
            if (without.rows != with.rows) {
                throw new IllegalArgumentException(
                        "The statement returned %d rows without the index and %d with it; take one whose result does not change."
                                .formatted(without.rows, with.rows));
            }
            Observed seen = new Observed();
            Interleaving<Side> turns = new Interleaving<>(List.of(without, with), 1);
            long end = System.nanoTime() + BUDGET_NANOS;
            for (int round = 0; round < ROUNDS_MAX; round++) {
                if (round >= ROUNDS_MIN && System.nanoTime() > end) {
                    break;
                }
                for (Side side : turns.next()) {
                    int batch = side.hasIndex ? batchWith : batchWithout;
                    seen.add(side.hasIndex, observed(id, side.statement, batch));
                }
                if (round % GUARD_EVERY == GUARD_EVERY - 1) {
                    seen.addGuard(observed(id, without.statement, batchWithout));
                }
                ObjectNode line = Exchange.JSON.createObjectNode();
                line.putObject("round")
                        .put("without", seen.lastWithout())
                        .put("with", seen.lastWith());
                line(line);
            }
            line(seen.end());
        }

        /// Runs one side some times; returns the number of executions that are timed at once.
        private int warmUp(@Nullable String id, Side side) throws SQLException, IOException {
            long fastest = Long.MAX_VALUE;
            for (int i = 0; i < WARM_UP; i++) {
                long begun = System.nanoTime();
                side.rows = execute(id, side.statement);
                fastest = Math.min(fastest, System.nanoTime() - begun);
            }
            return Math.clamp(OBSERVED_NANOS_MIN / Math.max(1, fastest), 1, BATCH_MAX);
        }

        /// Milliseconds that one execution takes.
        private double observed(@Nullable String id, PreparedStatement statement, int batch)
                throws SQLException, IOException {
            long begun = System.nanoTime();
            for (int i = 0; i < batch; i++) {
                execute(id, statement);
            }
            return millis(System.nanoTime() - begun) / batch;
        }

        private long execute(@Nullable String id, PreparedStatement statement)
                throws SQLException, IOException {
            return questions.run(
                    id,
                    statement,
                    () -> {
                        long count = 0;
                        try (ResultSet rows = statement.executeQuery()) {
                            int columns = rows.getMetaData().getColumnCount();
                            while (rows.next()) {
                                count++;
                                rows.getObject(columns);
                            }
                        }
                        return count;
                    });
        }

        private void line(JsonNode json) throws IOException {
            lines.write((json + "\n").getBytes(StandardCharsets.UTF_8));
            lines.flush();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private static double millis(long nanos) {
        return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    /// Times of both sides, by round.
    private static final class Observed {
        private final List<Double> without = new ArrayList<>();
        private final List<Double> with = new ArrayList<>();
        private final List<Double> guarded = new ArrayList<>();
        private final List<Double> guards = new ArrayList<>();

        void add(boolean hasIndex, double millis) {
            (hasIndex ? with : without).add(millis);
        }

        void addGuard(double millis) {
            guarded.add(without.getLast());
            guards.add(millis);
        }

        double lastWithout() {
            return without.getLast();
        }

        double lastWith() {
            return with.getLast();
        }

        ObjectNode end() {
            Change change = Change.of(array(without), array(with), array(guarded), array(guards));
            double before = Statistics.mean(array(without)).value();
            double after = Statistics.mean(array(with)).value();
            ObjectNode json = Exchange.JSON.createObjectNode();
            json.putObject("end")
                    .put("rounds", with.size())
                    .put("without_ms", before)
                    .put("with_ms", after)
                    .put("ratio", change.ratio().value())
                    .put("low", change.ratio().low())
                    .put("high", change.ratio().high())
                    .put("verdict", change.verdict().name().toLowerCase(Locale.ROOT))
                    .put("sentence", Sentences.indexWorth(change, before, after));
            return json;
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }
}
