package dev.oriel.graph.algorithm;

import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A path, and the total weight of its edges.
///
/// @param vertices the vertices from one end to the other
public record WeightedPath(List<Vertex> vertices, double weight) {
    public WeightedPath {
        vertices = List.copyOf(vertices);
    }
}
