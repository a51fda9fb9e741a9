package dev.oriel.bench.graph;

import org.jspecify.annotations.Nullable;

/// An open graph, used by one thread, and asked by the fastest interface that the product documents.
public interface GraphStore extends GraphQuestions, AutoCloseable {
    /// Adds a person, and returns the vertex: something that edges can be added to, in later transactions too.
    Object addVertex(String name, String city, int age);

    /// Adds an edge `knows`; both ends are committed.
    void addEdge(Object from, Object to);

    void commit();

    /// As [#hops], each vertex on each path handed out, and each edge where a product has no way past that.
    long paths(Object id, int length);

    /// The same questions asked in Gremlin; null where the store is asked by nothing else than it is itself.
    default @Nullable GraphQuestions gremlin() {
        return null;
    }

    @Override
    void close();

    /// What reading a person gives; those of several people are added up.
    static long sum(String name, String city, int age) {
        return 31L * name.hashCode() + city.hashCode() + age;
    }
}
