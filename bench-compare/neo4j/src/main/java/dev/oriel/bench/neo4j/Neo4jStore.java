package dev.oriel.bench.neo4j;

import dev.oriel.bench.graph.GraphStore;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

/// An open graph of Neo4j. Vertices are known by their element ids, as a `Node` belongs to its transaction;
/// there is always a transaction.
final class Neo4jStore implements GraphStore {
    static final Label PERSON = Label.label("person");
    private static final RelationshipType KNOWS = RelationshipType.withName("knows");

    private final DatabaseManagementService service;
    private final GraphDatabaseService database;
    private Transaction tx;

    Neo4jStore(DatabaseManagementService service, GraphDatabaseService database) {
        this.service = service;
        this.database = database;
        this.tx = database.beginTx();
    }

    @Override
    public Object addVertex(String name, String city, int age) {
        Node node = tx.createNode(PERSON);
        node.setProperty("name", name);
        node.setProperty("city", city);
        node.setProperty("age", age);
        return node.getElementId();
    }

    @Override
    public Object id(Object vertex) {
        return vertex;
    }

    @Override
    public void addEdge(Object from, Object to) {
        found(from).createRelationshipTo(found(to), KNOWS);
    }

    private Node found(Object id) {
        return tx.getNodeByElementId((String) id);
    }

    @Override
    public void commit() {
        tx.commit();
        tx.close();
        tx = database.beginTx();
    }

    @Override
    public long vertex(Object id) {
        return sum(found(id));
    }

    private static long sum(Node person) {
        return GraphStore.sum(
                (String) person.getProperty("name"),
                (String) person.getProperty("city"),
                (Integer) person.getProperty("age"));
    }

    @Override
    public long people(String city) {
        long sum = 0;
        try (ResourceIterator<Node> people = tx.findNodes(PERSON, "city", city)) {
            while (people.hasNext()) {
                sum += sum(people.next());
            }
        }
        return sum;
    }

    @Override
    public long count(String city, int age) {
        long count = 0;
        try (ResourceIterator<Node> people = tx.findNodes(PERSON, "city", city)) {
            while (people.hasNext()) {
                count += (Integer) people.next().getProperty("age") >= age ? 1 : 0;
            }
        }
        return count;
    }

    @Override
    public long hops(Object id, int length) {
        return hops(found(id), length);
    }

    private static long hops(Node node, int length) {
        if (length == 1) {
            return node.getDegree(KNOWS, Direction.OUTGOING);
        }
        long count = 0;
        try (ResourceIterable<Relationship> edges = edges(node)) {
            for (Relationship edge : edges) {
                count += hops(edge.getEndNode(), length - 1);
            }
        }
        return count;
    }

    private static ResourceIterable<Relationship> edges(Node node) {
        return node.getRelationships(Direction.OUTGOING, KNOWS);
    }

    @Override
    public long paths(Object id, int length) {
        return paths(found(id), length);
    }

    private static long paths(Node node, int length) {
        long count = 0;
        try (ResourceIterable<Relationship> edges = edges(node)) {
            for (Relationship edge : edges) {
                Node reached = edge.getEndNode();
                count += length == 1 ? 1 : paths(reached, length - 1);
            }
        }
        return count;
    }

    @Override
    public void close() {
        tx.close();
        service.shutdown();
    }
}
