package dev.oriel.bench;

/// An open graph, used by one thread.
public interface GraphStore extends AutoCloseable {
    /// Adds a person, and returns what the store knows it by.
    Object addVertex(String name, String city, int age);

    /// Adds an edge `knows`; both ends are committed.
    void addEdge(Object from, Object to);

    void commit();

    /// How many paths of `length` edges `knows` lead away from `vertex`; each edge is read.
    long paths(Object vertex, int length);

    /// How many people of `city` are at least `age` old, by the indexes where there are some.
    long count(String city, int age);

    @Override
    void close();
}
