package dev.oriel.bench.arcadedb;

import com.arcadedb.database.Database;
import com.arcadedb.database.DatabaseFactory;
import com.arcadedb.database.Document;
import com.arcadedb.database.RID;
import com.arcadedb.graph.Vertex;
import com.arcadedb.index.IndexCursor;
import dev.oriel.bench.graph.GraphStore;

/// An open graph of ArcadeDB. Vertices are known by their record ids; there is always a transaction.
final class ArcadeDbStore implements GraphStore {
    static final String PERSON = "person";
    static final String KNOWS = "knows";

    private final DatabaseFactory factory;
    private final Database database;

    ArcadeDbStore(DatabaseFactory factory, Database database) {
        this.factory = factory;
        this.database = database;
        database.begin();
    }

    @Override
    public Object addVertex(String name, String city, int age) {
        return database.newVertex(PERSON)
                .set("name", name)
                .set("city", city)
                .set("age", age)
                .save()
                .getIdentity();
    }

    @Override
    public Object id(Object vertex) {
        return vertex;
    }

    @Override
    public void addEdge(Object from, Object to) {
        found(from).newEdge(KNOWS, (RID) to);
    }

    private Vertex found(Object id) {
        return database.lookupByRID((RID) id, true).asVertex();
    }

    @Override
    public void commit() {
        database.commit();
        database.begin();
    }

    @Override
    public long vertex(Object id) {
        return sum(found(id));
    }

    private static long sum(Document person) {
        return GraphStore.sum(
                person.getString("name"), person.getString("city"), person.getInteger("age"));
    }

    @Override
    public long people(String city) {
        long sum = 0;
        IndexCursor people = database.lookupByKey(PERSON, "city", city);
        while (people.hasNext()) {
            sum += sum(people.next().asVertex(true));
        }
        return sum;
    }

    @Override
    public long count(String city, int age) {
        long count = 0;
        IndexCursor people = database.lookupByKey(PERSON, "city", city);
        while (people.hasNext()) {
            count += people.next().asVertex(true).getInteger("age") >= age ? 1 : 0;
        }
        return count;
    }

    @Override
    public long hops(Object id, int length) {
        return hops(found(id), length);
    }

    private static long hops(Vertex vertex, int length) {
        if (length == 1) {
            return vertex.countEdges(Vertex.DIRECTION.OUT, KNOWS);
        }
        long count = 0;
        for (Vertex reached : vertex.getVertices(Vertex.DIRECTION.OUT, KNOWS)) {
            count += hops(reached, length - 1);
        }
        return count;
    }

    @Override
    public long paths(Object id, int length) {
        return paths(found(id), length);
    }

    private static long paths(Vertex vertex, int length) {
        long count = 0;
        for (Vertex reached : vertex.getVertices(Vertex.DIRECTION.OUT, KNOWS)) {
            count += length == 1 ? 1 : paths(reached, length - 1);
        }
        return count;
    }

    @Override
    public void close() {
        database.rollback();
        database.close();
        factory.close();
    }
}
