package dev.oriel.bench.peers;

import dev.oriel.bench.GraphStore;
import dev.oriel.bench.GremlinStore;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;

/// Opens a TinkerGraph.
final class TinkerGraphOpening {
    private TinkerGraphOpening() {}

    static GraphStore open(boolean indexed) {
        TinkerGraph graph = TinkerGraph.open();
        if (indexed) {
            graph.createIndex("city", Vertex.class);
            graph.createIndex("age", Vertex.class);
        }
        return new GremlinStore(graph, () -> {});
    }
}
