package dev.oriel.bench.neo4j;

import dev.oriel.bench.Durability;
import dev.oriel.bench.graph.GraphOpening;
import dev.oriel.bench.graph.GraphShape;
import dev.oriel.bench.graph.GraphStore;
import dev.oriel.bench.graph.LinkStore;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;

/// Opens Neo4j, embedded, by its Java API.
public final class Neo4jOpening implements GraphOpening {
    @Override
    public GraphStore open(Path folder, GraphShape shape, Durability durability) {
        DatabaseManagementService service = service(folder, durability);
        GraphDatabaseService database =
                service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME);
        try (Transaction tx = database.beginTx()) {
            if (shape != GraphShape.ALLOTTED) {
                tx.schema()
                        .constraintFor(Neo4jStore.PERSON)
                        .assertPropertyIsUnique("name")
                        .create();
            }
            if (shape == GraphShape.INDEXED) {
                tx.schema().indexFor(Neo4jStore.PERSON).on("city").create();
                tx.schema().indexFor(Neo4jStore.PERSON).on("age").create();
            }
            tx.commit();
        }
        try (Transaction tx = database.beginTx()) {
            tx.schema().awaitIndexesOnline(1, TimeUnit.MINUTES);
        }
        return new Neo4jStore(service, database);
    }

    @Override
    public LinkStore openLinks(Path folder, Durability durability) {
        DatabaseManagementService service = service(folder, durability);
        return new Neo4jLinks(
                service, service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME));
    }

    private static DatabaseManagementService service(Path folder, Durability durability) {
        if (durability != Durability.SYNC) {
            throw new IllegalArgumentException("Neo4j syncs its log at every commit");
        }
        return new DatabaseManagementServiceBuilder(folder)
                .setConfig(
                        GraphDatabaseSettings.pagecache_memory,
                        Runtime.getRuntime().maxMemory() / 4)
                .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
                .build();
    }
}
