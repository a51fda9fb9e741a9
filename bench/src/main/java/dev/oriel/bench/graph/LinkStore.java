package dev.oriel.bench.graph;

/// An open graph of LinkBench's objects and associations, used by one thread: nodes with a version, a time and
/// some data, and at most one link from one node to another, with a time and data. Ids are the store's own.
public interface LinkStore extends AutoCloseable {
    /// How many links are asked for at most, as LinkBench has it.
    int LINKS_MAX = 10_000;

    /// Adds a node, and returns its id.
    Object addNode(int version, long time, String data);

    /// Writes all of a node anew; false where there is none.
    boolean updateNode(Object id, int version, long time, String data);

    /// Removes a node with its links; false where there is none.
    boolean deleteNode(Object id);

    /// Reads a node, see [#sum]; 0 where there is none.
    long node(Object id);

    /// Adds a link that is not there yet; both its ends are.
    void newLink(Object from, Object to, long time, String data);

    /// Adds a link, or writes it anew where there is one; false where an end is not there.
    boolean addLink(Object from, Object to, long time, String data);

    /// Writes a link anew; false where there is none.
    boolean updateLink(Object from, Object to, long time, String data);

    /// Removes a link; false where there is none.
    boolean deleteLink(Object from, Object to);

    /// Reads a link, see [#sum]; 0 where there is none.
    long link(Object from, Object to);

    /// How many links lead away from a node; 0 where there is none.
    long countLinks(Object from);

    /// Reads the links that lead away from a node, the newest first, at most [#LINKS_MAX]: each one's sum added
    /// to 31 times those before.
    long links(Object from);

    /// Ends the transaction that the first of these calls has begun.
    void commit();

    @Override
    void close();

    /// What reading a node or a link gives; no version is a version 0.
    static long sum(int version, long time, String data) {
        return 1 + version + 31 * time + 961L * data.hashCode();
    }
}
