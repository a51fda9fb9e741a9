package dev.oriel.graph.computer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/// A vertex of a [ComputedGraph]: a vertex of the graph below with its computed values.
final class ComputedVertex implements Vertex {
    private final ComputedGraph graph;
    private final long number;
    private final Vertex lower;

    ComputedVertex(ComputedGraph graph, long number, Vertex lower) {
        this.graph = graph;
        this.number = number;
        this.lower = lower;
    }

    /// The number of the stored vertex.
    long number() {
        return number;
    }

    /// The vertex below.
    Vertex lower() {
        return lower;
    }

    ComputedGraph computed() {
        return graph;
    }

    @Override
    public Object id() {
        return lower.id();
    }

    @Override
    public String label() {
        return lower.label();
    }

    @Override
    public Graph graph() {
        return graph;
    }

    @Override
    public <V> VertexProperty<V> property(
            Cardinality cardinality, String key, V value, Object... keyValues) {
        if (!graph.isRunning()) {
            throw Element.Exceptions.propertyAdditionNotSupported();
        }
        ElementHelper.validateProperty(key, value);
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        Map<String, Object> meta = new LinkedHashMap<>();
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] instanceof String name) {
                ElementHelper.validateProperty(name, keyValues[i + 1]);
                meta.put(name, keyValues[i + 1]);
            }
        }
        Cardinality wanted = cardinality == null ? Cardinality.single : cardinality;
        return new ComputedProperty<>(
                this, key, graph.values().put(number, wanted, key, value, meta));
    }

    @Override
    public <V> Iterator<VertexProperty<V>> properties(String... keys) {
        Map<String, List<ComputedValues.Value>> computed = graph.values().of(number);
        List<VertexProperty<V>> found = new ArrayList<>();
        if (!areComputed(keys, computed)) {
            Iterator<VertexProperty<V>> stored = graph.stored(this, keys);
            while (stored.hasNext()) {
                VertexProperty<V> property = stored.next();
                if (!computed.containsKey(property.key())) {
                    found.add(new ComputedProperty<>(this, property));
                }
            }
        }
        computed.forEach((key, values) -> {
            if (ElementHelper.keyExists(key, keys)) {
                values.forEach(value -> found.add(new ComputedProperty<>(this, key, value)));
            }
        });
        return found.iterator();
    }

    /// Takes over a key with values below that the program has touched: the remaining values become computed ones.
    ///
    /// @param removed the id of the value that the program has removed
    void takeOver(String key, Object removed) {
        List<VertexProperty<Object>> left = new ArrayList<>();
        properties(key).forEachRemaining(left::add);
        graph.values().touch(number, key);
        for (VertexProperty<Object> each : left) {
            if (!each.id().equals(removed)) {
                Map<String, Object> meta = new LinkedHashMap<>();
                each.properties().forEachRemaining(of -> meta.put(of.key(), of.value()));
                graph.values().put(number, Cardinality.list, key, each.value(), meta);
            }
        }
    }

    /// Whether all wanted keys are computed, so that the vertex below is not read.
    private static boolean areComputed(String[] keys, Map<String, ?> computed) {
        for (String key : keys) { // Gremlin asks for null too
            if (key == null || !computed.containsKey(key)) {
                return false;
            }
        }
        return keys.length > 0;
    }

    @Override
    public Iterator<Edge> edges(Direction direction, String... labels) {
        return graph.edges(this, direction, labels);
    }

    @Override
    public Iterator<Vertex> vertices(Direction direction, String... labels) {
        return IteratorUtils.map(
                edges(direction, labels), edge -> ((ComputedEdge) edge).otherEnd(this, direction));
    }

    @Override
    public Edge addEdge(String label, Vertex inVertex, Object... keyValues) {
        throw Vertex.Exceptions.edgeAdditionsNotSupported();
    }

    @Override
    public void remove() {
        throw Vertex.Exceptions.vertexRemovalNotSupported();
    }

    @Override
    public int hashCode() {
        return ElementHelper.hashCode(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return ElementHelper.areEqual(this, other);
    }

    @Override
    public String toString() {
        return StringFactory.vertexString(this);
    }
}
