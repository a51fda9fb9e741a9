package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.LoadGraphWith;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;

/// Graphs in memory for TinkerPop's suites, whose examples have a schema and indexes.
public class SchemaProvider extends MemoryProvider {
    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public void loadGraphData(
            @Nullable Graph graph, @Nullable LoadGraphWith with, Class test, String name) {
        ExampleSchema.around(graph, with, () -> super.loadGraphData(graph, with, test, name));
    }
}
