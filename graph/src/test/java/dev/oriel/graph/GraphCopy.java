package dev.oriel.graph;

import dev.oriel.graph.catalog.PropertyKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/// Copies a whole graph into another, with ids of elements.
final class GraphCopy {
    private GraphCopy() {}

    static void copy(Graph from, Graph to) {
        Map<Object, Vertex> copies = new HashMap<>();
        from.vertices().forEachRemaining(vertex -> copies.put(vertex.id(), copy(vertex, to)));
        Iterator<Edge> edges = from.edges();
        while (edges.hasNext()) {
            Edge edge = edges.next();
            List<Object> keyValues = new ArrayList<>(List.of(T.id, edge.id()));
            Iterator<Property<Object>> properties = edge.properties();
            properties.forEachRemaining(each -> {
                keyValues.add(each.key());
                keyValues.add(each.value());
            });
            Vertex source = Objects.requireNonNull(copies.get(edge.outVertex().id()));
            Vertex target = copies.get(edge.inVertex().id());
            source.addEdge(edge.label(), target, keyValues.toArray());
        }
    }

    /// The declared cardinality, else list.
    private static Cardinality cardinality(Graph to, String key) {
        PropertyKey known =
                to instanceof OrielGraph graph ? graph.catalog().keys().byName(key) : null;
        Cardinality declared = known == null ? null : known.cardinality();
        return declared == null ? Cardinality.list : declared;
    }

    private static Vertex copy(Vertex vertex, Graph to) {
        Vertex copy = to.addVertex(T.id, vertex.id(), T.label, vertex.label());
        Iterator<VertexProperty<Object>> properties = vertex.properties();
        properties.forEachRemaining(property -> {
            VertexProperty<Object> copied =
                    copy.property(
                            cardinality(to, property.key()),
                            property.key(),
                            property.value(),
                            T.id,
                            property.id());
            Iterator<Property<Object>> metas = property.properties();
            metas.forEachRemaining(meta -> copied.property(meta.key(), meta.value()));
        });
        return copy;
    }
}
