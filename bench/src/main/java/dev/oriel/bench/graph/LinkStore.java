package dev.oriel.bench.graph;

/// An open graph of LinkBench's objects and associations, used by one thread. Nodes have a version, a time and
/// some data. There is at most one link from one node to another, with a time and data. Ids are the store's own.
public interface LinkStore extends AutoCloseable {
    /// Greatest number of links read by one request, as in LinkBench.
    int LINKS_MAX = 10_000;

    /// Adds a node, and returns its id.
    Object addNode(int version, long time, String data);

    /// Overwrites a node; false if it does not exist.
    boolean updateNode(Object id, int version, long time, String data);

    /// Removes a node with its links; false if it does not exist.
    boolean deleteNode(Object id);

    /// Reads a node, see [#sum]; 0 if it does not exist.
    long node(Object id);

    /// Adds a link that is not there yet; both its ends are.
    void newLink(Object from, Object to, long time, String data);

    /// Adds a link, or overwrites an existing one; false if an end does not exist.
    boolean addLink(Object from, Object to, long time, String data);

    /// Overwrites a link; false if it does not exist.
    boolean updateLink(Object from, Object to, long time, String data);

    /// Removes a link; false if it does not exist.
    boolean deleteLink(Object from, Object to);

    /// Reads a link, see [#sum]; 0 if it does not exist.
    long link(Object from, Object to);

    /// Number of links that lead away from a node; 0 if there are none.
    long countLinks(Object from);

    /// Reads the links that lead away from a node, the newest first, at most [#LINKS_MAX]: each one's sum added to
    /// 31 times the total before.
    long links(Object from);

    /// Ends the transaction that the first of these calls has begun.
    void commit();

    @Override
    void close();

    /// Checksum of a node or a link that was read; no version is a version 0.
    static long sum(int version, long time, String data) {
        return 1 + version + 31 * time + 961L * data.hashCode();
    }
}
