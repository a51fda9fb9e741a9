package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import dev.oriel.internal.Layers;
import dev.oriel.table.definition.Table;
import dev.oriel.table.statistics.ColumnStatistics;
import dev.oriel.table.statistics.TableStatistics;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// The distribution of a column's values, from a sample of the rows.
final class ColumnSummary {
    private static final int SAMPLE_ROWS = 100_000;
    private static final int BINS = 20;

    private final Database database;
    private final Questions questions;

    ColumnSummary(Database database, Questions questions) {
        this.database = database;
        this.questions = questions;
    }

    /// `{"schema"?, "table", "column"}`: number of NULLs, number of distinct values, least, greatest and the ten
    /// most frequent values, of the first 100,000 rows. The planner's figures of all rows come with them.
    void summary(Exchange exchange) throws SQLException, IOException {
        JsonNode body = exchange.body();
        String column = Names.quoted(Names.required(body, "column"));
        String sample =
                "(SELECT "
                        + column
                        + " AS v FROM "
                        + TableName.of(body).sql()
                        + " LIMIT "
                        + SAMPLE_ROWS
                        + ") AS s";
        ObjectNode json =
                questions.read(connection -> {
                    ObjectNode all =
                            (ObjectNode)
                                    questions
                                            .shown(
                                                    connection,
                                                    "SELECT COUNT(*) AS \"rows\", COUNT(v) AS"
                                                            + " \"present\", COUNT(DISTINCT v) AS"
                                                            + " \"distinct\", MIN(v) AS \"least\","
                                                            + " MAX(v) AS \"greatest\" FROM "
                                                            + sample)
                                            .get(0);
                    all.put("sampled", SAMPLE_ROWS);
                    all.set(
                            "frequent",
                            questions.shown(
                                    connection,
                                    "SELECT v AS \"value\", COUNT(*) AS \"rows\" FROM "
                                            + sample
                                            + " GROUP BY v ORDER BY COUNT(*) DESC, v LIMIT 10"));
                    planner(TableName.of(body), Names.required(body, "column"), all);
                    String scale = scale(connection, sample);
                    if (scale != null) {
                        histogram(connection, scale, sample, all);
                    }
                    return all;
                });
        exchange.json(json);
    }

    /// Adds the planner's statistics of the whole table, if it is one: `about` with `rows`, `nulls` (a
    /// share) and `distinct`.
    private void planner(TableName name, String column, ObjectNode into) {
        for (Table table : Layers.tables(database).catalog().tables()) {
            String schema = table.schema().isEmpty() ? TableName.PUBLIC : table.schema();
            if (!schema.equalsIgnoreCase(name.schema())
                    || !table.name().equalsIgnoreCase(name.name())) {
                continue;
            }
            TableStatistics statistics = Layers.tables(database).statistics().of(table);
            for (int i = 0; i < table.columns().size(); i++) {
                ColumnStatistics known = statistics.column(i);
                if (known != null && table.columns().get(i).name().equalsIgnoreCase(column)) {
                    into.putObject("about")
                            .put("rows", statistics.rows())
                            .put("nulls", known.nulls())
                            .put("distinct", Math.round(statistics.distinct(i)));
                }
            }
        }
    }

    /// The column `v` of a sample as a number that a histogram can divide; null if it has none.
    private static @Nullable String scale(Connection connection, String sample)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT v FROM " + sample + " WHERE 1 = 0")) {
            return switch (rows.getMetaData().getColumnType(1)) {
                case Types.TINYINT,
                        Types.SMALLINT,
                        Types.INTEGER,
                        Types.BIGINT,
                        Types.DECIMAL,
                        Types.NUMERIC,
                        Types.REAL,
                        Types.FLOAT,
                        Types.DOUBLE ->
                        finite("CAST(v AS DOUBLE)");
                case Types.DATE, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
                        finite("CAST(EXTRACT(EPOCH FROM v) AS DOUBLE)");
                default -> null;
            };
        }
    }

    /// A number; NULL for NaN and the infinite ones, which no bin holds.
    private static String finite(String number) {
        return "CASE WHEN "
                + number
                + " BETWEEN -1.7976931348623157E308 AND 1.7976931348623157E308 THEN "
                + number
                + " END";
    }

    /// Adds `histogram`, counts of values in equally wide bins, and the least and the greatest of these values as `from`
    /// and `to`.
    private void histogram(Connection connection, String scale, String sample, ObjectNode into)
            throws SQLException, IOException {
        long[] counts = new long[BINS];
        String shown = "CASE WHEN (" + scale + ") IS NOT NULL THEN v END";
        JsonNode range =
                questions
                        .objects(
                                connection,
                                "SELECT MIN("
                                        + scale
                                        + ") AS \"least\", MAX("
                                        + scale
                                        + ") AS \"greatest\", MIN("
                                        + shown
                                        + ") AS \"from\", MAX("
                                        + shown
                                        + ") AS \"to\" FROM "
                                        + sample)
                        .get(0);
        double least = range.path("least").asDouble();
        double width = (range.path("greatest").asDouble() - least) / BINS;
        if (!(width > 0) || !Double.isFinite(width)) {
            return;
        }
        into.set("from", range.path("from"));
        into.set("to", range.path("to"));
        String bins =
                "SELECT b AS \"bin\", COUNT(*) AS \"rows\" FROM (SELECT FLOOR(("
                        + scale
                        + " - ?) / ?) AS b FROM "
                        + sample
                        + ") AS t WHERE b IS NOT NULL GROUP BY b";
        for (JsonNode bin : questions.shown(connection, bins, least, width)) {
            counts[Math.clamp(bin.path("bin").asLong(), 0, BINS - 1)] += bin.path("rows").asLong();
        }
        ArrayNode all = into.putArray("histogram");
        for (long count : counts) {
            all.add(count);
        }
    }
}
