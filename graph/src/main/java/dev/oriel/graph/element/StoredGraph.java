package dev.oriel.graph.element;

import dev.oriel.Database;
import dev.oriel.graph.catalog.GraphCatalog;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/// A graph with tables of its own, as seen by its elements and traversals. Used by this module only: users have
/// [Graph] and the additions of `OrielGraph`.
public interface StoredGraph extends Graph {
    /// The database of the graph.
    Database database();

    /// The catalog of the graph.
    GraphCatalog catalog();

    /// The current transaction, begun if there is none.
    GraphTransaction work();

    /// Whether labels and property keys must be declared before their first use.
    boolean isStrict();

    /// The cardinality of a key that neither the call nor the schema gives.
    Cardinality usualCardinality();

    /// A view of the graph in which all threads share one open transaction.
    StoredGraph threaded();

    @Override
    void close();
}
