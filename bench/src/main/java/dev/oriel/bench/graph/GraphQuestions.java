package dev.oriel.bench.graph;

/// Queries of a graph, by one interface of a product. Vertices and ids are of that interface's types.
public interface GraphQuestions {
    /// The id by which a vertex of [GraphStore#addVertex] is found the fastest, in any transaction.
    Object id(Object vertex);

    /// Looks a vertex up and reads its three properties, see [GraphStore#sum].
    long vertex(Object id);

    /// Reads all people of a city, by the index, see [GraphStore#sum].
    long people(String city);

    /// Number of people of a city who are at least `age` old, by the indexes if there are any.
    long count(String city, int age);

    /// Number of paths of `length` edges `knows` that lead away from a vertex, by the interface's fastest way.
    long hops(Object id, int length);
}
