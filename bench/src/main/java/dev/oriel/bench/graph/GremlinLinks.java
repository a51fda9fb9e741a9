package dev.oriel.bench.graph;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// LinkBench's graph in one of TinkerPop: the structure API, and traversals for counts and ordered lists.
public final class GremlinLinks implements LinkStore {
    private static final String NODE = "node";
    private static final String LINK = "link";

    private final Graph graph;
    private final GraphTraversalSource traversal;
    private final boolean transactions;
    private final AutoCloseable beneath;

    /// @param beneath resource to close after the graph
    public GremlinLinks(Graph graph, AutoCloseable beneath) {
        this.graph = graph;
        this.traversal = graph.traversal();
        this.transactions = graph.features().graph().supportsTransactions();
        this.beneath = beneath;
    }

    @Override
    public Object addNode(int version, long time, String data) {
        return graph.addVertex(T.label, NODE, "version", version, "time", time, "data", data).id();
    }

    private @Nullable Vertex vertex(Object id) {
        Iterator<Vertex> found = graph.vertices(id);
        return found.hasNext() ? found.next() : null;
    }

    private @Nullable Edge edge(Object from, Object to) {
        Vertex source = vertex(from);
        if (source == null) {
            return null;
        }
        Iterator<Edge> links = source.edges(Direction.OUT, LINK);
        while (links.hasNext()) {
            Edge link = links.next();
            if (link.inVertex().id().equals(to)) {
                return link;
            }
        }
        return null;
    }

    @Override
    public boolean updateNode(Object id, int version, long time, String data) {
        Vertex node = vertex(id);
        if (node == null) {
            return false;
        }
        node.property("version", version);
        node.property("time", time);
        node.property("data", data);
        return true;
    }

    @Override
    public boolean deleteNode(Object id) {
        Vertex node = vertex(id);
        if (node == null) {
            return false;
        }
        node.remove();
        return true;
    }

    @Override
    public long node(Object id) {
        Vertex node = vertex(id);
        if (node == null) {
            return 0;
        }
        int version = node.value("version");
        long time = node.value("time");
        return LinkStore.sum(version, time, node.value("data"));
    }

    @Override
    public void newLink(Object from, Object to, long time, String data) {
        Vertex source = graph.vertices(from).next();
        source.addEdge(LINK, graph.vertices(to).next(), "time", time, "data", data);
    }

    @Override
    public boolean addLink(Object from, Object to, long time, String data) {
        if (updateLink(from, to, time, data)) {
            return true;
        }
        Vertex source = vertex(from);
        Vertex target = vertex(to);
        if (source == null || target == null) {
            return false;
        }
        source.addEdge(LINK, target, "time", time, "data", data);
        return true;
    }

    @Override
    public boolean updateLink(Object from, Object to, long time, String data) {
        Edge link = edge(from, to);
        if (link == null) {
            return false;
        }
        link.property("time", time);
        link.property("data", data);
        return true;
    }

    @Override
    public boolean deleteLink(Object from, Object to) {
        Edge link = edge(from, to);
        if (link == null) {
            return false;
        }
        link.remove();
        return true;
    }

    @Override
    public long link(Object from, Object to) {
        Edge link = edge(from, to);
        return link == null ? 0 : sum(link);
    }

    private static long sum(Edge link) {
        long time = link.value("time");
        return LinkStore.sum(0, time, link.value("data"));
    }

    @Override
    public long countLinks(Object from) {
        return traversal.V(from).outE(LINK).count().next();
    }

    @Override
    public long links(Object from) {
        Iterator<Edge> links =
                traversal.V(from).outE(LINK).order().by("time", Order.desc).limit(LINKS_MAX);
        long sum = 0;
        while (links.hasNext()) {
            sum = 31 * sum + sum(links.next());
        }
        return sum;
    }

    @Override
    public void commit() {
        if (transactions) {
            graph.tx().commit();
        }
    }

    @Override
    public void close() {
        try {
            graph.close();
            beneath.close();
        } catch (Exception e) {
            throw new IllegalStateException("the graph cannot be closed", e);
        }
    }
}
