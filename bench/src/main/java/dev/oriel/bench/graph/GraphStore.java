package dev.oriel.bench.graph;

import org.jspecify.annotations.Nullable;

/// An open graph, used by one thread, and queried by the fastest interface that the product documents.
public interface GraphStore extends GraphQuestions, AutoCloseable {
    /// Adds a person, and returns the vertex: an object that edges can be added to, in later transactions too.
    Object addVertex(String name, String city, int age);

    /// Adds an edge `knows`; both ends are committed.
    void addEdge(Object from, Object to);

    void commit();

    /// Like [#hops], with each vertex on each path handed out, and each edge if the product cannot skip it.
    long paths(Object id, int length);

    /// The same questions asked in Gremlin; null if the store has no other interface.
    default @Nullable GraphQuestions gremlin() {
        return null;
    }

    @Override
    void close();

    /// Checksum of a person that was read; the sums of several people are added up.
    static long sum(String name, String city, int age) {
        return 31L * name.hashCode() + city.hashCode() + age;
    }
}
