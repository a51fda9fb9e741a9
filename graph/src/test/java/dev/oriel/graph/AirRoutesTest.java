package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.graph.schema.VertexLabelBuilder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The air routes, TinkerPop's largest example: the same question has one answer in SQL, in Gremlin and in
/// TinkerGraph.
class AirRoutesTest {
    private static final OrielGraph GRAPH = OrielGraph.inMemory();
    private static final TinkerGraph THEIRS = TinkerFactory.createAirRoutes();

    @BeforeAll
    static void load() {
        OrielSchema schema = GRAPH.schema();
        for (String text : List.of("code", "icao", "desc", "region", "country", "city", "type")) {
            schema.propertyKey(text).asText().create();
        }
        for (String number : List.of("runways", "longest", "elev", "dist")) {
            schema.propertyKey(number).asInt().create();
        }
        schema.propertyKey("lat").asDouble().create();
        schema.propertyKey("lon").asDouble().create();
        boolean texts = THEIRS.vertices().next().id() instanceof String;
        declare(
                "airport", texts, "type", "code", "icao", "desc", "region", "country", "city",
                "runways", "longest", "elev", "lat", "lon");
        declare("country", texts, "type", "code", "desc");
        schema.edgeLabel("route").properties("dist").nullableKeys("dist").multiTimes().create();
        GraphCopy.copy(THEIRS, GRAPH);
        GRAPH.tx().commit();
        schema.indexLabel("airportByCode").onV("airport").by("code").create();
        schema.indexLabel("airportByCountry").onV("airport").by("country", "runways").create();
        schema.indexLabel("airportByLongest").onV("airport").by("longest").create();
    }

    private static void declare(String label, boolean texts, String... keys) {
        VertexLabelBuilder builder = GRAPH.schema().vertexLabel(label);
        builder = builder.properties(keys).nullableKeys(keys);
        (texts ? builder.useCustomizeStringId() : builder.useCustomizeNumberId()).create();
    }

    @AfterAll
    static void close() {
        GRAPH.tx().rollback();
        assertEquals(List.of(), GRAPH.database().check());
        GRAPH.close();
    }

    /// A question.
    ///
    /// @param ordered whether the order of the results counts
    private record Question(String sql, boolean ordered, Gremlin gremlin) {}

    private interface Gremlin {
        GraphTraversal<?, ?> of(GraphTraversalSource g);
    }

    private static void ask(String sql, Gremlin gremlin) throws SQLException {
        ask(new Question(sql, false, gremlin));
    }

    private static void ask(Question question) throws SQLException {
        List<String> bySql = sql(question.sql());
        List<String> ours = gremlin(question.gremlin().of(GRAPH.traversal()));
        List<String> theirs = gremlin(question.gremlin().of(THEIRS.traversal()));
        if (!question.ordered()) {
            bySql.sort(null);
            ours.sort(null);
            theirs.sort(null);
        }
        assertTrue(!bySql.isEmpty(), question.sql());
        assertEquals(bySql, ours, question.sql());
        assertEquals(theirs, ours, question.sql());
    }

    private static List<String> sql(String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = GRAPH.database().connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(i == 1 ? "" : " ").append(result.getObject(i));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    /// One line for each result: the key and value of a map entry, the elements of a list, or the result itself.
    private static List<String> gremlin(GraphTraversal<?, ?> traversal) {
        List<String> rows = new ArrayList<>();
        traversal.forEachRemaining(each -> {
            if (each instanceof Map.Entry<?, ?> entry) {
                rows.add(entry.getKey() + " " + entry.getValue());
            } else if (each instanceof List<?> values) {
                rows.add(String.join(" ", values.stream().map(String::valueOf).toList()));
            } else {
                rows.add(String.valueOf(each));
            }
        });
        return rows;
    }

    @Test
    void countsAndRanges() throws SQLException {
        ask("SELECT COUNT(*) FROM airport", g -> g.V().hasLabel("airport").count());
        ask("SELECT COUNT(*) FROM route", g -> g.E().hasLabel("route").count());
        ask(
                "SELECT code FROM airport WHERE country = 'NO' AND runways >= 2",
                g -> g.V().has("airport", "country", "NO").has("runways", P.gte(2)).values("code"));
        ask(
                "SELECT COUNT(*) FROM airport WHERE longest BETWEEN 10000 AND 12000",
                g -> g.V().has("airport", "longest", P.gte(10_000).and(P.lte(12_000))).count());
        ask(
                "SELECT code FROM airport WHERE code LIKE 'LA%'",
                g -> g.V().has("airport", "code", TextP.startingWith("LA")).values("code"));
        ask(
                "SELECT city FROM airport WHERE code IN ('LHR', 'JFK', 'OSL')",
                g -> g.V().has("code", P.within("LHR", "JFK", "OSL")).values("city"));
    }

    @Test
    void ordersAndGroups() throws SQLException {
        ask(
                new Question(
                        "SELECT longest FROM airport ORDER BY longest DESC LIMIT 20",
                        true,
                        g ->
                                g.V()
                                        .hasLabel("airport")
                                        .order()
                                        .by("longest", Order.desc)
                                        .limit(20)
                                        .values("longest")));
        ask(
                "SELECT country, COUNT(*) FROM airport GROUP BY country",
                g -> g.V().hasLabel("airport").groupCount().by("country").unfold());
        ask(
                "SELECT SUM(dist) FROM route WHERE dist > 8000",
                g -> g.E().has("route", "dist", P.gt(8000)).values("dist").sum());
        ask(
                "SELECT MAX(lat) FROM airport WHERE country = 'US'",
                g -> g.V().has("airport", "country", "US").values("lat").max());
    }

    @Test
    void hops() throws SQLException {
        ask(
                "SELECT t.code FROM airport s JOIN route r ON r._source = s._id"
                        + " JOIN airport t ON t._id = r._target WHERE s.code = 'SVG'",
                g -> g.V().has("airport", "code", "SVG").out("route").values("code"));
        ask(
                "SELECT COUNT(*) FROM airport s JOIN route r ON r._source = s._id"
                        + " JOIN route q ON q._source = r._target WHERE s.code = 'LHR'",
                g -> g.V().has("code", "LHR").out("route").out("route").count());
        ask(
                "SELECT COUNT(DISTINCT q._target) FROM airport s JOIN route r ON r._source = s._id"
                        + " JOIN route q ON q._source = r._target WHERE s.code = 'OSL'",
                g -> g.V().has("code", "OSL").repeat(__.out("route")).times(2).dedup().count());
        ask(
                "SELECT COUNT(*) FROM airport s JOIN route r ON r._source = s._id"
                        + " JOIN route q ON q._source = r._target"
                        + " JOIN route p ON p._source = q._target WHERE s.code = 'TOS'",
                g -> g.V().has("code", "TOS").repeat(__.out("route")).times(3).count());
        ask(
                "SELECT c.code FROM country c JOIN contains o ON o._source = c._id"
                        + " JOIN airport a ON a._id = o._target WHERE a.longest > 15000",
                g ->
                        g.V()
                                .has("airport", "longest", P.gt(15_000))
                                .in("contains")
                                .hasLabel("country")
                                .values("code"));
        ask(
                "SELECT s.code, COUNT(*) FROM airport s JOIN route r ON r._source = s._id"
                        + " WHERE s.country = 'IS' GROUP BY s.code",
                g ->
                        g.V()
                                .has("airport", "country", "IS")
                                .filter(__.out("route"))
                                .group()
                                .by("code")
                                .by(__.out("route").count())
                                .unfold());
    }
}
