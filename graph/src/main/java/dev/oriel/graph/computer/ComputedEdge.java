package dev.oriel.graph.computer;

import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// An edge of a [ComputedGraph]: a wrapper of an edge of the graph below.
final class ComputedEdge implements Edge {
    private final ComputedGraph graph;
    private final Edge lower;

    ComputedEdge(ComputedGraph graph, Edge lower) {
        this.graph = graph;
        this.lower = lower;
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
    public Vertex outVertex() {
        return graph.over(lower.outVertex());
    }

    @Override
    public Vertex inVertex() {
        return graph.over(lower.inVertex());
    }

    @Override
    public Iterator<Vertex> vertices(Direction direction) {
        return switch (direction) {
            case OUT -> List.of(outVertex()).iterator();
            case IN -> List.of(inVertex()).iterator();
            case BOTH -> List.of(outVertex(), inVertex()).iterator();
        };
    }

    /// The vertex at the other end of the edge from `from`, in `direction`.
    ComputedVertex otherEnd(ComputedVertex from, Direction direction) {
        boolean out =
                direction == Direction.OUT
                        || (direction == Direction.BOTH
                                && graph.numberOf(lower.outVertex()) == from.number());
        return graph.over(out ? lower.inVertex() : lower.outVertex());
    }

    @Override
    public <V> Iterator<Property<V>> properties(String... keys) {
        return lower.properties(keys);
    }

    @Override
    public <V> Property<V> property(String key, V value) {
        throw Element.Exceptions.propertyAdditionNotSupported();
    }

    @Override
    public void remove() {
        throw Edge.Exceptions.edgeRemovalNotSupported();
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
        return StringFactory.edgeString(this);
    }
}
