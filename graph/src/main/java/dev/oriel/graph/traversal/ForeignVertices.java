package dev.oriel.graph.traversal;

import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Vertices of a graph other than the traversal's, for example of a subgraph: hops from them use the vertex's own
/// methods.
final class ForeignVertices {
    private ForeignVertices() {}

    @SuppressWarnings("ReferenceEquality") // compared by identity
    static boolean isOwn(Vertex vertex, StoredGraph graph) {
        return vertex instanceof OrielVertex own && own.graph() == graph;
    }

    /// The vertices at the ends of `hops` from `vertex`, each as often as it is reached.
    static List<Vertex> around(Vertex vertex, List<Hop> hops) {
        List<Vertex> reached = List.of(vertex);
        for (Hop hop : hops) {
            List<Vertex> next = new ArrayList<>();
            reached.forEach(each -> hop.from(each).forEachRemaining(next::add));
            reached = next;
        }
        return reached;
    }

    static Iterator<Traverser.Admin<Vertex>> around(
            Traverser.Admin<Vertex> start, List<Hop> hops, Step<Vertex, Vertex> step) {
        List<Traverser.Admin<Vertex>> ends = new ArrayList<>();
        around(start.get(), hops).forEach(each -> ends.add(start.split(each, step)));
        return ends.iterator();
    }
}
