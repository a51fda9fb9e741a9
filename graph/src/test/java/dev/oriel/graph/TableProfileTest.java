package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.junit.jupiter.api.Test;

/// Output of `profile()` for traversals over ordinary tables and over a graph with tables of its own: each folded
/// step with its reads and indexes. Times and pages are replaced by `#`.
class TableProfileTest {
    private static final String[] STATEMENTS = {
        "CREATE TABLE person (id INT PRIMARY KEY, age INT)",
        "CREATE TABLE knows (id INT PRIMARY KEY, a INT NOT NULL REFERENCES person,"
                + " b INT NOT NULL REFERENCES person, weight INT)",
        "CREATE INDEX person_age ON person (age)",
        "CREATE INDEX knows_a ON knows (a)",
        "INSERT INTO person SELECT i, i % 10 FROM generate_series(1, 100) AS s(i)",
        "INSERT INTO knows SELECT i, 1 + i % 100, 1 + i * 7 % 100, i % 5"
                + " FROM generate_series(1, 300) AS s(i)",
        "CREATE PROPERTY GRAPH g VERTEX TABLES (person)"
                + " EDGE TABLES (knows SOURCE KEY (a) REFERENCES person (id)"
                + " DESTINATION KEY (b) REFERENCES person (id))"
    };

    private static void execute(Database database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String each : STATEMENTS) {
                statement.execute(each);
            }
        }
    }

    /// A line for each step: its name, the number of its traversers, and its reads.
    private static String told(GraphTraversal<?, ?>... traversals) {
        StringBuilder told = new StringBuilder();
        for (GraphTraversal<?, ?> each : traversals) {
            told.append(told(each.profile().next())).append("\n");
        }
        return told.toString();
    }

    private static String told(TraversalMetrics metrics) {
        List<String> lines = new ArrayList<>();
        for (Metrics each : metrics.getMetrics()) {
            TreeMap<String, Object> figures = new TreeMap<>(each.getCounts());
            figures.putAll(each.getAnnotations());
            figures.remove("percentDur");
            figures.remove("elementCount");
            figures.replaceAll((name, value) ->
                    name.equals("pagesRead") || name.equals("readMillis") ? "#" : value);
            lines.add(each.getName() + "\n    " + figures + "\n");
        }
        return String.join("", lines);
    }

    @Test
    void foldedStepsOverTablesTellWhatTheyRead() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(database);
            try (TableGraph graph = TableGraph.open(database, "g")) {
                GraphTraversalSource g = graph.traversal();
                assertEquals(
                        """
                        TableGraphStep(vertex,[~label.eq(person), age.eq(5), person by index person_age])
                            {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=10, traverserCount=10}
                        OrielHopsStep([OUT[knows], OUT[knows]],each once)
                            {pagesRead=#, rangesRead=20, readBy=knows by index knows_a, readMillis=#, rowsRead=60, traverserCount=10}

                        OrielCountStep(TableGraphStep(vertex,[~label.eq(person), age.gt(6), person by index person_age]))
                            {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=0, traverserCount=1}

                        OrielCountStep(TableGraphStep(vertex,[~label.eq(person), age.gt(6), id.lt(50), person by index primary key]))
                            {pagesRead=#, rangesRead=2, readMillis=#, rowsRead=49, traverserCount=1}

                        TableGraphStep(vertex,[~label.eq(person), person by index person_age ascending, first 3])
                            {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=16, traverserCount=3}
                        OrderGlobalStep([[value(age), asc]])
                            {traverserCount=3}
                        RangeGlobalStep(0,3)
                            {traverserCount=3}
                        PropertiesStep([age],value)
                            {traverserCount=3}

                        TableGraphStep(vertex,[person:7])
                            {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=1, traverserCount=1}
                        OrielHopCountStep(degree BOTH[knows],no index begins with knows(b))
                            {pagesRead=#, rangesRead=2, readBy=knows by index knows_a, knows by reading all of it, readMillis=#, rowsRead=300, traverserCount=1}

                        TableGraphStep(vertex,[~label.eq(person)])
                            {pagesRead=#, rangesRead=3, readMillis=#, rowsRead=100, traverserCount=100}
                        OrielHopCountStep(degree OUT[knows])
                            {pagesRead=#, rangesRead=100, readBy=knows by index knows_a, readMillis=#, rowsRead=0, traverserCount=1}

                        TableGraphStep(vertex,[person:7])
                            {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=1, traverserCount=1}
                        OrielVertexStep(OUT,[knows],vertex)
                            {pagesRead=#, rangesRead=1, readBy=knows by index knows_a, readMillis=#, rowsRead=3, traverserCount=3}
                        IdStep
                            {traverserCount=3}

                        TableGraphStep(edge,[~label.eq(knows), weight.eq(2)])
                            {pagesRead=#, rangesRead=3, readMillis=#, rowsRead=300, traverserCount=60}
                        IdStep
                            {traverserCount=60}

                        """,
                        told(
                                g.V().has("person", "age", 5).out("knows").out("knows").dedup(),
                                g.V().has("person", "age", P.gt(6)).count(),
                                g.V().has("person", "age", P.gt(6)).has("id", P.lt(50)).count(),
                                g.V().hasLabel("person").order().by("age").limit(3).values("age"),
                                g.V("person:7").both("knows").count(),
                                g.V().hasLabel("person").out("knows").count(),
                                g.V("person:7").out("knows").id(),
                                g.E().has("knows", "weight", 2).id()));
            }
        }
    }

    @Test
    void foldedStepsOverAGraphTellTheSame() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().propertyKey("age").asInt().create();
            graph.schema().propertyKey("since").asInt().create();
            graph.schema().vertexLabel("person").useCustomizeNumberId().properties("age").create();
            graph.schema().indexLabel("byAge").onV("person").by("age").create();
            graph.schema()
                    .edgeLabel("knows")
                    .link("person", "person")
                    .multiTimes()
                    .properties("since")
                    .sortKeys("since")
                    .create();
            GraphTraversalSource g = graph.traversal();
            for (int i = 1; i <= 100; i++) {
                g.addV("person")
                        .property(org.apache.tinkerpop.gremlin.structure.T.id, i)
                        .property("age", i % 10)
                        .iterate();
            }
            for (int i = 1; i <= 300; i++) {
                g.addE("knows")
                        .from(__.V(1 + i % 100))
                        .to(__.V(1 + i * 7 % 100))
                        .property("since", i % 5)
                        .iterate();
            }
            graph.tx().commit();
            assertEquals(
                    """
                    OrielGraphStep(vertex,[~label.eq(person), age.eq(5), index byAge])
                        {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=10, traverserCount=10}
                    OrielHopsStep([OUT[knows], OUT[knows]],each once)
                        {pagesRead=#, rangesRead=20, readBy=knows by primary key, readMillis=#, rowsRead=60, traverserCount=10}

                    OrielCountStep(OrielGraphStep(vertex,[~label.eq(person), age.gt(6), index byAge]))
                        {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=0, traverserCount=1}

                    OrielGraphStep(vertex,[7])
                        {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=1, traverserCount=1}
                    OrielHopCountStep(degree BOTH[knows])
                        {pagesRead=#, rangesRead=2, readBy=knows by primary key, knows by index knows~in, readMillis=#, rowsRead=0, traverserCount=1}

                    OrielGraphStep(vertex,[7])
                        {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=1, traverserCount=1}
                    OrielVertexStep(OUT,[knows],vertex)
                        {pagesRead=#, rangesRead=1, readBy=knows by primary key, readMillis=#, rowsRead=3, traverserCount=3}
                    IdStep
                        {traverserCount=3}

                    OrielGraphStep(vertex,[7])
                        {pagesRead=#, rangesRead=1, readMillis=#, rowsRead=1, traverserCount=1}
                    OrielEdgesStep(OUT[knows],[since.eq(1)])
                        {pagesRead=#, rangesRead=1, readBy=knows by primary key, readMillis=#, rowsRead=3, traverserCount=3}
                    IdStep
                        {traverserCount=3}

                    """,
                    told(
                            g.V().has("person", "age", 5).out("knows").out("knows").dedup(),
                            g.V().has("person", "age", P.gt(6)).count(),
                            g.V(7).both("knows").count(),
                            g.V(7).out("knows").id(),
                            g.V(7).outE("knows").has("since", 1).id()));
        }
    }
}
