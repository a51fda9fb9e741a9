package dev.oriel.graph;

import dev.oriel.graph.computer.OrielGraphComputer;
import io.cucumber.java.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.World;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.AssumptionViolatedException;

/// The graphs that TinkerPop's Gherkin features need. They are its example graphs, copied once from TinkerGraph
/// with their ids, and new empty graphs. A scenario's changes to an example are rolled back after it.
class GraphWorld implements World {
    private static final String INSERTION_ORDER =
            "Edges of a vertex are in the order of their keys, not of insertion";

    private static final String OWN_SERVICES = "There are services beside those of the features";

    /// Scenarios that are not run here, with reasons; docs/graph.md lists them too.
    private static final Map<String, String> LEFT_OUT =
            Map.of(
                    "g_VX1_2_3X_repeatXboth_barrierX_emit_timesX2X_path", INSERTION_ORDER,
                    "g_V_playlist_paths", INSERTION_ORDER,
                    "g_call", OWN_SERVICES,
                    "g_callXlistX", OWN_SERVICES);

    private final Map<GraphData, OrielGraph> examples = new EnumMap<>(GraphData.class);
    private final List<OrielGraph> used = new ArrayList<>();
    private final Map<String, String> unpacked = new HashMap<>();

    /// Whether traversals of the scenario run on the graph computer.
    private boolean computed;

    @Override
    public GraphTraversalSource getGraphTraversalSource(@Nullable GraphData data) {
        if (data == null) {
            if (computed) {
                throw new AssumptionViolatedException("A graph computer does not change a graph");
            }
            OrielGraph empty = open();
            ExampleServices.register(empty);
            used.add(empty);
            return empty.traversal();
        }
        GraphTraversalSource source = examples.computeIfAbsent(data, this::example).traversal();
        return computed ? source.withComputer(OrielGraphComputer.class) : source;
    }

    /// An empty graph.
    OrielGraph open() {
        return OrielGraph.inMemory();
    }

    /// Closes an empty graph after use.
    void close(OrielGraph graph) {
        graph.close();
    }

    /// Declares the keys of an example, in worlds with a schema.
    void declare(OrielGraph graph, GraphData data) {}

    /// Creates indexes over a filled example.
    void index(OrielGraph graph, GraphData data) {}

    private OrielGraph example(GraphData data) {
        OrielGraph graph = open();
        declare(graph, data);
        GraphCopy.copy(
                switch (data) {
                    case CLASSIC -> TinkerFactory.createClassic();
                    case MODERN -> TinkerFactory.createModern();
                    case CREW -> TinkerFactory.createTheCrew();
                    case GRATEFUL -> TinkerFactory.createGratefulDead();
                    case SINK -> TinkerFactory.createKitchenSink();
                },
                graph);
        graph.tx().commit();
        index(graph, data);
        ExampleServices.register(graph);
        return graph;
    }

    /// Whether a scenario is for the graph computer.
    boolean isComputed(Scenario scenario) {
        return scenario.getSourceTagNames().contains("@GraphComputerOnly");
    }

    @Override
    public void beforeEachScenario(Scenario scenario) {
        String reason = LEFT_OUT.get(scenario.getName());
        if (reason != null) {
            throw new AssumptionViolatedException(reason);
        }
        computed = isComputed(scenario);
    }

    @Override
    public void afterEachScenario() {
        examples.values().forEach(graph -> graph.tx().rollback());
        used.forEach(this::close);
        used.clear();
    }

    @Override
    public String changePathToDataFile(String path) {
        String name = Path.of(path).getFileName().toString();
        String resource =
                switch (name.substring(name.lastIndexOf('.') + 1)) {
                    case "kryo" -> "gryo/" + name.replace(".kryo", "-v3.kryo");
                    case "json" -> "graphson/" + name.replace(".json", "-v3.json");
                    default -> "graphml/" + name;
                };
        return unpacked.computeIfAbsent(resource, GraphWorld::unpack);
    }

    /// Copies a file of gremlin-test to the disk.
    private static String unpack(String resource) {
        String path = "/org/apache/tinkerpop/gremlin/structure/io/" + resource;
        try (InputStream in = World.class.getResourceAsStream(path)) {
            Path folder = Path.of(System.getProperty("build.dir", "target"), "features");
            Files.createDirectories(folder);
            Path file = folder.resolve(Path.of(resource).getFileName());
            Files.copy(Objects.requireNonNull(in), file, StandardCopyOption.REPLACE_EXISTING);
            return file.toAbsolutePath().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Generated ids of edges are texts.
    @Override
    public String convertIdToScript(Object id, Class<? extends Element> type) {
        return id instanceof String ? "\"" + id + "\"" : id.toString();
    }

    /// A world whose graphs have declared and indexed keys.
    static class Declared extends GraphWorld {
        @Override
        void declare(OrielGraph graph, GraphData data) {
            ExampleSchema.declare(graph, data);
        }

        @Override
        void index(OrielGraph graph, GraphData data) {
            ExampleSchema.index(graph, data);
        }
    }

    /// A world whose graphs are on the disk.
    static class OnDisk extends GraphWorld {
        @Override
        OrielGraph open() {
            try {
                Path target = Path.of(System.getProperty("build.dir", "target"));
                Files.createDirectories(target);
                return OrielGraph.open(Files.createTempDirectory(target, "feature"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        void close(OrielGraph graph) {
            super.close(graph);
            Path folder = Path.of(graph.configuration().getString(OrielGraph.PATH));
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// A world whose graphs are on the disk, with declared and indexed keys.
    static final class DeclaredOnDisk extends OnDisk {
        @Override
        void declare(OrielGraph graph, GraphData data) {
            ExampleSchema.declare(graph, data);
        }

        @Override
        void index(OrielGraph graph, GraphData data) {
            ExampleSchema.index(graph, data);
        }
    }

    /// A world whose traversals all run on the graph computer.
    static class OnComputer extends GraphWorld {
        /// On a computer, TinkerPop's steps that order or cut do so once for all rounds of a loop. TinkerGraph's
        /// computer gives the same answers as ours, which differ from the scenarios'.
        private static final Set<String> ORDERED_IN_LOOPS =
                Set.of(
                        "g_V_order_byXname_descX_repeatXboth_simplePath_order_byXname_descXX_timesX2X_path",
                        "g_V_repeatXboth_repeatXorder_byXnameXX_timesX1XX_timesX1X",
                        "g_VX3X_repeatXout_order_byXperformancesX_tailX2XX_timesX2X_valuesXnameX",
                        "g_VX3X_repeatXout_order_byXperformancesX_tailX3X_limitX1XX_timesX2X_valuesXnameX",
                        "g_VX3X_repeatXout_order_byXperformances_descX_limitX5X_tailX1XX_timesX2X_valuesXnameX",
                        "g_V_emit_repeatXout_order_byXnameXX_timesX2X_valuesXnameX",
                        "g_V_emitXhasLabelXpersonXX_repeatXout_order_byXnameXX_timesX2X_valuesXnameX",
                        "g_V_untilXloops_isX2XX_repeatXout_order_byXnameXX_valuesXnameX");

        @Override
        public void beforeEachScenario(Scenario scenario) {
            if (ORDERED_IN_LOOPS.contains(scenario.getName())) {
                throw new AssumptionViolatedException("Orders in loops are otherwise there");
            }
            super.beforeEachScenario(scenario);
        }

        @Override
        boolean isComputed(Scenario scenario) {
            return true;
        }
    }
}
