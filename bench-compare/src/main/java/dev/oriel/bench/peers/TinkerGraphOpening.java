package dev.oriel.bench.peers;

import dev.oriel.bench.graph.GraphShape;
import dev.oriel.bench.graph.GraphStore;
import dev.oriel.bench.graph.GremlinLinks;
import dev.oriel.bench.graph.GremlinStore;
import dev.oriel.bench.graph.LinkStore;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;

/// Opens a TinkerGraph.
final class TinkerGraphOpening {
    private TinkerGraphOpening() {}

    static GraphStore open(GraphShape shape) {
        TinkerGraph graph = TinkerGraph.open();
        if (shape == GraphShape.INDEXED) {
            graph.createIndex("city", Vertex.class);
            graph.createIndex("age", Vertex.class);
        }
        return new GremlinStore(graph, shape != GraphShape.ALLOTTED, () -> {});
    }

    static LinkStore openLinks() {
        return new GremlinLinks(TinkerGraph.open(), () -> {});
    }
}
