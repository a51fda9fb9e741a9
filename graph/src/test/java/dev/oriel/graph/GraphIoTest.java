package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.IO;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Exports of our graphs into TinkerPop's file formats, and imports of them.
final class GraphIoTest {
    @TempDir Path folder;

    /// Fills a graph within the limits of GraphML: one value for each property, of simple types.
    private static void fillSimple(OrielGraph graph) {
        Vertex marko = graph.addVertex(T.id, "marko", T.label, "person", "age", 29, "height", 1.8);
        Vertex vadas = graph.addVertex(T.id, 17L, T.label, "person", "name", "Va<d>as & \"co\" ü");
        Vertex thing = graph.addVertex(T.label, "thing", "ok", true, "big", 1L << 40);
        Edge knows = marko.addEdge("knows", vadas, "weight", 0.5f);
        knows.property("since", 2010);
        marko.addEdge("knows", vadas);
        vadas.addEdge("has", thing);
        thing.addEdge("self", thing);
        graph.tx().commit();
    }

    /// Fills a graph with all features of ours.
    private static void fill(OrielGraph graph) {
        fillSimple(graph);
        Vertex rich = graph.addVertex(T.label, "rich");
        rich.property(Cardinality.list, "name", "a", "since", 1, "by", "me");
        rich.property(Cardinality.list, "name", "b");
        rich.property("uuid", new UUID(1, 2));
        graph.tx().commit();
    }

    /// A description of a graph that does not depend on allotted ids: each vertex by its properties.
    private static Set<String> told(OrielGraph graph) {
        Set<String> told = new TreeSet<>();
        graph.traversal().V().forEachRemaining(v -> told.add(named(v)));
        graph.traversal()
                .E()
                .forEachRemaining(e ->
                        told.add(
                                named(e.outVertex())
                                        + " -"
                                        + e.label()
                                        + properties(e)
                                        + "-> "
                                        + named(e.inVertex())));
        List<Long> counts =
                List.of(graph.traversal().V().count().next(), graph.traversal().E().count().next());
        told.add(counts.toString());
        graph.tx().rollback();
        return told;
    }

    private static String named(Vertex vertex) {
        return vertex.label() + properties(vertex);
    }

    private static Map<String, String> properties(Element element) {
        Map<String, List<String>> values = new TreeMap<>();
        element.properties()
                .forEachRemaining(property -> {
                    String meta =
                            property instanceof VertexProperty<?> own ? metas(own).toString() : "";
                    Object value = property.value();
                    values.computeIfAbsent(property.key(), _ -> new ArrayList<>())
                            .add(value.getClass().getSimpleName() + " " + value + meta);
                });
        Map<String, String> sorted = new TreeMap<>();
        values.forEach((key, all) -> sorted.put(key, new TreeSet<>(all).toString()));
        return sorted;
    }

    private static Map<String, Object> metas(VertexProperty<?> property) {
        Map<String, Object> metas = new TreeMap<>();
        property.properties().forEachRemaining(meta -> metas.put(meta.key(), meta.value()));
        return metas;
    }

    private void roundTrip(String file, boolean rich) throws IOException {
        Path path = folder.resolve(file);
        try (OrielGraph from = OrielGraph.inMemory();
                OrielGraph memory = open(null, rich);
                OrielGraph disk = open(folder.resolve("db-" + file), rich)) {
            if (rich) {
                fill(from);
            } else {
                fillSimple(from);
            }
            from.traversal().io(path.toString()).write().iterate();
            for (OrielGraph to : List.of(memory, disk)) {
                to.traversal().io(path.toString()).read().iterate();
                to.tx().commit();
                assertEquals(told(from), told(to));
                assertEquals("marko", to.traversal().V("marko").id().next());
                assertEquals(List.of(), to.database().check());
            }
        }
    }

    /// Files have no cardinalities of keys; the graph sets them.
    private static OrielGraph open(@Nullable Path path, boolean severalValues) {
        BaseConfiguration configuration = new BaseConfiguration();
        if (path != null) {
            configuration.setProperty(OrielGraph.PATH, path.toString());
        }
        configuration.setProperty(OrielGraph.CARDINALITY, severalValues ? "list" : "single");
        return OrielGraph.open(configuration);
    }

    @Test
    void graphmlRoundTrips() throws IOException {
        roundTrip("g.xml", false);
    }

    @Test
    void graphsonRoundTrips() throws IOException {
        roundTrip("g.json", true);
    }

    @Test
    void gryoRoundTrips() throws IOException {
        roundTrip("g.kryo", true);
    }

    @Test
    void malformedFilesAreRefusedAndNothingIsHalfApplied() throws IOException {
        for (String file : List.of("g.xml", "g.json", "g.kryo")) {
            Path path = folder.resolve(file);
            try (OrielGraph from = OrielGraph.inMemory();
                    OrielGraph to = OrielGraph.inMemory()) {
                fillSimple(from);
                from.traversal().io(path.toString()).write().iterate();
                byte[] whole = Files.readAllBytes(path);
                Files.write(path, java.util.Arrays.copyOf(whole, whole.length - 20));
                assertThrows(
                        Exception.class, () -> to.traversal().io(path.toString()).read().iterate());
                to.tx().rollback();
                assertEquals(0, to.traversal().V().count().next(), file);
            }
        }
    }

    @Test
    void csvIsReadByOurReader() throws IOException {
        Path vertices =
                Files.writeString(
                        folder.resolve("v.csv"), "~id,~label,age:int\na,person,1\nb,person,\n");
        Path edges = Files.writeString(folder.resolve("e.csv"), "~from,~to,~label\na,b,knows\n");
        try (OrielGraph graph = OrielGraph.inMemory()) {
            for (Path file : List.of(vertices, edges)) {
                graph.traversal()
                        .io(file.toString())
                        .with(IO.reader, CsvGraphReader.class.getName())
                        .read()
                        .iterate();
            }
            assertEquals(1, graph.traversal().V("a").values("age").next());
            assertEquals("b", graph.traversal().V("a").out("knows").id().next());
        }
    }
}
