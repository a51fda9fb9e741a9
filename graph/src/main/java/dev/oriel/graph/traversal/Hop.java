package dev.oriel.graph.traversal;

import java.util.Arrays;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A step from vertices to their neighbours.
///
/// @param labels labels of the edges; empty for all
public record Hop(Direction direction, List<String> labels) {
    static Hop of(VertexStep<?> step) {
        return new Hop(step.getDirection(), Arrays.asList(step.getEdgeLabels()));
    }

    String[] names() {
        return labels.toArray(String[]::new);
    }

    /// The neighbours of a vertex of any graph.
    java.util.Iterator<Vertex> from(Vertex vertex) {
        return vertex.vertices(direction, names());
    }

    @Override
    public String toString() {
        return direction + (labels.isEmpty() ? "" : labels.toString());
    }
}
