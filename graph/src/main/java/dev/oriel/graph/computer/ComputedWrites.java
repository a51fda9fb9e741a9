package dev.oriel.graph.computer;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/// Writes computed values to the graph as properties, in one transaction; they replace the vertices' current
/// values of the same keys. Vertices removed meanwhile are skipped.
final class ComputedWrites {
    private ComputedWrites() {}

    static void write(ComputedValues values, StoredGraph to) {
        StoredGraph graph = to.threaded();
        try {
            for (Map.Entry<Long, Map<String, List<ComputedValues.Value>>> each : values.all()) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new TraversalInterruptedException();
                }
                if (graph.work().vertices().exists(each.getKey())) {
                    OrielVertex vertex = new OrielVertex(graph, each.getKey(), null);
                    each.getValue().forEach((key, of) -> write(vertex, key, of));
                }
            }
            graph.tx().commit();
        } finally {
            if (graph.tx().isOpen()) {
                graph.tx().rollback();
            }
        }
    }

    private static void write(OrielVertex vertex, String key, List<ComputedValues.Value> values) {
        vertex.properties(key).forEachRemaining(Property::remove);
        PropertyKey known = vertex.graph().catalog().keys().byName(key);
        Cardinality declared = known == null ? null : known.cardinality();
        for (ComputedValues.Value value : values) {
            Object[] meta =
                    value.meta().entrySet().stream()
                            .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                            .toArray();
            vertex.property(
                    declared == null ? Cardinality.list : declared, key, value.value(), meta);
        }
    }
}
