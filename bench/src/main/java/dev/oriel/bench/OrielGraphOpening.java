package dev.oriel.bench;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.OrielSchema;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Opens our graph with its schema.
final class OrielGraphOpening {
    private OrielGraphOpening() {}

    /// @param folder null for a graph in memory
    static GraphStore open(@Nullable Path folder, boolean indexed) {
        Database database =
                folder == null
                        ? Database.inMemory()
                        : Database.open(
                                folder,
                                DatabaseOptions.defaults()
                                        .withDurability(dev.oriel.store.Durability.WRITTEN));
        OrielGraph graph = OrielGraph.open(database, "");
        OrielSchema schema = graph.schema();
        schema.propertyKey("name").asText().create();
        schema.propertyKey("city").asText().create();
        schema.propertyKey("age").asInt().create();
        schema.vertexLabel("person").properties("name", "city", "age").create();
        schema.edgeLabel("knows").link("person", "person").multiTimes().create();
        if (indexed) {
            schema.indexLabel("personByCity").onV("person").by("city").secondary().create();
            schema.indexLabel("personByAge").onV("person").by("age").range().create();
        }
        return new GremlinStore(graph, database);
    }
}
