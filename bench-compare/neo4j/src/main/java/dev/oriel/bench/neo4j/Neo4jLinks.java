package dev.oriel.bench.neo4j;

import dev.oriel.bench.graph.LinkStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Entity;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.Transaction;

/// LinkBench's graph in Neo4j. There is always a transaction.
final class Neo4jLinks implements LinkStore {
    private static final Label NODE = Label.label("node");
    private static final RelationshipType LINK = RelationshipType.withName("link");

    private final DatabaseManagementService service;
    private final GraphDatabaseService database;
    private Transaction tx;

    Neo4jLinks(DatabaseManagementService service, GraphDatabaseService database) {
        this.service = service;
        this.database = database;
        this.tx = database.beginTx();
    }

    private @Nullable Node found(Object id) {
        try {
            return tx.getNodeByElementId((String) id);
        } catch (NotFoundException e) {
            return null; // that is how the API says it
        }
    }

    private @Nullable Relationship found(Object from, Object to) {
        Node source = found(from);
        if (source == null) {
            return null;
        }
        Node target = found(to);
        if (target == null) {
            return null;
        }
        try (ResourceIterable<Relationship> links =
                source.getRelationships(Direction.OUTGOING, LINK)) {
            for (Relationship link : links) {
                if (link.getEndNode().equals(target)) {
                    return link;
                }
            }
        }
        return null;
    }

    @Override
    public Object addNode(int version, long time, String data) {
        Node node = tx.createNode(NODE);
        write(node, version, time, data);
        return node.getElementId();
    }

    private static void write(Node node, int version, long time, String data) {
        node.setProperty("version", version);
        write(node, time, data);
    }

    private static void write(Entity element, long time, String data) {
        element.setProperty("time", time);
        element.setProperty("data", data);
    }

    @Override
    public boolean updateNode(Object id, int version, long time, String data) {
        Node node = found(id);
        if (node == null) {
            return false;
        }
        write(node, version, time, data);
        return true;
    }

    @Override
    public boolean deleteNode(Object id) {
        Node node = found(id);
        if (node == null) {
            return false;
        }
        try (ResourceIterable<Relationship> links = node.getRelationships()) {
            for (Relationship link : links) {
                link.delete();
            }
        }
        node.delete();
        return true;
    }

    @Override
    public long node(Object id) {
        Node node = found(id);
        return node == null ? 0 : sum((Integer) node.getProperty("version"), node);
    }

    private static long sum(int version, Entity element) {
        return LinkStore.sum(
                version, (Long) element.getProperty("time"), (String) element.getProperty("data"));
    }

    @Override
    public void newLink(Object from, Object to, long time, String data) {
        Node source = tx.getNodeByElementId((String) from);
        write(source.createRelationshipTo(tx.getNodeByElementId((String) to), LINK), time, data);
    }

    @Override
    public boolean addLink(Object from, Object to, long time, String data) {
        if (updateLink(from, to, time, data)) {
            return true;
        }
        if (found(from) == null || found(to) == null) {
            return false;
        }
        newLink(from, to, time, data);
        return true;
    }

    @Override
    public boolean updateLink(Object from, Object to, long time, String data) {
        Relationship link = found(from, to);
        if (link == null) {
            return false;
        }
        write(link, time, data);
        return true;
    }

    @Override
    public boolean deleteLink(Object from, Object to) {
        Relationship link = found(from, to);
        if (link == null) {
            return false;
        }
        link.delete();
        return true;
    }

    @Override
    public long link(Object from, Object to) {
        Relationship link = found(from, to);
        return link == null ? 0 : sum(0, link);
    }

    @Override
    public long countLinks(Object from) {
        Node source = found(from);
        return source == null ? 0 : source.getDegree(LINK, Direction.OUTGOING);
    }

    @Override
    public long links(Object from) {
        Node source = found(from);
        if (source == null) {
            return 0;
        }
        List<Link> newest = new ArrayList<>();
        try (ResourceIterable<Relationship> links =
                source.getRelationships(Direction.OUTGOING, LINK)) {
            for (Relationship link : links) {
                newest.add(new Link((Long) link.getProperty("time"), sum(0, link)));
            }
        }
        newest.sort(Comparator.comparingLong(link -> -link.time));
        long sum = 0;
        for (Link link : newest.subList(0, Math.min(newest.size(), LINKS_MAX))) {
            sum = 31 * sum + link.sum;
        }
        return sum;
    }

    private record Link(long time, long sum) {}

    @Override
    public void commit() {
        tx.commit();
        tx.close();
        tx = database.beginTx();
    }

    @Override
    public void close() {
        tx.close();
        service.shutdown();
    }
}
