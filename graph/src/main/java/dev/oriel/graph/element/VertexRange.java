package dev.oriel.graph.element;

import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.range.Conditions;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexPlace;
import dev.oriel.graph.range.RowConditions;
import dev.oriel.graph.range.TraversalDeadline;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// The vertices of one label that satisfy conditions, to be read or counted once.
///
/// @param choice the index and its ranges; null for a scan of the label
/// @param rest conditions to be checked for each vertex
public record VertexRange(
        StoredGraph graph,
        VertexLabel label,
        @Nullable IndexChoice choice,
        List<HasContainer> rest) {
    /// Number of vertices. If an index range answers it, it is the size of the range; otherwise rows are counted
    /// without making objects.
    public long count(TraversalDeadline limit) {
        RangeReads reads = graph.work().reads();
        if (rest.isEmpty()) {
            return reads.count(label, choice);
        }
        RowConditions rows = RowConditions.of(rest, label.columns(), graph.catalog().keys());
        return rows == null
                ? Conditions.count(all(true), rest, limit)
                : reads.count(label, choice, rows, limit);
    }

    /// The vertices, in the order of the index, or of their numbers.
    ///
    /// @param properties whether their properties will be needed
    public Iterator<Vertex> vertices(boolean properties, TraversalDeadline limit) {
        return Conditions.filtered(all(properties || !rest.isEmpty()), rest, limit);
    }

    private Iterator<Vertex> all(boolean properties) {
        return choice == null
                ? new VertexIterator(graph, List.of(label), properties)
                : new FoundVertices(
                        graph, label, new IndexPlace(label.table(), choice), properties);
    }
}
