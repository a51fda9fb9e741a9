package dev.oriel.bench;

/// An open graph, used by one thread. Vertices and ids are whatever the store knows them by.
public interface GraphStore extends AutoCloseable {
    /// Adds a person, and returns the vertex: something that edges can be added to, in later transactions too.
    Object addVertex(String name, String city, int age);

    /// What the store finds a vertex by the fastest, in any transaction.
    Object id(Object vertex);

    /// Adds an edge `knows`; both ends are committed.
    void addEdge(Object from, Object to);

    void commit();

    /// Looks a vertex up and reads its three properties, see [#sum].
    long vertex(Object id);

    /// Reads all people of a city, by the index, see [#sum].
    long people(String city);

    /// How many people of a city are at least so old, by the indexes where there are some.
    long count(String city, int age);

    /// How many paths of `length` edges `knows` lead away from a vertex, as the store counts them the fastest.
    long hops(Object id, int length);

    /// The same, each edge and each vertex on the way handed out.
    long paths(Object id, int length);

    @Override
    void close();

    /// What reading a person gives; those of several people are added up.
    static long sum(String name, String city, int age) {
        return 31L * name.hashCode() + city.hashCode() + age;
    }
}
