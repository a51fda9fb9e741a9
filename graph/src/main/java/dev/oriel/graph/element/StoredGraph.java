package dev.oriel.graph.element;

import dev.oriel.Database;
import dev.oriel.graph.catalog.GraphCatalog;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/// A graph with tables of its own, as its elements, its traversals and whatever else works on it know it. For
/// this module alone: who uses a graph has [Graph] and what `OrielGraph` adds to that.
public interface StoredGraph extends Graph {
    /// The database that the graph is in.
    Database database();

    /// The names of the graph.
    GraphCatalog catalog();

    /// The transaction to read and write in, begun where there is none.
    GraphTransaction work();

    /// Whether labels and property keys must be there before elements have them.
    boolean isStrict();

    /// How many values of a key a vertex has where neither the call nor the schema says it.
    Cardinality usualCardinality();

    /// A view of it in which all threads share one transaction, which is open.
    StoredGraph threaded();

    @Override
    void close();
}
