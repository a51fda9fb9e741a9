package dev.oriel.graph;

import dev.oriel.graph.element.OrielEdge;
import dev.oriel.graph.element.OrielProperty;
import dev.oriel.graph.element.OrielVariables;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.OrielVertexProperty;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.AbstractGraphProvider;
import org.apache.tinkerpop.gremlin.LoadGraphWith;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;

/// Graphs in memory for TinkerPop's suites.
public class MemoryProvider extends AbstractGraphProvider {
    @SuppressWarnings("rawtypes") // as the interface has it
    private static final Set<Class> IMPLEMENTATION =
            Set.of(
                    OrielGraph.class,
                    OrielVertex.class,
                    OrielEdge.class,
                    OrielProperty.class,
                    OrielVertexProperty.class,
                    OrielVariables.class);

    @Override
    public Map<String, Object> getBaseConfiguration(
            String graphName,
            Class<?> test,
            String method,
            LoadGraphWith.@Nullable GraphData loadGraphWith) {
        Map<String, Object> configuration = new HashMap<>();
        configuration.put(Graph.GRAPH, OrielGraph.class.getName());
        if (wantsLists(test, method, loadGraphWith)) {
            configuration.put(OrielGraph.CARDINALITY, "list");
        }
        return configuration;
    }

    /// The crew has several locations each, and these tests make similar vertices.
    private static boolean wantsLists(
            Class<?> test, String method, LoadGraphWith.@Nullable GraphData loadGraphWith) {
        return loadGraphWith == LoadGraphWith.GraphData.CREW
                || (test.getSimpleName().equals("StarGraphTest")
                        && method.equals("shouldAttachWithCreateMethod"))
                || (test.getSimpleName().equals("DetachedGraphTest")
                        && method.equals("testAttachableCreateMethod"));
    }

    @Override
    public void clear(@Nullable Graph graph, Configuration configuration) throws Exception {
        if (graph != null) {
            graph.close();
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public Set<Class> getImplementations() {
        return IMPLEMENTATION;
    }
}
