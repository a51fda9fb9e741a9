package dev.oriel.bench.graph;

/// What people ask a graph, by one interface of a product. Vertices and ids are whatever that knows them by.
public interface GraphQuestions {
    /// What a vertex that [GraphStore#addVertex] has made is found by the fastest, in any transaction.
    Object id(Object vertex);

    /// Looks a vertex up and reads its three properties, see [GraphStore#sum].
    long vertex(Object id);

    /// Reads all people of a city, by the index, see [GraphStore#sum].
    long people(String city);

    /// How many people of a city are at least so old, by the indexes where there are some.
    long count(String city, int age);

    /// How many paths of `length` edges `knows` lead away from a vertex, as the interface counts them the fastest.
    long hops(Object id, int length);
}
