package dev.oriel.bench.arcadedb;

import com.arcadedb.GlobalConfiguration;
import com.arcadedb.database.Database;
import com.arcadedb.database.DatabaseFactory;
import com.arcadedb.database.RID;
import com.arcadedb.graph.GraphBatch;
import com.arcadedb.schema.EdgeType;
import com.arcadedb.schema.Schema;
import com.arcadedb.schema.Type;
import com.arcadedb.schema.VertexType;
import dev.oriel.bench.Durability;
import dev.oriel.bench.graph.GraphOpening;
import dev.oriel.bench.graph.GraphShape;
import dev.oriel.bench.graph.GraphStore;
import dev.oriel.bench.graph.LinkStore;
import dev.oriel.bench.graph.ReadGraph;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Opens ArcadeDB, embedded, by its Java API.
public final class ArcadeDbOpening implements GraphOpening {
    private static final int A_LOAD_COMMIT = 10_000;

    @Override
    public GraphStore open(Path folder, GraphShape shape, Durability durability) {
        DatabaseFactory factory = factory(folder, durability);
        Database database = factory.create();
        declare(database.getSchema(), shape);
        return new ArcadeDbStore(factory, database);
    }

    private static void declare(Schema schema, GraphShape shape) {
        VertexType person = schema.createVertexType(ArcadeDbStore.PERSON);
        person.createProperty("name", Type.STRING);
        person.createProperty("city", Type.STRING);
        person.createProperty("age", Type.INTEGER);
        schema.createEdgeType(ArcadeDbStore.KNOWS);
        if (shape != GraphShape.ALLOTTED) {
            index(schema, true, "name");
        }
        if (shape == GraphShape.INDEXED) {
            index(schema, false, "city");
            index(schema, false, "age");
        }
    }

    /// By its importer for graphs, which writes no log; edges have records of their own, as ours have keys.
    @Override
    public boolean load(Path folder, Path people, Path edges) throws IOException {
        try (DatabaseFactory factory = factory(folder, Durability.WRITTEN);
                Database database = factory.create()) {
            declare(database.getSchema(), GraphShape.ALLOTTED);
            try (GraphBatch batch = database.batch().withLightEdges(false).build();
                    BufferedReader vertexRows = Files.newBufferedReader(people);
                    BufferedReader edgeRows = Files.newBufferedReader(edges)) {
                List<RID> ids = vertices(database, batch, vertexRows);
                edgeRows.readLine(); // titles
                for (String row = edgeRows.readLine(); row != null; row = edgeRows.readLine()) {
                    int comma = row.indexOf(',');
                    RID from = ids.get(Integer.parseInt(row, 0, comma, 10));
                    RID to = ids.get(Integer.parseInt(row, comma + 1, row.length(), 10));
                    batch.newEdge(from, ArcadeDbStore.KNOWS, to);
                }
            }
        }
        return true;
    }

    @Override
    public boolean load(Path folder, ReadGraph graph) {
        try (DatabaseFactory factory = factory(folder, Durability.WRITTEN);
                Database database = factory.create()) {
            declare(database.getSchema(), GraphShape.ALLOTTED);
            try (GraphBatch batch = database.batch().withLightEdges(false).build()) {
                RID[] ids = new RID[graph.people()];
                database.begin();
                for (int i = 0; i < ids.length; i++) {
                    ids[i] = person(batch, graph.name(i), graph.city(i), graph.age(i));
                    if (i % A_LOAD_COMMIT == 0) {
                        database.commit();
                        database.begin();
                    }
                }
                database.commit();
                for (int i = 0; i < graph.edges(); i++) {
                    batch.newEdge(ids[graph.source(i)], ArcadeDbStore.KNOWS, ids[graph.target(i)]);
                }
            }
        }
        return true;
    }

    private static RID person(GraphBatch batch, String name, String city, int age) {
        return batch.newVertex(ArcadeDbStore.PERSON)
                .set("name", name)
                .set("city", city)
                .set("age", age)
                .save()
                .getIdentity();
    }

    private static List<RID> vertices(Database database, GraphBatch batch, BufferedReader rows)
            throws IOException {
        List<RID> ids = new ArrayList<>();
        rows.readLine(); // titles
        database.begin();
        for (String row = rows.readLine(); row != null; row = rows.readLine()) {
            String[] fields = row.split(",", -1);
            ids.add(person(batch, fields[1], fields[2], Integer.parseInt(fields[3])));
            if (ids.size() % A_LOAD_COMMIT == 0) {
                database.commit();
                database.begin();
            }
        }
        database.commit();
        return ids;
    }

    @Override
    public LinkStore openLinks(Path folder, Durability durability) {
        DatabaseFactory factory = factory(folder, durability);
        Database database = factory.create();
        Schema schema = database.getSchema();
        VertexType node = schema.createVertexType(ArcadeDbLinks.NODE);
        node.createProperty("version", Type.INTEGER);
        node.createProperty("time", Type.LONG);
        node.createProperty("data", Type.STRING);
        EdgeType link = schema.createEdgeType(ArcadeDbLinks.LINK);
        link.createProperty("time", Type.LONG);
        link.createProperty("data", Type.STRING);
        return new ArcadeDbLinks(factory, database);
    }

    static DatabaseFactory factory(Path folder, Durability durability) {
        // 0: the log is written and not synced, the default; 1: its data is synced at each commit.
        GlobalConfiguration.TX_WAL_FLUSH.setValue(durability == Durability.SYNC ? 1 : 0);
        return new DatabaseFactory(folder.resolve("graph").toString());
    }

    private static void index(Schema schema, boolean unique, String property) {
        schema.createTypeIndex(Schema.INDEX_TYPE.LSM_TREE, unique, ArcadeDbStore.PERSON, property);
    }
}
